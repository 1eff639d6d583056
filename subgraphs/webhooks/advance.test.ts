import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import { advanceWebhooks } from './advance.ts';
import { NOT_DUE } from './model.ts';
import { openTestBench, type TestBench, testDelivery } from './testing-engine.ts';

let bench: TestBench;

beforeAll(async () => {
  bench = await openTestBench();
});
afterAll(() => bench.close());

const NOW = new Date('2026-11-23T08:00:00.000Z');
const inMs = (ms: number) => new Date(NOW.getTime() + ms);

test("brings an account's next attempts and probes nearer, at most to the present", async () => {
  const engine = bench.start();
  const given = [
    { nextAttemptAt: inMs(5_000) },
    { nextAttemptAt: inMs(60_000) },
    { nextAttemptAt: inMs(-1_000) },
    { nextAttemptAt: inMs(60_000), leaseToken: 'another worker' },
    { nextAttemptAt: NOT_DUE, after: 'another delivery' },
    { nextAttemptAt: inMs(60_000), status: 'DEAD_LETTERED' as const },
    { nextAttemptAt: inMs(60_000), accountId: 'acme/live' as const },
  ];
  const ids = await bench.enqueue(engine, ...given.map(() => testDelivery('https://127.0.0.1:1/hook')));
  await engine.worker.stop();
  for (const [index, fields] of given.entries()) {
    await bench.models.deliveries.updateOne({ _id: String(ids[index]) }, { $set: fields });
  }
  const breaker = { state: 'OPEN', since: NOW, failedProbes: 1 } as const;
  await bench.models.endpointStates.insertMany([
    {
      _id: 'failing',
      accountId: 'acme/sandbox',
      holds: ['BREAKER'],
      breaker: { ...breaker, probeAt: inMs(90_000) },
    },
    {
      _id: 'live',
      accountId: 'acme/live',
      holds: ['BREAKER'],
      breaker: { ...breaker, probeAt: inMs(90_000) },
    },
  ]);
  const { connection } = bench.store;
  const queries = recordQueries(connection);
  await createTransactions(connection)((unit) =>
    advanceWebhooks({ models: bench.models, clock: () => NOW }, 'acme/sandbox', 30_000, unit),
  );
  expect(findUnserved(connection, queries)).toEqual([]);
  const times = await Promise.all(ids.map(async (id) => (await bench.stored(id)).nextAttemptAt));
  const same = given.slice(2).map(({ nextAttemptAt }) => nextAttemptAt);
  expect(times).toEqual([NOW, inMs(30_000), ...same]);
  const states = await bench.models.endpointStates.find().sort({ _id: 1 }).lean();
  expect(states.map(({ breaker: { probeAt } }) => probeAt)).toEqual([inMs(60_000), inMs(90_000)]);
});
