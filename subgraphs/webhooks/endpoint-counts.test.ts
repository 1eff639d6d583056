import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { openTestDatabase } from '../../test/support/test-database.ts';
import type { Database } from '../kernel/database/open-database.ts';
import { type CountedAttempt, createEndpointCounts, type EndpointCounts } from './endpoint-counts.ts';
import {
  createEndpointStateModel,
  type EndpointStateModel,
  hourOf,
  minuteOf,
  WINDOW_HOURS,
  WINDOW_MINUTES,
} from './endpoint-state.ts';

const NOW = new Date('2026-11-22T08:00:00.000Z');

let database: Database;
let states: EndpointStateModel;
let counts: EndpointCounts;
beforeAll(async () => {
  database = await openTestDatabase();
  states = createEndpointStateModel(database.connection);
  await states.createCollection();
});
beforeEach(async () => {
  await states.deleteMany({});
  counts = createEndpointCounts(states, () => NOW);
});
afterAll(() => database.close());

const attempt = (endpoint: string, outcome: CountedAttempt['outcome'] = 'delivered'): CountedAttempt => ({
  ...{ endpoint, accountId: 'acme/sandbox', outcome, isFirst: true, at: NOW, ms: 5 },
});

/** Attempts that the database counts for each endpoint. */
async function counted(): Promise<Record<string, number>> {
  const stored = await states.find().sort({ _id: 1 }).lean();
  return Object.fromEntries(
    stored.map(({ _id, minutes }) => [_id, minutes?.[minuteOf(NOW)]?.outcomes?.delivered ?? 0]),
  );
}

/** The next write is rejected for the endpoint at a place; those beside it are written. */
function rejectOne(place: number): void {
  const { collection } = states;
  const { bulkWrite } = collection;
  collection.bulkWrite = async (operations, options) => {
    collection.bulkWrite = bulkWrite;
    await collection.bulkWrite(operations.toSpliced(place, 1), options);
    const writeErrors = [{ index: place, code: 112, errmsg: 'WriteConflict' }] as mongo.WriteError[];
    throw new mongo.MongoBulkWriteError({ message: 'WriteConflict', code: 112, writeErrors }, {} as never);
  };
}

test('attempts are counted by endpoint, and failing endpoints are returned', async () => {
  counts.add(attempt('a'));
  counts.add(attempt('a'));
  counts.add(attempt('b', 'http_status'));
  const failing = await counts.write();
  expect(failing.map(({ _id }) => _id)).toEqual(['b']);
  expect(await counted()).toEqual({ a: 2, b: 0 });
});

test('a conflict over one endpoint keeps its counts for the next time, and counts the others once', async () => {
  for (const endpoint of ['a', 'b', 'c']) {
    counts.add(attempt(endpoint));
  }
  rejectOne(1);
  await counts.write();
  expect(await counted()).toEqual({ a: 1, c: 1 });
  counts.add(attempt('b'));
  await counts.write();
  expect(await counted()).toEqual({ a: 1, b: 2, c: 1 });
});

test('two processes that store the first counts of an endpoint at once lose nothing', async () => {
  const other = createEndpointCounts(states, () => NOW);
  counts.add(attempt('a'));
  other.add(attempt('a'));
  await Promise.all([counts.write(), other.write()]);
  await Promise.all([counts.write(), other.write()]);
  expect(await counted()).toEqual({ a: 2 });
});

test('a database that does not answer loses no counts', async () => {
  counts.add(attempt('a'));
  const { collection } = states;
  const { bulkWrite } = collection;
  collection.bulkWrite = () => {
    collection.bulkWrite = bulkWrite;
    return Promise.reject(new mongo.MongoNetworkError('away'));
  };
  await expect(counts.write()).rejects.toThrow('away');
  await counts.write();
  expect(await counted()).toEqual({ a: 1 });
});

test('counts of before a long outage are left out, and no field is named twice in an update', async () => {
  let now = NOW;
  counts = createEndpointCounts(states, () => now);
  counts.add(attempt('a'));
  await counts.write();
  counts.add(attempt('a'));
  // The database was away for longer than the counts are kept.
  now = new Date(NOW.getTime() + (WINDOW_MINUTES + 1) * 60_000);
  counts.add({ ...attempt('a'), at: now });
  const { collection } = states;
  const sent = jest.spyOn(collection, 'bulkWrite');
  await counts.write();
  const updates = sent.mock.calls.flatMap(([operations]) => JSON.parse(JSON.stringify(operations)));
  sent.mockRestore();
  expect(updates).toHaveLength(1);
  const { $inc, $unset } = updates[0].updateOne.update;
  const minute = `minutes.${minuteOf(now)}`;
  const minutes = Object.keys($inc).filter((path) => path.startsWith('minutes.'));
  expect(minutes.length).toBeGreaterThan(0);
  expect(minutes.every((path) => path.startsWith(`${minute}.`))).toBe(true);
  expect(Object.keys($unset)).toEqual([`minutes.${minuteOf(NOW)}`]);
  const stored = await states.findById('a').lean();
  expect(Object.keys(stored?.minutes ?? {})).toEqual([String(minuteOf(now))]);
  counts.add({ ...attempt('a'), at: NOW });
  await counts.write();
  expect(Object.keys((await states.findById('a').lean())?.minutes ?? {})).toEqual([String(minuteOf(now))]);
});

test('attempts are counted by hour too, for a day', async () => {
  let now = NOW;
  counts = createEndpointCounts(states, () => now);
  const hoursOf = async () => (await states.findById('a').lean())?.hours;
  counts.add(attempt('a'));
  counts.add({ ...attempt('a', 'timeout'), ms: 40_000 });
  await counts.write();
  const first = { [hourOf(NOW)]: { delivered: 1, failed: 1, latency: { 0: 1, 11: 1 } } };
  expect(await hoursOf()).toEqual(first);
  now = new Date(NOW.getTime() + WINDOW_HOURS * 3_600_000);
  counts.add({ ...attempt('a'), at: now });
  await counts.write();
  expect(await hoursOf()).toEqual({ ...first, [hourOf(now)]: { delivered: 1, latency: { 0: 1 } } });
  now = new Date(now.getTime() + 3_600_000);
  counts.add({ ...attempt('a'), at: now });
  await counts.write();
  expect(Object.keys((await hoursOf()) ?? {})).toEqual([hourOf(now) - 1, hourOf(now)].map(String));
});
