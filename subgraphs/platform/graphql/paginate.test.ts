import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Model, Schema } from 'mongoose';
import { openTestStore } from '../store/testing.ts';
import type { Store } from '../store/types.ts';
import { type Page, paginate } from './paginate.ts';

interface Item {
  _id: string;
  tenantId: string;
  createdAt: Date;
}

let store: Store;
let model: Model<Item>;

beforeAll(async () => {
  store = await openTestStore();
  model = store.connection.model<Item>(
    'Item',
    new Schema<Item>({ _id: String, tenantId: String, createdAt: Date }),
  );
  // Pairs share their time, so that the id has to break ties.
  const items = Array.from({ length: 25 }, (_, index) => ({
    _id: `i${String(index).padStart(2, '0')}`,
    tenantId: 'acme',
    createdAt: new Date(1_000 * Math.floor(index / 2)),
  }));
  await model.insertMany([...items, { _id: 'other', tenantId: 'globex', createdAt: new Date(99_000) }]);
});
afterAll(() => store.close());

const list = (page: Page) => paginate(model, { tenantId: 'acme' }, page, (item) => item._id);
const NEWEST_FIRST = Array.from({ length: 25 }, (_, index) => `i${String(24 - index).padStart(2, '0')}`);

describe('paginate', () => {
  test('walks forward through everything once', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof list>> = await list({ first: 7, after });
      seen.push(...page.nodes);
      if (!page.pageInfo.hasNextPage) {
        break;
      }
      after = page.pageInfo.endCursor;
    }
    expect(seen).toEqual(NEWEST_FIRST);
  });

  test('walks backward through everything once', async () => {
    const seen: string[] = [];
    let before: string | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof list>> = await list({ last: 7, before });
      seen.unshift(...page.nodes);
      if (!page.pageInfo.hasPreviousPage) {
        break;
      }
      before = page.pageInfo.startCursor;
    }
    expect(seen).toEqual(NEWEST_FIRST);
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
  ])('refuses %p with %s', async (page, code) => {
    await expect(list(page)).rejects.toMatchObject({ extensions: { code } });
  });
});
