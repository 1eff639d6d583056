import { describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import { BACKLOG, type BacklogsDeps, createBacklogs, type LimitedDelivery, SCAN } from './backlogs.ts';
import { createDeliveryLimiter } from './claim.ts';

type Due = Awaited<ReturnType<BacklogsDeps['find']>>[number];

/** Deliveries of an endpoint, all due; the first is the longest due. */
function due(endpoint: string, count: number, fields: Partial<Due> = {}): Due[] {
  return Array.from({ length: count }, (_, index) => ({
    _id: `${endpoint}-${index}`,
    accountId: `tenant of ${endpoint}/sandbox` as const,
    endpoint,
    attempt: 0,
    nextAttemptAt: new Date(index),
    ...fields,
  }));
}

/** Backlogs over deliveries in memory. Claimed deliveries are no longer due. */
function harness(queue: Due[], perEndpoint: (item: Pick<LimitedDelivery, 'endpoint' | 'attempt'>) => number) {
  const time = { now: 0 };
  const reads: { endpoint: unknown; rows: number }[] = [];
  const claimed = new Set<Due>();
  const limiter = createDeliveryLimiter({ total: 256, perTenant: 64, perEndpoint });
  const backlogs = createBacklogs({
    find: async ({ endpoint, attempt }, limit, sort) => {
      const { $gt } = (typeof endpoint === 'object' ? endpoint : {}) as { $gt?: string };
      const found = queue
        .filter((one) => !claimed.has(one))
        .filter((one) => ($gt === undefined ? one.endpoint === endpoint : one.endpoint > $gt))
        .filter((one) => attempt === undefined || (attempt as { $in: number[] }).$in.includes(one.attempt))
        .sort((one, other) =>
          'endpoint' in sort && one.endpoint !== other.endpoint
            ? one.endpoint.localeCompare(other.endpoint)
            : one.nextAttemptAt.getTime() - other.nextAttemptAt.getTime(),
        )
        .slice(0, limit);
      reads.push({ endpoint, rows: found.length });
      return found;
    },
    limiter,
    most: perEndpoint,
    clock: () => new Date(time.now),
    random: () => 0.5,
  });
  const claim = (taken: readonly Due[]) => {
    for (const one of taken) {
      claimed.add(one);
    }
    return taken;
  };
  const take = async (partition: number) =>
    claim((await backlogs.take(partition)).taken).map(({ _id }) => _id);
  const end = (...ids: string[]) => {
    for (const id of ids) {
      const endpoint = id.replace(/-.*/, '');
      limiter.release({ endpoint, accountId: `tenant of ${endpoint}/sandbox` as const, attempt: 0 });
    }
  };
  return { backlogs, limiter, reads, take, end, time };
}

const numbers = (ids: readonly string[]) => ids.map((id) => Number(id.replace(/.*-/, '')));

describe('the due deliveries, by endpoint', () => {
  test('a backlog of one endpoint costs the scan one page, and the others get their turn', async () => {
    const { take, reads } = harness([...due('b', 50_000), ...due('a', 2), ...due('c', 3)], () => 5);
    const taken = await take(SCAN);
    expect(taken.toSorted()).toEqual(['a-0', 'a-1', 'b-0', 'b-1', 'b-2', 'b-3', 'b-4']);
    expect(await take(SCAN)).toEqual(['c-0', 'c-1', 'c-2']);
    expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(300);
  });

  test('without room nothing is read, however often it is looked for', async () => {
    const { take, reads, backlogs } = harness(due('a', 5_000), () => 5);
    await take(SCAN);
    const before = reads.length;
    for (let i = 0; i < 50; i += 1) {
      expect(await backlogs.take(BACKLOG)).toEqual({ taken: [], more: true });
    }
    expect(reads).toHaveLength(before);
  });

  test('a backlog is claimed from in large batches, longest due first, and read in few pages', async () => {
    const { take, reads, end } = harness(due('a', 3_000), () => 48);
    let running = await take(SCAN);
    let claims = 1;
    const order = [...running];
    while (order.length < 3_000) {
      end(running.pop() ?? '');
      const taken = await take(BACKLOG);
      claims += taken.length > 0 ? 1 : 0;
      running = [...running, ...taken];
      order.push(...taken);
    }
    expect(numbers(order)).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
    expect(claims / 3_000).toBeLessThan(0.1);
    expect(reads.length).toBeLessThan(8);
  });

  test('a large backlog is read in few pages, which grow as they are used up, and are small again when they were not', async () => {
    const { take, reads, end } = harness(due('a', 30_000), () => 48);
    end(...(await take(SCAN)));
    let taken = await take(BACKLOG);
    while (taken.length > 0) {
      end(...taken);
      taken = await take(BACKLOG);
    }
    expect(Math.max(...reads.map(({ rows }) => rows))).toBe(8_192);
    expect(reads.length).toBeLessThan(10);
    const unused = harness(due('b', 30_000), () => 5);
    unused.end(...(await unused.take(SCAN)));
    for (let read = 0; read < 5; read += 1) {
      unused.time.now += 30_001;
      unused.end(...(await unused.take(BACKLOG)));
    }
    expect(Math.max(...unused.reads.map(({ rows }) => rows))).toBe(256);
  });

  test('no slot is lost: when all is done, all of them are free', async () => {
    const { take, end, limiter } = harness([...due('a', 900), ...due('b', 7)], () => 5);
    const done = new Set<string>();
    let running = await take(SCAN);
    while (running.length > 0) {
      for (const id of running) {
        expect(done.has(id)).toBe(false);
        done.add(id);
      }
      end(...running);
      running = [...(await take(BACKLOG)), ...(await take(SCAN))];
    }
    expect(done.size).toBe(907);
    expect(limiter.free()).toBe(256);
  });

  test('endpoints of one tenant take turns', async () => {
    const accountId: AccountId = 'acme/sandbox';
    const queue = ['a', 'b', 'c'].flatMap((endpoint) => due(endpoint, 200, { accountId }));
    const { take, limiter } = harness(queue, () => 48);
    const first = await take(SCAN);
    expect(first).toHaveLength(64);
    for (const id of first.slice(0, 48)) {
      limiter.release({ endpoint: id.replace(/-.*/, ''), accountId, attempt: 0 });
    }
    const next = await take(BACKLOG);
    const from = (endpoint: string) => next.filter((id) => id.startsWith(endpoint)).length;
    expect(from('b')).toBe(32);
    expect(from('a')).toBe(16);
  });

  test('while new deliveries of an endpoint are kept, those that were tried before are found behind a page of them', async () => {
    const tried = due('a', 3, { attempt: 1, nextAttemptAt: new Date(5_000) }).map((one) => ({
      ...one,
      _id: `${one._id}r`,
    }));
    const { take } = harness([...due('a', 1_000), ...tried], ({ attempt }) => (attempt === 0 ? 0 : 5));
    expect(await take(SCAN)).toEqual([]);
    expect(await take(BACKLOG)).toEqual(['a-0r', 'a-1r', 'a-2r']);
  });

  test('a paused endpoint is read of by sweeps only, and is expected again at its resume', async () => {
    let isPaused = true;
    const { take, backlogs, reads } = harness(due('a', 500), () => (isPaused ? 0 : 5));
    expect(await take(SCAN)).toEqual([]);
    const before = reads.length;
    expect(await backlogs.take(BACKLOG)).toEqual({ taken: [], more: false });
    expect(backlogs.defer(due('a', 1))).toEqual([]);
    expect(reads).toHaveLength(before);
    isPaused = false;
    backlogs.expect({ endpoint: 'a', accountId: 'tenant of a/sandbox' });
    expect(numbers(await take(BACKLOG))).toEqual([0, 1, 2, 3, 4]);
  });

  test('a process that loses a claim to another one reads again, and begins elsewhere', async () => {
    const { take, backlogs, end } = harness(due('a', 2_000), () => 5);
    const taken = await take(SCAN);
    end(...taken);
    backlogs.lost?.(due('a', 5));
    expect(numbers(await take(BACKLOG))[0]).toBe(133);
  });

  test('a queue that was read too long ago is read again', async () => {
    const { take, reads, end, time } = harness(due('a', 2_000), () => 5);
    end(...(await take(SCAN)));
    end(...(await take(BACKLOG)));
    const before = reads.length;
    time.now = 30_001;
    end(...(await take(BACKLOG)));
    expect(reads).toHaveLength(before + 1);
  });
});
