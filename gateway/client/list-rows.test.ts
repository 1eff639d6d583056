import { expect, test } from '@jest/globals';
import { applyRow, firstRows, type RowRules } from './list-rows.ts';

interface Row {
  readonly id: string;
  readonly n: number;
}

const rules: RowRules<Row> = { keyOf: ({ id }) => id };
const rows: readonly Row[] = [
  { id: 'b', n: 2 },
  { id: 'a', n: 1 },
];

test('an event replaces its row in its place, and a new row comes first', () => {
  expect(applyRow(rows, { id: 'a', n: 7 }, rules)).toEqual([rows[0], { id: 'a', n: 7 }]);
  expect(applyRow(rows, { id: 'c', n: 3 }, rules)).toEqual([{ id: 'c', n: 3 }, ...rows]);
  expect(rows).toEqual([
    { id: 'b', n: 2 },
    { id: 'a', n: 1 },
  ]);
});

test('a row that does not belong to the list leaves it, and does not enter it', () => {
  const ofSmall = { ...rules, includes: ({ n }: Row) => n < 5 };
  expect(applyRow(rows, { id: 'a', n: 7 }, ofSmall)).toEqual([rows[0]]);
  expect(applyRow(rows, { id: 'c', n: 7 }, ofSmall)).toBe(rows);
  expect(applyRow(rows, { id: 'c', n: 3 }, ofSmall)).toHaveLength(3);
});

test('rows come in the order that the list has', () => {
  const descending = { ...rules, compare: (one: Row, other: Row) => other.n - one.n };
  expect(applyRow(rows, { id: 'c', n: 0 }, descending).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  expect(applyRow(rows, { id: 'a', n: 9 }, descending).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(firstRows([...rows].reverse(), descending)).toEqual(rows);
});

test('the last rows leave a list that is full', () => {
  const two = { ...rules, limit: 2 };
  expect(applyRow(rows, { id: 'c', n: 3 }, two).map(({ id }) => id)).toEqual(['c', 'b']);
  expect(firstRows([...rows, { id: 'c', n: 3 }], two)).toEqual(rows);
  const many = Array.from({ length: 501 }, (_, n) => ({ id: String(n), n }));
  expect(firstRows(many, rules)).toHaveLength(500);
});
