import { expect, test } from '@jest/globals';
import type { SettlementRow } from './mapping.ts';
import { judge, type Movement } from './match.ts';

const ROW: SettlementRow = { line: 2, reference: 'op', amount: '10.5', currency: 'USD', day: '2026-11-20' };
const COLLECTION: Movement = {
  ...{ id: 'je_1|USD', reference: 'op', amount: '10.50', currency: 'USD', day: '2026-11-19' },
};
const PAYOUT: Movement = { ...COLLECTION, id: 'je_2|USD', amount: '-9' };

const resultOf = (row: Partial<SettlementRow>, movements: readonly Movement[], matched: string[] = []) => {
  const { result, movement } = judge({ ...ROW, ...row }, movements, 2, new Set(matched));
  return [result, movement?.id];
};

test.each([
  ['the same amount, in other digits', {}, [], ['MATCHED', 'je_1|USD']],
  ['a payout', { amount: '-9' }, [], ['MATCHED', 'je_2|USD']],
  ['the last day of the window', { day: '2026-11-21' }, [], ['MATCHED', 'je_1|USD']],
  ['a day before the window', { day: '2026-11-16' }, [], ['MISSING_WITH_US', undefined]],
  ['a day behind the window', { day: '2026-11-22' }, [], ['MISSING_WITH_US', undefined]],
  ['another reference', { reference: 'OP' }, [], ['MISSING_WITH_US', undefined]],
  ['another currency', { currency: 'MXN' }, [], ['MISSING_WITH_US', undefined]],
  ['the other direction', { amount: '-10.5' }, [], ['AMOUNT_DIFFERS', 'je_2|USD']],
  ['a cent too much', { amount: '10.51' }, [], ['AMOUNT_DIFFERS', 'je_1|USD']],
  ['a movement that is matched already', {}, ['je_1|USD'], ['DUPLICATE', 'je_1|USD']],
  ['another amount of one that is matched', { amount: '10' }, ['je_1|USD'], ['AMOUNT_DIFFERS', 'je_1|USD']],
])('a row with %s', (_what, row, matched, expected) => {
  expect(resultOf(row, [COLLECTION, PAYOUT], matched)).toEqual(expected);
});

test('two equal movements take one row each', () => {
  const second = { ...COLLECTION, id: 'je_3|USD' };
  expect(resultOf({}, [COLLECTION, second], ['je_1|USD'])).toEqual(['MATCHED', 'je_3|USD']);
  expect(resultOf({}, [COLLECTION, second], ['je_1|USD', 'je_3|USD'])).toEqual(['DUPLICATE', 'je_1|USD']);
});

test('no movement matches nothing', () => {
  expect(resultOf({}, [])).toEqual(['MISSING_WITH_US', undefined]);
});
