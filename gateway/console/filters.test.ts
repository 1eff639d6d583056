import { describe, expect, test } from '@jest/globals';
import {
  addressOf,
  chosen,
  defined,
  exportQuery,
  type FilterField,
  isChosen,
  isInSpan,
  readFilters,
  readPosition,
  spanOf,
  yesNo,
} from './filters.ts';

const FIELDS: readonly FilterField[] = [
  { kind: 'choice', name: 'status', options: ['A', 'B'] },
  { kind: 'text', name: 'userId' },
  { kind: 'span' },
];

describe('the filters of a list', () => {
  test('come from the address, and lead to the same address', () => {
    const query = { status: 'A,B', userId: ' u 1 ', from: '2026-11-01T00:00:00.000Z', other: 'x', to: '' };
    const values = readFilters(FIELDS, query);
    expect(values).toEqual({ status: 'A,B', userId: 'u 1', from: '2026-11-01T00:00:00.000Z' });
    const address = addressOf('/console/operations', values, { after: 'c=+/' });
    const again = Object.fromEntries(new URL(address, 'http://x').searchParams);
    expect([readFilters(FIELDS, again), readPosition(again)]).toEqual([values, { after: 'c=+/' }]);
    expect(addressOf('/console/operations', readFilters(FIELDS, again), readPosition(again))).toBe(address);
  });

  test('leave an address without a query when there are none', () => {
    expect(addressOf('/console/operations', {})).toBe('/console/operations');
  });

  test('of a choice are the values that there are; none means all', () => {
    expect(chosen('B,X,A', ['A', 'B'])).toEqual(['A', 'B']);
    expect(chosen('X', ['A', 'B'])).toBeUndefined();
    expect(chosen(undefined, ['A', 'B'])).toBeUndefined();
    expect([isChosen('A', 'B', ['A', 'B']), isChosen('A', undefined, ['A', 'B'])]).toEqual([false, true]);
  });

  test('of a span include its start and not its end, and leave out what is no time', () => {
    const span = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
    expect(spanOf(span)).toEqual({ gte: '2026-11-01T00:00:00.000Z', lt: '2026-11-02T00:00:00.000Z' });
    expect(spanOf({ from: 'soon', to: '' })).toBeUndefined();
    expect(isInSpan('2026-11-01T00:00:00.000Z', span)).toBe(true);
    expect(isInSpan('2026-11-02T00:00:00.000Z', span)).toBe(false);
    expect(isInSpan('2020-01-01T00:00:00.000Z', {})).toBe(true);
  });

  test('that are yes, no or neither', () => {
    expect(['yes', 'no', 'maybe', undefined].map(yesNo)).toEqual([true, false, undefined, undefined]);
    expect(defined({ a: undefined, b: false })).toEqual({ b: false });
  });

  test('are the same of an export', () => {
    const where = { status: ['A', 'B'], createdAt: { gte: '2026-11-01T00:00:00.000Z' }, isStuck: true };
    expect([...exportQuery(where)]).toEqual([
      ['status', 'A'],
      ['status', 'B'],
      ['createdAt.gte', '2026-11-01T00:00:00.000Z'],
      ['isStuck', 'true'],
    ]);
  });
});
