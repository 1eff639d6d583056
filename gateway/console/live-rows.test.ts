import { describe, expect, test } from '@jest/globals';
import {
  applyHeld,
  applyRow,
  changeRows,
  holdRow,
  type LiveRows,
  type RowRules,
  startRows,
} from './live-rows.ts';

interface Row {
  readonly id: string;
  readonly createdAt: string;
  readonly status: string;
}

const rules: RowRules<Row> = {
  keyOf: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  matches: ({ status }) => status !== 'HIDDEN',
};
const row = (id: string, second: number, status = 'A'): Row => ({
  id,
  createdAt: `2026-11-23T10:00:0${second}.000Z`,
  status,
});
const ROWS = [row('c', 3), row('b', 2)];

describe('a page that events keep up to date', () => {
  test('changes a row in place, and marks it', () => {
    const { rows, changed, fresh } = applyRow(
      startRows({ rows: ROWS, hasNextPage: true }),
      row('b', 2, 'B'),
      rules,
    );
    expect(rows).toEqual([row('c', 3), row('b', 2, 'B')]);
    expect([[...changed], [...fresh]]).toEqual([['b'], []]);
  });

  test('changes a row even if it no longer matches the filters, so that rows do not vanish', () => {
    const { rows } = applyRow(startRows({ rows: ROWS, hasNextPage: true }), row('b', 2, 'HIDDEN'), rules);
    expect(rows.map(({ status }) => status)).toEqual(['A', 'HIDDEN']);
  });

  test('counts a new row once, even if it changes often, and inserts nothing', () => {
    let state = startRows({ rows: ROWS, hasNextPage: true });
    for (const status of ['A', 'B', 'C']) {
      state = applyRow(state, row('d', 4, status), rules);
    }
    expect([state.rows, [...state.fresh]]).toEqual([ROWS, ['d']]);
  });

  test.each([
    ['is older than the page, and there are more pages', row('a', 1), true, []],
    ['is older than the page, which is the last', row('a', 1), false, ['a']],
    ['is as old as the last row', row('a', 2), true, ['a']],
    ['the filters do not let through', row('d', 4, 'HIDDEN'), true, []],
  ])('a row that %s', (_name, added, hasNextPage, fresh) => {
    expect([...applyRow(startRows({ rows: ROWS, hasNextPage }), added, rules).fresh]).toEqual(fresh);
  });

  test('an empty page counts every row that matches its filters', () => {
    expect([...applyRow(startRows<Row>({ rows: [], hasNextPage: false }), row('a', 1), rules).fresh]).toEqual(
      ['a'],
    );
  });

  test('shows nothing while it is paused, and everything in order afterwards', () => {
    let state = startRows({ rows: ROWS, hasNextPage: true });
    for (const one of [row('b', 2, 'B'), row('d', 4), row('b', 2, 'C')]) {
      state = holdRow(state, one);
    }
    expect([state.rows, state.held.length]).toEqual([ROWS, 3]);
    const { rows, fresh, held } = applyHeld(state, rules);
    expect(rows).toEqual([row('c', 3), row('b', 2, 'C')]);
    expect([[...fresh], held]).toEqual([['d'], []]);
  });

  test('changes only the rows that another record is about, and keeps their held changes', () => {
    const toPaid = (one: Row) => (one.id === 'b' ? { ...one, status: `${one.status} paid` } : one);
    const put = (state: LiveRows<Row>, one: Row) => applyRow(state, one, rules);
    const state = startRows({ rows: ROWS, hasNextPage: true });
    const { rows, changed } = changeRows(state, toPaid, rules, put);
    expect(rows).toEqual([row('c', 3), row('b', 2, 'A paid')]);
    expect([...changed]).toEqual(['b']);
    const paused = changeRows(holdRow(state, row('b', 2, 'B')), toPaid, rules, holdRow);
    expect(paused.rows).toEqual(ROWS);
    expect(applyHeld(paused, rules).rows).toEqual([row('c', 3), row('b', 2, 'B paid')]);
  });
});
