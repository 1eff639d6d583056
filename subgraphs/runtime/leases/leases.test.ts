import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createLeases } from './leases.ts';

const TTL_MS = 1_000;

describe('leases', () => {
  let store: Database;
  let now = new Date('2026-11-21T08:00:00.000Z');
  const leases = () => createLeases({ connection: store.connection, clock: () => now });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };

  beforeAll(async () => {
    store = await openTestDatabase();
    leases();
    await makeIndexes(store.connection);
  });
  afterAll(() => store.close());

  test('should give a free lease to one of many that want it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => leases().acquire('one', TTL_MS)));
    const held = answers.filter((answer) => answer !== null);
    expect(held).toHaveLength(1);
    expect(held[0]).toMatchObject({ name: 'one', term: 1, until: new Date(now.getTime() + TTL_MS) });
  });

  test('should be held by the process that got it, also when several want it as it becomes free', async () => {
    for (let round = 1; round <= 30; round += 1) {
      const held = (await leases().acquire('freed', TTL_MS))!;
      const [, ...answers] = await Promise.all([
        leases().release(held),
        ...Array.from({ length: 4 }, () => leases().acquire('freed', TTL_MS)),
      ]);
      const [next, ...others] = answers.filter((answer) => answer !== null);
      expect([round, others]).toEqual([round, []]);
      await leases().release((next ?? (await leases().acquire('freed', TTL_MS)))!);
    }
  });

  test('should keep names apart', async () => {
    expect(await leases().acquire('left', TTL_MS)).not.toBeNull();
    expect(await leases().acquire('right', TTL_MS)).not.toBeNull();
  });

  test('should not give a held lease before its time is over, then give it with a greater term', async () => {
    const first = await leases().acquire('timed', TTL_MS);
    pass(TTL_MS - 1);
    expect(await leases().acquire('timed', TTL_MS)).toBeNull();
    pass(1);
    const second = await leases().acquire('timed', TTL_MS);
    expect(second?.term).toBe(first!.term + 1);
    expect(second?.token).not.toBe(first!.token);
  });

  test('should renew for the holder with the same term, also late when nobody came', async () => {
    const lease = (await leases().acquire('renewed', TTL_MS))!;
    pass(5 * TTL_MS);
    const renewed = await leases().renew(lease, TTL_MS);
    expect(renewed).toEqual({ ...lease, until: new Date(now.getTime() + TTL_MS) });
    expect(await leases().acquire('renewed', TTL_MS)).toBeNull();
  });

  test('should not renew a lease that another owner took, and not end it on release', async () => {
    const stale = (await leases().acquire('lost', TTL_MS))!;
    pass(TTL_MS);
    const held = (await leases().acquire('lost', TTL_MS))!;
    expect(await leases().renew(stale, TTL_MS)).toBeNull();
    await leases().release(stale);
    expect(await leases().renew(held, TTL_MS)).toMatchObject({ term: held.term });
  });

  test('should be free at once after release, and grow the term', async () => {
    const lease = (await leases().acquire('given back', TTL_MS))!;
    await leases().release(lease);
    expect(await leases().renew(lease, TTL_MS)).toBeNull();
    expect((await leases().acquire('given back', TTL_MS))?.term).toBe(lease.term + 1);
  });

  test('should take nothing and keep nothing while the clock of the machine is wrong', async () => {
    const held = (await leases().acquire('kept', TTL_MS))!;
    const wrong = createLeases({ connection: store.connection, clock: () => now, isClockRight: () => false });
    expect([await wrong.acquire('never', TTL_MS), await wrong.renew(held, TTL_MS)]).toEqual([null, null]);
    expect((await leases().acquire('never', TTL_MS))?.term).toBe(1);
  });

  test('should give a lease that a clock has taken which was an hour ahead', async () => {
    pass(3_600_000);
    const ahead = (await leases().acquire('ahead', TTL_MS))!;
    pass(-3_600_000);
    expect((await leases().acquire('ahead', TTL_MS))?.term).toBe(ahead.term + 1);
  });

  test('should throw when the store is gone', async () => {
    const gone = await openTestDatabase();
    await gone.close();
    await expect(createLeases({ connection: gone.connection }).acquire('any', TTL_MS)).rejects.toThrow();
  });
});
