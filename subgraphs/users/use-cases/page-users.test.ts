import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries, type StoreQuery } from '../../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { acme, type Bench, createBench, globex, START } from '../testing.ts';
import type { UserPageQuery } from './page-users.ts';

let store: Database;
let bench: Bench;
let queries: readonly StoreQuery[];
/** In the order in which they were made, a minute apart. */
const ids: string[] = [];

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
  for (const index of [0, 1, 2, 3, 4, 5]) {
    bench.now = new Date(START.getTime() + index * 60_000);
    ids.push(await bench.newUser());
  }
  await bench.newUser({}, globex);
  const users = store.connection.collection<{ _id: string }>('users');
  const set = (index: number, change: object) => users.updateOne({ _id: ids[index] ?? '' }, { $set: change });
  await set(1, { cipStatus: 'verified', referenceId: 'r-1' });
  await set(2, { cipStatus: 'failed' });
  await set(3, { cipStatus: 'verified' });
  await bench.service.block(acme, ids[2] ?? '', {});
  await bench.service.block(acme, ids[3] ?? '', {});
  queries = recordQueries(store.connection);
});
afterAll(() => store.close());

async function page(query: UserPageQuery, by = acme) {
  const found = await bench.service.page(by, query);
  if (!found.ok) {
    return found.failures.map(({ code, path, message }) => `${code} ${path?.join('.')} ${message}`);
  }
  const { items, ...rest } = found.value;
  return { ...rest, numbers: items.map(({ userId }) => ids.indexOf(userId)) };
}

const whole = { page: 1, limit: 20, total: 6, totalPages: 1 };
const all = [5, 4, 3, 2, 1, 0];

describe('users by page', () => {
  test.each<[UserPageQuery, object]>([
    [{}, { ...whole, numbers: all }],
    [
      { page: null, limit: undefined, cipStatus: null, blocked: null, referenceId: null },
      { ...whole, numbers: all },
    ],
    [{ limit: '1' }, { ...whole, limit: 1, totalPages: 6, numbers: [5] }],
    [{ limit: '100' }, { ...whole, limit: 100, numbers: all }],
    [
      { limit: '4', page: '2' },
      { page: 2, limit: 4, total: 6, totalPages: 2, numbers: [1, 0] },
    ],
    [
      { limit: '3', page: '3' },
      { page: 3, limit: 3, total: 6, totalPages: 2, numbers: [] },
    ],
    [{ page: '999999999999999' }, { ...whole, page: 999_999_999_999_999, numbers: [] }],
    [{ page: '1'.padEnd(19, '0') }, { ...whole, page: 10 ** 18, numbers: [] }],
    [{ page: '9'.repeat(400) }, { ...whole, page: Number.MAX_VALUE, numbers: [] }],
    [{ cipStatus: 'verified' }, { ...whole, total: 2, numbers: [3, 1] }],
    [{ cipStatus: 'pending' }, { numbers: [5, 4, 0] }],
    [{ cipStatus: 'failed' }, { numbers: [2] }],
    [{ blocked: 'true' }, { total: 2, numbers: [3, 2] }],
    [{ blocked: 'false' }, { total: 4, numbers: [5, 4, 1, 0] }],
    [
      { blocked: 'true', cipStatus: 'verified' },
      { total: 1, numbers: [3] },
    ],
    [
      { blocked: 'false', cipStatus: 'verified', limit: '1', page: '2' },
      { total: 1, numbers: [] },
    ],
    [{ referenceId: 'r-1' }, { total: 1, numbers: [1] }],
    [
      { referenceId: 'r-1', cipStatus: 'failed' },
      { ...whole, total: 0, totalPages: 0, numbers: [] },
    ],
    [{ referenceId: 'r-9' }, { total: 0, totalPages: 0, numbers: [] }],
    [{ createdFrom: '2026-11-21T08:02:00Z' }, { total: 4, numbers: [5, 4, 3, 2] }],
    [{ createdFrom: '2026-11-21T08:02:00.000000Z' }, { total: 4, numbers: [5, 4, 3, 2] }],
    [{ createdFrom: '2026-11-21T08:02:00.000001Z' }, { total: 3, numbers: [5, 4, 3] }],
    [{ createdTo: '2026-11-21T08:02:00.000Z', cipStatus: 'verified' }, { numbers: [1] }],
    [{ createdTo: '2026-11-21T08:01:59.999999Z' }, { total: 2, numbers: [1, 0] }],
    [{ createdTo: '2026-11-21T08:02:00.000999Z' }, { total: 3, numbers: [2, 1, 0] }],
    [{ createdFrom: '2026-11-21T08:03:00Z', createdTo: '2026-11-21', blocked: 'true' }, { numbers: [3] }],
    [
      { createdFrom: '2026-11-21', createdTo: '2026-11-21', blocked: 'false', cipStatus: 'pending' },
      { numbers: [5, 4, 0] },
    ],
    [{ createdFrom: '2026-11-22' }, { total: 0, numbers: [] }],
  ])('the page of %j', async (query, expected) => {
    expect(await page(query)).toMatchObject(expected);
  });

  test.each<[UserPageQuery, string]>([
    [{ page: '0' }, 'page must be an integer of at least 1'],
    [{ limit: '101' }, 'limit must be an integer of 1 to 100'],
    [{ limit: '0' }, 'limit must be an integer of 1 to 100'],
    [{ createdFrom: 'yesterday' }, 'createdFrom must be an ISO 8601 date or date-time'],
    [{ createdTo: '2026-13-01' }, 'createdTo must be an ISO 8601 date or date-time'],
    [{ cipStatus: 'VERIFIED' }, 'cipStatus must be one of pending, verified, failed'],
    [{ cipStatus: '' }, 'cipStatus must be one of pending, verified, failed'],
    [{ blocked: 'yes' }, 'blocked must be one of true, false'],
    [{ blocked: 'True' }, 'blocked must be one of true, false'],
    [{ referenceId: '' }, 'referenceId must not be empty'],
    [{ referenceId: 'r'.repeat(256) }, 'referenceId must have at most 255 characters'],
  ])('fails for %j', async (query, issue) => {
    expect(await page(query)).toEqual([`INVALID_REQUEST ${issue}`]);
  });

  test('names every bad value', async () => {
    expect(await page({ page: 'x', limit: 'x', createdTo: 'x', cipStatus: 'x', blocked: 'x' })).toHaveLength(
      5,
    );
  });

  test("has nothing of another partner's", async () => {
    expect(await page({ referenceId: 'r-1' }, globex)).toMatchObject({ total: 0, numbers: [] });
    expect(await page({}, globex)).toMatchObject({ total: 1, numbers: [-1] });
  });

  test('over the graph', async () => {
    const query = `query ($limit: String, $blocked: String) { userPage(limit: $limit, blocked: $blocked) {
      items { id blocked } page limit total totalPages userErrors { code path }
    } }`;
    expect(await bench.execute(query, { limit: '1', blocked: 'true' })).toEqual({
      data: {
        userPage: {
          items: [{ id: ids[3], blocked: true }],
          page: 1,
          limit: 1,
          total: 2,
          totalPages: 2,
          userErrors: [],
        },
      },
    });
    expect(await bench.execute(query, { limit: '0' })).toMatchObject({
      data: {
        userPage: { items: [], total: 0, userErrors: [{ code: 'INVALID_REQUEST', path: ['limit'] }] },
      },
    });
  });
});

test('a declared index serves every query, filter and sort together', () => {
  const onUsers = queries.filter(({ collection }) => collection === 'users');
  expect(onUsers.length).toBeGreaterThan(40);
  expect(findUnserved(store.connection, onUsers)).toEqual([]);
});
