import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createRateLimiter, type RateLimit } from './rate-limiter.ts';
import { createUsageReader } from './usage.ts';

const WINDOW_MS = 60_000;

/** A connection as another process has it. */
function connect({ uri, connection }: Database): Promise<Connection> {
  return mongoose
    .createConnection(uri, { dbName: connection.name, autoCreate: false, autoIndex: false })
    .asPromise();
}

describe('rate limits', () => {
  let store: Database;
  // A full minute that is still to come: what has run out by its own clock, the store may remove.
  let now = Math.ceil(Date.now() / WINDOW_MS) * WINDOW_MS + 24 * 60 * WINDOW_MS;
  const limiter = () => createRateLimiter({ connection: store.connection, clock: () => new Date(now) });
  const limitOf = (name: string, limit: number): RateLimit => ({ name, limit, windowSeconds: 60 });

  beforeAll(async () => {
    store = await openTestDatabase();
    limiter();
    await makeIndexes(store.connection);
  });
  afterAll(() => store.close());

  test('should not count calls of a clock that was an hour ahead', async () => {
    const limit = limitOf('ahead', 2);
    now += 60 * WINDOW_MS;
    expect((await limiter().take(limit, 'key')).allowed).toBe(true);
    expect((await limiter().take(limit, 'key')).allowed).toBe(true);
    now -= 60 * WINDOW_MS;
    expect((await limiter().take(limit, 'key')).allowed).toBe(true);
  });

  test('should show the calls of the window, without those of a clock that was an hour ahead', async () => {
    const limit = limitOf('shown', 100);
    const read = createUsageReader(store.connection);
    const calls = async () => (await read([{ limit, caller: 'key' }], new Date(now))).map((use) => use.calls);
    expect(await calls()).toEqual([]);
    await limiter().take(limit, 'key');
    await limiter().take(limit, 'key');
    expect(await calls()).toEqual([2]);
    now += 2 * WINDOW_MS;
    expect(await calls()).toEqual([0]);
    now += 60 * WINDOW_MS;
    await limiter().take(limit, 'key');
    now -= 60 * WINDOW_MS;
    expect(await calls()).toEqual([0]);
  });

  test('should reject the 31st call in 60 seconds, in any process, and say when to retry', async () => {
    const limit = limitOf('thirty', 30);
    const processes = [limiter(), limiter(), limiter()];
    const verdicts = [];
    for (let call = 0; call < 33; call += 1) {
      verdicts.push(await processes[call % 3]!.take(limit, 'key'));
      now += 1_000;
    }
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([
      ...Array.from({ length: 30 }, () => true),
      false,
      false,
      false,
    ]);
    expect(verdicts[30]).toEqual({ allowed: false, retryAfterSeconds: 30 });
    now += WINDOW_MS - 33_000 + 1;
    expect([await processes[0]!.take(limit, 'key'), await processes[1]!.take(limit, 'key')]).toEqual([
      { allowed: true, remaining: 0, resetSeconds: 1 },
      { allowed: false, retryAfterSeconds: 1 },
    ]);
  });

  test('should say exactly what is left of a small limit, in any process', async () => {
    const limit = limitOf('left', 3);
    const processes = [limiter(), limiter()];
    const verdicts = [];
    for (let call = 0; call < 3; call += 1) {
      verdicts.push(await processes[call % 2]!.take(limit, 'key'));
      now += 10_500;
    }
    expect(verdicts).toEqual([
      { allowed: true, remaining: 2, resetSeconds: 60 },
      { allowed: true, remaining: 1, resetSeconds: 50 },
      { allowed: true, remaining: 0, resetSeconds: 39 },
    ]);
    expect(await processes[1]!.take(limit, 'key')).toEqual({ allowed: false, retryAfterSeconds: 29 });
  });

  test('should count a large limit down with each call of one process', async () => {
    const one = limiter();
    const verdicts = [];
    for (let call = 0; call < 30; call += 1) {
      verdicts.push(await one.take(limitOf('counted down', 5_000), 'key'));
    }
    expect(verdicts).toEqual(
      verdicts.map((_, call) => ({ allowed: true, remaining: 4_999 - call, resetSeconds: 60 })),
    );
  });

  test('should apply a changed limit at once, to callers that it rejected and to those that it let be', async () => {
    const one = limiter();
    const take = async (limit: number) => one.take(limitOf('changed', limit), 'key');
    await take(1);
    expect([await take(1), await take(3)]).toEqual([
      { allowed: false, retryAfterSeconds: 60 },
      { allowed: true, remaining: 1, resetSeconds: 60 },
    ]);
    // Above 250, a process has more than one call from each grant.
    await take(1_000);
    expect(await take(2)).toEqual({ allowed: false, retryAfterSeconds: 60 });
  });

  test('should give each caller and each limit its own', async () => {
    const one = limiter();
    const verdicts = [
      await one.take(limitOf('single', 1), 'a'),
      await one.take(limitOf('single', 1), 'b'),
      await one.take(limitOf('other', 1), 'a'),
      await one.take(limitOf('single', 1), 'a'),
    ];
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
  });

  test('should keep an exact limit when all call at once', async () => {
    const processes = Array.from({ length: 5 }, limiter);
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, call) => processes[call % 5]!.take(limitOf('at once', 20), 'key')),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(20);
  });

  test('should grant first calls that processes make at once', async () => {
    const others = await Promise.all([1, 2, 3].map(() => connect(store)));
    const processes = [store.connection, ...others].map((connection) => createRateLimiter({ connection }));
    const limit = limitOf('first calls', 4);
    for (let caller = 0; caller < 25; caller += 1) {
      const first = await Promise.all(processes.map((one) => one.take(limit, `caller ${caller}`)));
      expect(first.map(({ allowed }) => allowed)).toEqual([true, true, true, true]);
      expect((await processes[0]!.take(limit, `caller ${caller}`)).allowed).toBe(false);
    }
    await Promise.all(others.map((other) => other.close()));
  });

  test('should keep a large limit within 5 % over ten processes', async () => {
    const limit = limitOf('large', 5_000);
    const processes = Array.from({ length: 10 }, limiter);
    let allowed = 0;
    for (let call = 0; call < 6_000; call += 1) {
      allowed += (await processes[call % 10]!.take(limit, 'key')).allowed ? 1 : 0;
    }
    expect(allowed).toBeGreaterThanOrEqual(4_750);
    expect(allowed).toBeLessThanOrEqual(5_000);
  });

  test('should let a slow caller on many processes be', async () => {
    const limit = limitOf('slow', 5_000);
    const processes = Array.from({ length: 10 }, limiter);
    const verdicts = [];
    for (let call = 0; call < 300; call += 1) {
      verdicts.push(await processes[call % 10]!.take(limit, 'key'));
      now += 1_000;
    }
    expect(verdicts.every(({ allowed }) => allowed)).toBe(true);
  });

  test('should send no more commands for a rejected caller before its time', async () => {
    const limit = limitOf('rejected', 1);
    const one = limiter();
    await one.take(limit, 'key');
    await one.take(limit, 'key');
    await store.connection.collection<{ _id: string }>('rateLimits').deleteOne({ _id: 'rejected|key' });
    expect(await one.take(limit, 'key')).toEqual({ allowed: false, retryAfterSeconds: 60 });
    now += WINDOW_MS;
    expect(await one.take(limit, 'key')).toEqual({ allowed: true, remaining: 0, resetSeconds: 60 });
  });
});
