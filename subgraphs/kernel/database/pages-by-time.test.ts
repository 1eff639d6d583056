import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Model, type mongo, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { makeIndexes } from './indexes.ts';
import type { Database } from './open-database.ts';
import { pagesByTime } from './pages-by-time.ts';

interface Visit {
  readonly _id: string;
  readonly owner: string;
  readonly createdAt: Date;
  readonly updatedAt?: Date;
}

const LIMIT = 10;
const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-20T08:00:00.000Z');

let database: Database;
let visits: Model<Visit>;
let reads = 0;
/** The ids of ana's visits, in the order of their times. */
let ids: readonly string[];

/** One visit long before the others, 35 within one millisecond, 300 in 300 ms, one each hour for a day, and one a year later. */
const TIMES = [
  START - 10_000 * HOUR_MS,
  ...Array.from({ length: 35 }, () => START),
  ...Array.from({ length: 300 }, (_, index) => START + 1 + index),
  ...Array.from({ length: 24 }, (_, index) => START + (1 + index) * HOUR_MS),
  START + 8_760 * HOUR_MS,
];

beforeAll(async () => {
  database = await openTestDatabase();
  const { connection } = database;
  connection.getClient().on('commandStarted', ({ commandName }: mongo.CommandStartedEvent) => {
    reads += commandName === 'find' ? 1 : 0;
  });
  const schema = new Schema<Visit>({ _id: String, owner: String, createdAt: Date, updatedAt: Date });
  // Descending, as the product's indexes of lists are.
  schema.index({ owner: 1, createdAt: -1, _id: -1 });
  schema.index({ owner: 1, updatedAt: -1, _id: -1 });
  visits = connection.model<Visit>('Visit', schema, 'visits');
  await makeIndexes(connection);
  const made = TIMES.map((at, index) => ({
    _id: `v${String(index).padStart(4, '0')}`,
    owner: 'ana',
    createdAt: new Date(at),
    updatedAt: new Date(at + HOUR_MS),
  }));
  ids = made.map(({ _id }) => _id);
  await visits.insertMany([...made, ...made.map((one) => ({ ...one, _id: `x${one._id}`, owner: 'bob' }))]);
});
afterAll(() => database.close());

async function read(from: number, before: number, time: 'createdAt' | 'updatedAt' = 'createdAt') {
  const range = { filter: { owner: 'ana' }, time, from: new Date(from), before: new Date(before) };
  const pages: string[][] = [];
  reads = 0;
  for await (const page of pagesByTime(visits, { ...range, limit: LIMIT })) {
    pages.push(page.map(({ _id }) => _id));
  }
  return { pages, ids: pages.flat(), reads };
}

test.each(['createdAt', 'updatedAt'] as const)(
  'each document is read once, in the order of %s',
  async (time) => {
    const all = await read(0, Date.parse('2100-01-01'), time);
    expect(all.ids).toEqual(ids);
    expect(Math.max(...all.pages.map(({ length }) => length))).toBe(LIMIT);
    expect(Math.min(...all.pages.map(({ length }) => length))).toBe(1);
    // 37 full pages, and for each of the gaps reads of more and more time.
    expect(all.reads).toBeLessThan(100);
  },
);

test('a range has its first moment, and not its last', async () => {
  expect((await read(START, START + 1)).ids).toEqual(ids.slice(1, 36));
  expect((await read(START + 1, START + 4)).ids).toEqual(ids.slice(36, 39));
});

test('fewer documents than a page are one read, and so is nothing', async () => {
  expect(await read(START + HOUR_MS, START + 5 * HOUR_MS)).toMatchObject({
    pages: [ids.slice(336, 340)],
    reads: 1,
  });
  expect(await read(0, 1)).toEqual({ pages: [], ids: [], reads: 1 });
  expect(await read(START, START)).toEqual({ pages: [], ids: [], reads: 0 });
});
