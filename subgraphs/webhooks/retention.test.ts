import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { type AccountClocks, clocksAt } from '../kernel/clock/account-clock.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import { updateEach } from '../kernel/database/update-each.ts';
import type { AttemptDocument, DeliveryDocument } from './model.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';
import { createDeliveryTotalsModel, type DeliveryTotalsModel } from './totals.ts';

const ACME = 'acme/sandbox' as const;
const DAY = 86_400_000;
const NOW = new Date('2026-11-23T08:00:00.000Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);
const running = () => new AbortController().signal;

describe('retention', () => {
  let bench: TestBench;
  let totals: DeliveryTotalsModel;
  beforeAll(async () => {
    bench = await openTestBench();
    totals = createDeliveryTotalsModel(bench.store.connection);
    await makeIndexes(bench.store.connection);
  });
  afterEach(async () => {
    await bench.reset();
    await totals.deleteMany({});
  });
  afterAll(() => bench.close());

  const start = (config = {}, clocks: AccountClocks = clocksAt(() => NOW)): TestEngine =>
    bench.start(config, { clock: () => NOW, clocks });

  function delivery(_id: string, fields: Partial<DeliveryDocument>): DeliveryDocument {
    return {
      _id,
      accountId: 'acme/sandbox',
      event: 'operation_created',
      scheme: 'request_money',
      endpoint: 'e1',
      status: 'DELIVERED',
      nextAttemptAt: daysAgo(40),
      version: 2,
      attempt: 1,
      earlierAttempts: 0,
      claims: 0,
      url: Buffer.from('url'),
      body: Buffer.from('body'),
      createdAt: daysAgo(40),
      ...fields,
    };
  }

  const attempt = (deliveryId: string, number: number, at: Date): AttemptDocument => ({
    _id: `${deliveryId}:${number}`,
    deliveryId,
    accountId: 'acme/sandbox',
    number,
    at,
    ms: 5,
    answer: Buffer.from('answer'),
  });

  test('goes by the clock of an account that is ahead, and by its deliveries for their attempts', async () => {
    const at = daysAgo(-10);
    await bench.models.deliveries.insertMany([
      delivery('old', { finishedAt: daysAgo(20.01) }),
      delivery('younger', { finishedAt: daysAgo(19.99) }),
      delivery('other', { finishedAt: daysAgo(20.01), accountId: 'acme/live' }),
      delivery('waits', { status: 'PENDING' }),
    ]);
    await bench.models.attempts.insertMany(
      ['old', 'younger', 'other', 'waits'].map((id) => attempt(id, 1, daysAgo(25))),
    );
    const clocks = { ...clocksAt(() => NOW), listExpired: () => [{ at: NOW }, { accountId: ACME, at }] };
    const queries = recordQueries(bench.store.connection);
    expect(await start({}, clocks).retention.removeExpired(running())).toEqual({
      deliveries: 1,
      attempts: 0,
    });
    expect(findUnserved(bench.store.connection, queries)).toEqual([]);
    expect(await left()).toEqual(['other', 'waits', 'younger']);
    expect(await bench.models.attempts.countDocuments({ deliveryId: 'old' })).toBe(0);
    expect(await bench.models.attempts.countDocuments()).toBe(3);
  });

  const left = async () => (await bench.models.deliveries.find().lean()).map(({ _id }) => _id).sort();

  test('removes deliveries that ended before the retention, and none that wait, are paused or are younger', async () => {
    await bench.models.deliveries.insertMany([
      delivery('delivered', { finishedAt: daysAgo(30.01) }),
      delivery('dead', { status: 'DEAD_LETTERED', finishedAt: daysAgo(31), attempt: 5 }),
      delivery('younger', { finishedAt: daysAgo(29.99) }),
      delivery('pending', { status: 'PENDING', nextAttemptAt: daysAgo(-1) }),
      delivery('paused', { status: 'PAUSED' }),
    ]);
    await bench.models.attempts.insertMany([
      attempt('delivered', 1, daysAgo(30.01)),
      attempt('dead', 1, daysAgo(31)),
      attempt('pending', 1, daysAgo(31)),
      attempt('younger', 1, daysAgo(29.99)),
    ]);
    const queries = recordQueries(bench.store.connection);
    expect(await start().retention.removeExpired(running())).toEqual({ deliveries: 2, attempts: 3 });
    expect(findUnserved(bench.store.connection, queries)).toEqual([]);
    expect(await left()).toEqual(['paused', 'pending', 'younger']);
    expect((await bench.models.attempts.find().lean()).map(({ _id }) => _id)).toEqual(['younger:1']);
    expect(await start().retention.removeExpired(running())).toEqual({ deliveries: 0, attempts: 0 });
  });

  test('the days are configured', async () => {
    await bench.models.deliveries.insertMany([
      delivery('old', { finishedAt: daysAgo(7.01) }),
      delivery('young', { finishedAt: daysAgo(6.99) }),
    ]);
    await start({ retentionDays: 7 }).retention.removeExpired(running());
    expect(await left()).toEqual(['young']);
  });

  test('counts stay, by tenant, endpoint and day, over several runs', async () => {
    const ended = new Date('2026-10-01T23:59:59.999Z');
    const nextDay = new Date('2026-10-02T00:00:00.000Z');
    const engine = start();
    await bench.models.deliveries.insertMany([
      delivery('a', { finishedAt: ended }),
      delivery('b', { finishedAt: ended, status: 'DEAD_LETTERED', attempt: 5, earlierAttempts: 2 }),
      delivery('c', { finishedAt: nextDay }),
      delivery('d', { finishedAt: ended, endpoint: 'e2' }),
      delivery('e', { finishedAt: ended, accountId: 'globex/sandbox' }),
    ]);
    await engine.retention.removeExpired(running());
    await bench.models.deliveries.insertMany([delivery('f', { finishedAt: ended })]);
    await engine.retention.removeExpired(running());
    const found = await totals.find().sort({ _id: 1 }).lean();
    expect(found.map(({ _id, ...counts }) => [_id, counts])).toEqual(
      [
        ['acme/sandbox', 'e1', '2026-10-01', 2, 1, 9],
        ['acme/sandbox', 'e1', '2026-10-02', 1, 0, 1],
        ['acme/sandbox', 'e2', '2026-10-01', 1, 0, 1],
        ['globex/sandbox', 'e1', '2026-10-01', 1, 0, 1],
      ].map(([accountId, endpoint, day, delivered, deadLettered, attempts]) => [
        `${accountId}|${endpoint}|${day}`,
        { accountId, endpoint, day: new Date(String(day)), delivered, deadLettered, attempts },
      ]),
    );
  });

  test('two processes at once remove everything and count each delivery once', async () => {
    await bench.models.deliveries.insertMany(
      times(250, (index) => delivery(`d${index}`, { finishedAt: daysAgo(40 + index / 1000) })),
    );
    const runs = await Promise.all([start(), start()].map((one) => one.retention.removeExpired(running())));
    expect(runs.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(250);
    expect(await left()).toEqual([]);
    const counted = await totals.find().lean();
    expect(counted.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(250);
  });

  test('one that is sent again while it expires is either sent or removed and counted', async () => {
    const engine = start();
    const ids = await bench.enqueue(engine, ...times(40, () => testDelivery('https://127.0.0.1:9/hook')));
    const ended = { status: 'DELIVERED', finishedAt: daysAgo(40) } as const;
    const places = ids.map((_id) => ({ _id }));
    await updateEach(bench.models.deliveries, places, {}, { $set: ended });
    const replays = Promise.all(ids.map((id) => engine.deliveries.replay('acme/sandbox', id)));
    const [results, removed] = await Promise.all([replays, engine.retention.removeExpired(running())]);
    const replayed = results.filter(({ ok }) => ok).length;
    expect(replayed + removed.deliveries).toBe(40);
    expect(await bench.models.deliveries.countDocuments({ status: 'PENDING' })).toBe(replayed);
    const counted = await totals.find().lean();
    expect(counted.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(removed.deliveries);
  });
});
