import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Model, Schema } from 'mongoose';
import { openTestDatabase } from '../../test/support/test-database.ts';
import type { AccountId } from '../kernel/account.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { type Order, type Page, paginate } from './paginate.ts';

interface Item {
  _id: string;
  accountId: AccountId;
  createdAt: Date;
  updatedAt: Date;
}

let store: Database;
let model: Model<Item>;

beforeAll(async () => {
  store = await openTestDatabase();
  const schema = new Schema<Item>({ _id: String, accountId: String, createdAt: Date, updatedAt: Date });
  schema.index({ accountId: 1, createdAt: -1, _id: -1 });
  schema.index({ accountId: 1, updatedAt: -1, _id: -1 });
  model = store.connection.model<Item>('Item', schema);
  await makeIndexes(store.connection);
  // Pairs share their time, so that the id has to break ties.
  const items = Array.from({ length: 25 }, (_, index) => ({
    _id: `i${String(index).padStart(2, '0')}`,
    accountId: 'acme/sandbox',
    createdAt: new Date(1_000 * Math.floor(index / 2)),
    // Another order than that of creation.
    updatedAt: new Date(1_000 * ((index * 7) % 5)),
  }));
  await model.insertMany([
    ...items,
    { _id: 'other', accountId: 'globex/sandbox', createdAt: new Date(99_000), updatedAt: new Date(0) },
  ]);
});
afterAll(() => store.close());

const list = (page: Page, order?: Order) =>
  paginate(model, { accountId: 'acme/sandbox' }, page, (item) => item._id, order);

async function inOrder({ field, direction }: Order): Promise<string[]> {
  const items = await model.find({ accountId: 'acme/sandbox' }).lean();
  const sign = direction === 'asc' ? 1 : -1;
  return items
    .sort((a, b) => sign * (a[field].getTime() - b[field].getTime() || (a._id < b._id ? -1 : 1)))
    .map(({ _id }) => _id);
}

const ORDERS: (Order | undefined)[] = [
  undefined,
  { field: 'createdAt', direction: 'asc' },
  { field: 'updatedAt', direction: 'desc' },
  { field: 'updatedAt', direction: 'asc' },
];

describe('paginate', () => {
  test.each(ORDERS)('walks forward through everything once: %p', async (order) => {
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof list>> = await list({ first: 7, after }, order);
      seen.push(...page.nodes);
      if (!page.pageInfo.hasNextPage) {
        break;
      }
      after = page.pageInfo.endCursor;
    }
    expect(seen).toEqual(await inOrder(order ?? { field: 'createdAt', direction: 'desc' }));
  });

  test.each(ORDERS)('walks backward through everything once: %p', async (order) => {
    const seen: string[] = [];
    let before: string | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof list>> = await list({ last: 7, before }, order);
      seen.unshift(...page.nodes);
      if (!page.pageInfo.hasPreviousPage) {
        break;
      }
      before = page.pageInfo.startCursor;
    }
    expect(seen).toEqual(await inOrder(order ?? { field: 'createdAt', direction: 'desc' }));
  });

  test('a page between two cursors has the records between them', async () => {
    const { edges, nodes } = await list({ first: 10 });
    const between = await list({ after: edges[2]?.cursor ?? null, before: edges[7]?.cursor ?? null });
    expect(between.nodes).toEqual(nodes.slice(3, 7));
  });

  test('rejects a cursor of another order', async () => {
    const { edges } = await list({ first: 1 });
    const after = edges[0]?.cursor ?? null;
    await expect(list({ after }, { field: 'updatedAt', direction: 'desc' })).rejects.toMatchObject({
      extensions: { code: 'INVALID_CURSOR' },
    });
  });

  test('has 20 by default and counts the tenant alone', async () => {
    const page = await list({});
    expect(page.nodes).toHaveLength(20);
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(await page.count()).toBe(25);
  });

  test.each<[Page, string]>([
    [{ first: 0 }, 'BAD_USER_INPUT'],
    [{ first: 101 }, 'BAD_USER_INPUT'],
    [{ last: -1 }, 'BAD_USER_INPUT'],
    [{ first: 1, last: 1 }, 'BAD_USER_INPUT'],
    [{ after: 'nonsense' }, 'INVALID_CURSOR'],
    [{ before: '' }, 'INVALID_CURSOR'],
  ])('rejects %p with %s', async (page, code) => {
    await expect(list(page)).rejects.toMatchObject({ extensions: { code } });
  });
});
