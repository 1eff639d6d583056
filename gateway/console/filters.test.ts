import { describe, expect, test } from '@jest/globals';
import {
  addressOf,
  chosen,
  defined,
  exportQuery,
  type FilterField,
  type FilterValues,
  isInSpan,
  lets,
  type NamedField,
  readFilters,
  readPosition,
  readView,
  spanOf,
  whereOf,
  withoutStatus,
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

  test('of a choice are the valid values; none means all', () => {
    expect(chosen('B,X,A', ['A', 'B'])).toEqual(['A', 'B']);
    expect(chosen('X', ['A', 'B'])).toBeUndefined();
    expect(chosen(undefined, ['A', 'B'])).toBeUndefined();
  });

  test('of a span include its start but not its end, and omit invalid times', () => {
    const span = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
    expect(spanOf(span)).toEqual({ gte: '2026-11-01T00:00:00.000Z', lt: '2026-11-02T00:00:00.000Z' });
    expect(spanOf({ from: 'soon', to: '' })).toBeUndefined();
    expect(isInSpan('2026-11-01T00:00:00.000Z', FIELDS, span)).toBe(true);
    expect(isInSpan('2026-11-02T00:00:00.000Z', FIELDS, span)).toBe(false);
    expect(isInSpan('2020-01-01T00:00:00.000Z', FIELDS, {})).toBe(true);
  });

  test('of the last hours or days count from now, and are no fixed times in the address', () => {
    const now = Date.parse('2026-11-08T12:00:00Z');
    expect(spanOf({ last: '24h', from: '2020-01-01' }, now)).toEqual({ gte: '2026-11-07T12:00:00.000Z' });
    expect(spanOf({ last: '30d' }, now)).toEqual({ gte: '2026-10-09T12:00:00.000Z' });
    expect(spanOf({ last: 'toString' }, now)).toBeUndefined();
    expect(addressOf('/console/webhooks', readFilters(FIELDS, { last: '7d' }))).toBe(
      '/console/webhooks?last=7d',
    );
    expect(isInSpan(new Date().toISOString(), FIELDS, { last: '1h' })).toBe(true);
    expect(isInSpan('2026-01-01T00:00:00.000Z', FIELDS, { last: '1h' })).toBe(false);
  });

  test('can have a name, which is part of the address and not too long', () => {
    const address = addressOf('/console/webhooks', { status: 'A' }, {}, 'Failed & new');
    expect(address).toBe('/console/webhooks?status=A&view=Failed+%26+new');
    expect(readView(Object.fromEntries(new URL(address, 'http://x').searchParams))).toBe('Failed & new');
    expect(readView({ view: ' '.repeat(3) })).toBeUndefined();
    expect(readView({ view: 'x'.repeat(500) })).toHaveLength(60);
    expect(readView({})).toBeUndefined();
  });

  test('that are yes, no or neither', () => {
    expect(['yes', 'no', 'maybe', undefined].map(yesNo)).toEqual([true, false, undefined, undefined]);
    expect(defined({ a: undefined, b: false })).toEqual({ b: false });
  });

  test('are the conditions of the list, with the names of the graph', () => {
    const fields: readonly FilterField[] = [
      { kind: 'choice', name: 'identity', where: 'cipStatus', options: ['A', 'B'] },
      { kind: 'one', name: 'surface', options: ['X', 'Y'] },
      { kind: 'yes-no', name: 'blocked' },
      { kind: 'text', name: 'userId' },
      { kind: 'span' },
    ];
    const from = '2026-11-01T00:00:00.000Z';
    const values = { identity: 'B,C', surface: 'Y,X', blocked: 'no', userId: 'u-1', from };
    expect(whereOf(fields, values)).toEqual({
      cipStatus: ['B'],
      surface: 'X',
      blocked: false,
      userId: 'u-1',
      createdAt: { gte: from },
    });
    expect(whereOf(fields, {})).toEqual({});
    expect(whereOf([{ kind: 'span', where: 'at' }], { from })).toEqual({ at: { gte: from } });
  });

  test('that need a span of time have the longest preset where the address names none', () => {
    const fields: readonly FilterField[] = [{ kind: 'code', name: 'currency', needsSpan: true }, ...FIELDS];
    expect(readFilters(fields, { currency: 'mxn' })).toEqual({ currency: 'mxn', last: '30d' });
    expect(readFilters(fields, { currency: 'mxn', last: '7d' })).toEqual({ currency: 'mxn', last: '7d' });
    expect(readFilters(fields, { userId: 'u-1' })).toEqual({ userId: 'u-1' });
  });

  test('that need a span of time give it both ends, at most 31 days apart, also for rows that come later', () => {
    const fields: readonly FilterField[] = [{ kind: 'code', name: 'currency', needsSpan: true }, ...FIELDS];
    const from = '2026-11-01T00:00:00.000Z';
    const [open, to] = [{ currency: 'mxn', from }, '2026-11-02T00:00:00.000Z'];
    expect(whereOf(fields, open)).toEqual({
      currency: 'MXN',
      createdAt: { gte: from, lt: '2026-12-02T00:00:00.000Z' },
    });
    expect(whereOf(fields, { ...open, to })).toEqual({ currency: 'MXN', createdAt: { gte: from, lt: to } });
    const closed = { currency: 'mxn', to };
    expect(whereOf(fields, closed)).toEqual({
      currency: 'MXN',
      createdAt: { gte: '2026-10-02T00:00:00.000Z', lt: to },
    });
    expect(whereOf(fields, { from })).toEqual({ createdAt: { gte: from } });
    expect(whereOf(fields, { to })).toEqual({ createdAt: { lt: to } });
    const rows = ['2026-10-01T23:59:59.999Z', '2026-10-02T00:00:00.000Z', from, '2026-12-02T00:00:00.000Z'];
    const shown = (values: FilterValues) => rows.map((at) => isInSpan(at, fields, values));
    expect([shown(closed), shown(open)]).toEqual([
      [false, true, true, false],
      [false, false, true, false],
    ]);
    expect([shown({ to }), shown({ from })]).toEqual([
      [true, true, true, false],
      [false, false, true, true],
    ]);
  });

  test('without their status are the conditions by which tabs count', () => {
    expect(withoutStatus({ status: ['A'], userId: 'u-1' })).toEqual({ userId: 'u-1' });
  });

  test.each<[NamedField, string | undefined, unknown, boolean]>([
    [{ kind: 'choice', name: 'one', options: ['A', 'B'] }, 'B', 'A', false],
    [{ kind: 'choice', name: 'one', options: ['A', 'B'] }, 'B,A', 'A', true],
    [{ kind: 'choice', name: 'one', options: ['A', 'B'] }, undefined, 'A', true],
    [{ kind: 'text', name: 'one' }, 'u-1', 'u-1', true],
    [{ kind: 'text', name: 'one' }, 'u-1', undefined, false],
    [{ kind: 'text', name: 'one' }, undefined, null, true],
    [{ kind: 'code', name: 'one' }, 'mx', 'MX', true],
    [{ kind: 'code', name: 'one' }, 'mx', 'US', false],
    [{ kind: 'yes-no', name: 'one' }, 'no', false, true],
    [{ kind: 'yes-no', name: 'one' }, 'no', true, false],
    [{ kind: 'yes-no', name: 'one' }, undefined, true, true],
  ])('%j with %j has %j: %p', (field, text, value, isThrough) => {
    expect(lets(field, value, text === undefined ? {} : { one: text })).toBe(isThrough);
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
