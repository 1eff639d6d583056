import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { clocksAt } from '../kernel/clock/account-clock.ts';
import { createTransactions, type RunTransaction } from '../kernel/database/transaction.ts';
import type { Result } from '../kernel/errors/result.ts';
import { createLeases, type Lease, type Leases } from '../runtime/leases/leases.ts';
import { type BulkReplayDeps, createBulkReplays } from './bulk-replay.ts';
import type { DeliveryDocument } from './model.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';
import { replayParts } from './testing-replay.ts';

const HOUR_MS = 3_600_000;
const FOREVER = new AbortController().signal;

describe('sending many again', () => {
  let bench: TestBench;
  let engine: TestEngine;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(async () => {
    await bench.models.replays.deleteMany({});
    await bench.reset();
  });
  afterAll(() => bench.close());

  const unwrap = <T>(result: Result<T>): T => {
    if (!result.ok) {
      throw new Error(result.failures[0]?.message);
    }
    return result.value;
  };
  const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.failures[0]?.code);
  const begin = new Date(Date.now() - HOUR_MS);
  /** Deliveries that are over, one a second; of the version 2. */
  async function over(count: number, fields: Partial<DeliveryDocument> = {}): Promise<string[]> {
    const { accountId = 'acme/sandbox', event = 'operation_created', ...rest } = fields;
    const deliveries = times(count, (index) =>
      testDelivery('https://hook.test/', {
        accountId,
        event,
        createdAt: new Date(begin.getTime() + index * 1_000),
      }),
    );
    const ids = await bench.enqueue(engine, ...deliveries);
    const ended = { status: 'DEAD_LETTERED', attempt: 5, version: 2, finishedAt: new Date() };
    await bench.models.deliveries.updateMany({ _id: { $in: ids } }, { $set: { ...ended, ...rest } });
    return ids;
  }
  /** How often each was sent again. */
  const timesReplayed = async (ids: readonly string[]) => {
    const found = await bench.models.deliveries.find({ _id: { $in: ids } }).lean();
    const versions = new Map(found.map(({ _id, version, status }) => [_id, [version - 2, status]]));
    return ids.map((id) => versions.get(id));
  };
  const once = (ids: readonly string[]) => ids.map(() => [1, 'PENDING']);
  const never = (ids: readonly string[], status = 'DEAD_LETTERED') => ids.map(() => [0, status]);
  /** Another process, some of whose parts are the test's. */
  function another(parts: Partial<BulkReplayDeps>) {
    const { connection } = bench.store;
    return createBulkReplays({
      ...replayParts(bench.models),
      replays: bench.models.replays,
      events: { append: () => undefined },
      transaction: createTransactions(connection),
      clock: () => new Date(),
      clocks: clocksAt(() => new Date()),
      wake: () => undefined,
      leases: createLeases({ connection }),
      ...parts,
    });
  }

  test('finds matching deliveries, oldest first, up to the limit, and writes to the event log', async () => {
    engine = bench.start();
    const dead = await over(130);
    const delivered = await over(3, { status: 'DELIVERED' });
    const others = [
      await over(3, { accountId: 'globex/sandbox' as const }),
      await over(3, { event: 'operation_error' }),
    ].flat();
    const paused = await over(2, { status: 'PAUSED' });
    const input = { event: 'operation_created', limit: 120 };
    expect(await engine.replays.count('acme/sandbox', { event: 'operation_created' })).toEqual({
      ok: true,
      value: 130,
    });
    const started = unwrap(await engine.replays.start('acme/sandbox', input));
    expect(started).toMatchObject({
      state: 'RUNNING',
      found: 120,
      replayed: 0,
      skipped: 0,
      finishedAt: null,
    });
    expect(await timesReplayed(dead)).toEqual(never(dead));

    await engine.replays.work(FOREVER);
    expect(await engine.replays.find('acme/sandbox', started.id)).toMatchObject({
      ...{ state: 'DONE', found: 120, replayed: 120, skipped: 0, finishedAt: expect.any(Date) },
    });
    expect(await timesReplayed(dead)).toEqual([...once(dead.slice(0, 120)), ...never(dead.slice(120))]);
    expect(await timesReplayed(delivered)).toEqual(never(delivered, 'DELIVERED'));
    expect(await timesReplayed([...others, ...paused])).toEqual([
      ...never(others),
      ...never(paused, 'PAUSED'),
    ]);
    expect(await bench.stored(dead[0] ?? '')).toMatchObject({ attempt: 0, earlierAttempts: 5, claims: 0 });
    expect(await bench.stored(dead[0] ?? '')).not.toHaveProperty('finishedAt');
    expect((await bench.eventsOf(dead[0] ?? '')).map(({ version, status }) => [version, status])).toEqual([
      [1, 'PENDING'],
      [3, 'PENDING'],
    ]);
  });

  test('is narrowed by status, endpoint and time', async () => {
    engine = bench.start();
    const ids = await over(10);
    const delivered = await over(2, { status: 'DELIVERED' });
    const endpoint = engine.endpoints.identify('acme/sandbox', 'https://hook.test/');
    const found = async (input: object) => unwrap(await engine.replays.count('acme/sandbox', input));
    expect(await found({ endpoint })).toBe(10);
    expect(await found({ endpoint: 'other' })).toBe(0);
    expect(await found({ status: ['DELIVERED'] })).toBe(2);
    expect(await found({ status: ['DELIVERED', 'DEAD_LETTERED'], limit: 11 })).toBe(11);
    const range = {
      from: new Date(begin.getTime() + 2_000),
      before: new Date(begin.getTime() + 5_000),
    };
    expect(await found(range)).toBe(3);
    unwrap(await engine.replays.start('acme/sandbox', range));
    await engine.replays.work(FOREVER);
    expect(await timesReplayed(ids)).toEqual([
      ...never(ids.slice(0, 2)),
      ...once(ids.slice(2, 5)),
      ...never(ids.slice(5)),
    ]);
    expect(await timesReplayed(delivered)).toEqual(never(delivered, 'DELIVERED'));
    for (const [path, input] of [
      ['limit', { limit: 0 }],
      ['limit', { limit: 100_001 }],
      ['limit', { limit: 1.5 }],
      ['status', { status: ['PENDING' as never] }],
    ] as const) {
      const failed = { ok: false, failures: [{ code: 'INVALID_REQUEST', path: [path] }] };
      expect(await engine.replays.start('acme/sandbox', input)).toMatchObject(failed);
    }
  });

  test('does not find again what it has sent and what has failed anew', async () => {
    engine = bench.start();
    const ids = await over(105);
    const failAgain = async () => {
      const ended = { status: 'DEAD_LETTERED', version: 4 } as const;
      await bench.models.deliveries.updateMany({ status: 'PENDING' }, { $set: ended });
    };
    let waking = Promise.resolve();
    const failing = another({
      wake: () => {
        waking = failAgain();
      },
      leases: {
        ...createLeases({ connection: bench.store.connection }),
        renew: async (lease) => {
          await waking;
          return lease;
        },
      },
    });
    const { id } = unwrap(await failing.start('acme/sandbox', {}));
    await failing.work(FOREVER);
    expect(await failing.find('acme/sandbox', id)).toMatchObject({ state: 'DONE', replayed: 105 });
    expect(await timesReplayed(ids)).toEqual(ids.map(() => [2, 'DEAD_LETTERED']));
  });

  test('goes on where a process has ended, and sends none twice', async () => {
    engine = bench.start();
    const ids = await over(120);
    const stopping = new AbortController();
    const first = another({ wake: () => stopping.abort() });
    const { id } = unwrap(await first.start('acme/sandbox', {}));
    await first.work(stopping.signal);
    expect(await engine.replays.find('acme/sandbox', id)).toMatchObject({ state: 'RUNNING', replayed: 100 });
    await engine.replays.work(FOREVER);
    expect(await engine.replays.find('acme/sandbox', id)).toMatchObject({
      state: 'DONE',
      replayed: 120,
      skipped: 0,
    });
    expect(await timesReplayed(ids)).toEqual(once(ids));
  });

  test('goes on half a minute after a process that was killed between a batch and its commit', async () => {
    engine = bench.start();
    const ids = await over(110);
    let batches = 0;
    const run = createTransactions(bench.store.connection);
    const killed: RunTransaction = (work, ...rest) =>
      run(
        async (unit) => {
          const result = await work(unit);
          batches += 1;
          if (batches === 2) {
            throw new Error('killed');
          }
          return result;
        },
        ...rest,
      );
    const { connection } = bench.store;
    const leases = { ...createLeases({ connection }), release: async () => undefined };
    const dying = another({ transaction: killed, leases });
    const { id } = unwrap(await engine.replays.start('acme/sandbox', {}));
    await expect(dying.work(FOREVER)).rejects.toThrow('killed');
    // The dead one's lease is still held.
    await engine.replays.work(FOREVER);
    expect(await engine.replays.find('acme/sandbox', id)).toMatchObject({ state: 'RUNNING', replayed: 100 });
    engine.ahead = 31_000;
    await engine.replays.work(FOREVER);
    expect(await engine.replays.find('acme/sandbox', id)).toMatchObject({ state: 'DONE', replayed: 110 });
    expect(await timesReplayed(ids)).toEqual(once(ids));
  });

  test('one that fails keeps no other from its end, and goes on with the next work', async () => {
    engine = bench.start();
    const [ours, theirs] = [await over(110), await over(3, { accountId: 'globex/sandbox' })];
    const run = createTransactions(bench.store.connection);
    let isFailing = true;
    const failing: RunTransaction = (work, ...rest) =>
      run(
        async (unit) => {
          const result = await work(unit);
          if (isFailing && Array.isArray(result) && result.length === 100) {
            throw new Error('away');
          }
          return result;
        },
        ...rest,
      );
    const replays = another({ transaction: failing });
    const { id } = unwrap(await replays.start('acme/sandbox', {}));
    const other = unwrap(await replays.start('globex/sandbox', {}));
    await expect(replays.work(FOREVER)).rejects.toThrow('away');
    expect(await replays.find('acme/sandbox', id)).toMatchObject({ state: 'RUNNING', replayed: 0 });
    expect(await replays.find('globex/sandbox', other.id)).toMatchObject({ state: 'DONE', replayed: 3 });
    isFailing = false;
    // Its lease is given back: another process need not wait for its end.
    await engine.replays.work(FOREVER);
    expect(await timesReplayed([...ours, ...theirs])).toEqual(once([...ours, ...theirs]));
  });

  test('two that work at it at once, each sure to be the only one, send none twice', async () => {
    engine = bench.start();
    const ids = await over(120);
    const lease: Lease = { name: 'any', token: 'any', term: 1, until: new Date() };
    const leases: Leases = {
      acquire: async () => lease,
      renew: async () => lease,
      release: async () => undefined,
    };
    const both = [another({ leases }), another({ leases })] as const;
    const { id } = unwrap(await both[0].start('acme/sandbox', {}));
    await Promise.all(both.map((one) => one.work(FOREVER)));
    expect(await engine.replays.find('acme/sandbox', id)).toMatchObject({
      state: 'DONE',
      replayed: 120,
      skipped: 0,
    });
    expect(await timesReplayed(ids)).toEqual(once(ids));
  });

  test('skips deliveries that were sent again meanwhile', async () => {
    engine = bench.start();
    const ids = await over(3);
    const run = createTransactions(bench.store.connection);
    const late: RunTransaction = async (work, ...rest) => {
      await engine.deliveries.replay('acme/sandbox', ids[1] ?? '');
      return run(work, ...rest);
    };
    const replays = another({ transaction: late });
    const { id } = unwrap(await engine.replays.start('acme/sandbox', {}));
    await replays.work(FOREVER);
    expect(await replays.find('acme/sandbox', id)).toMatchObject({
      state: 'DONE',
      found: 3,
      replayed: 2,
      skipped: 1,
    });
    expect(await timesReplayed(ids)).toEqual(once(ids));
  });

  test("runs once at a time for a tenant, is stopped, and is the tenant's own", async () => {
    engine = bench.start();
    const ids = await over(3);
    const asked = await Promise.all(times(4, () => engine.replays.start('acme/sandbox', {})));
    expect(asked.map(codeOf).toSorted()).toEqual(
      ['WEBHOOK_REPLAY_RUNNING', 'ok'].flatMap((code, index) => times(index === 0 ? 3 : 1, () => code)),
    );
    expect(codeOf(await engine.replays.start('globex/sandbox', {}))).toBe('ok');
    const [running] = await engine.replays.list('acme/sandbox');
    const id = running?.id ?? '';
    expect(codeOf(await engine.replays.stop('globex/sandbox', id))).toBe('WEBHOOK_REPLAY_NOT_FOUND');
    expect(await engine.replays.find('globex/sandbox', id)).toBeUndefined();
    expect(unwrap(await engine.replays.stop('acme/sandbox', id))).toMatchObject({
      state: 'STOPPED',
      replayed: 0,
    });
    await engine.replays.work(FOREVER);
    expect(await timesReplayed(ids)).toEqual(never(ids));
    expect(unwrap(await engine.replays.stop('acme/sandbox', id))).toMatchObject({ state: 'STOPPED' });
    expect(codeOf(await engine.replays.start('acme/sandbox', {}))).toBe('ok');
    await engine.replays.work(FOREVER);
    expect((await engine.replays.list('acme/sandbox')).map(({ state }) => state)).toEqual([
      'DONE',
      'STOPPED',
    ]);
    expect(await timesReplayed(ids)).toEqual(once(ids));
  });
});
