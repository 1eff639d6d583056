import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import type { AccountId } from '../kernel/account.ts';
import type { Result } from '../kernel/errors/result.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import type { NewDelivery } from './queue.ts';
import type { Answer } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';

const ACME = 'acme/sandbox';
const FOREVER = new AbortController().signal;
const ONCE = { maxAttempts: 1, retrySeconds: [0] };
const fails: Answer = (_request, response) => response.writeHead(404).end();

describe("sending webhooks to their endpoint's current URL", () => {
  let bench: TestBench;
  let tenant: Tenant;
  /** The partner as this process knows it, if another process has changed it a moment ago. */
  let cached: Tenant | undefined;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(async () => {
    cached = undefined;
    await bench.reset();
  });
  afterAll(() => bench.close());

  const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.failures[0]?.code);
  const start = (config: Parameters<TestBench['start']>[0] = ONCE) =>
    bench.start(config, {
      tenants: {
        find: async (accountId: AccountId) => (accountId === ACME ? (cached ?? tenant) : undefined),
        findStored: async (accountId: AccountId) => (accountId === ACME ? tenant : undefined),
        endpoints: { exists: async () => true },
      },
    });
  /** A partner with a mistyped URL, webhooks for it, and then the right URL. */
  async function mistype(engine: TestEngine, count: number, fields: Partial<NewDelivery> = {}) {
    const receiver = await bench.receive({ '/typo': fails });
    const at = new Date();
    tenant = {
      ...{
        accountId: ACME,
        tenantId: 'acme',
        environment: 'sandbox',
        name: 'Acme',
        fee: { fixed: '0', percent: '0' },
      },
      ...{
        countries: [],
        dialCodes: [],
        features: [],
        flows: [],
        mtlsClientCertSha256: [],
        webhookEvents: [],
        webhookEventVersion: 1,
      },
      ...{
        createdAt: at,
        updatedAt: at,
        webhookUrl: receiver.url('/typo'),
        webhookSecret: 'whsec_first_0001',
      },
    };
    const made = times(count, (index) =>
      testDelivery(receiver.url('/typo'), {
        endpointId: 'first',
        createdAt: new Date(at.getTime() - 10_000 + index),
        ...fields,
      }),
    );
    const ids = await bench.enqueue(engine, ...made);
    await engine.run();
    const correct = () => {
      tenant = { ...tenant, webhookUrl: receiver.url('/hook'), webhookSecret: 'whsec_second_0002' };
    };
    return { ids, receiver, correct };
  }

  test('posts the same id and bytes there, signed with the secret of now, and records the former URL', async () => {
    const engine = start();
    const { ids, receiver, correct } = await mistype(engine, 1);
    const [id = ''] = ids;
    expect(await bench.find(engine, id)).toMatchObject({
      ...{ status: 'DEAD_LETTERED', formerUrls: [], endpointId: 'first' },
      currentUrl: receiver.url('/typo'),
    });
    correct();
    expect(await bench.find(engine, id)).toMatchObject({
      url: receiver.url('/typo'),
      currentUrl: receiver.url('/hook'),
    });
    expect(await engine.deliveries.replay(ACME, id, 'current')).toMatchObject({
      value: {
        ...{ id, status: 'PENDING', url: receiver.url('/hook'), currentUrl: receiver.url('/hook') },
        formerUrls: [{ url: receiver.url('/typo'), until: expect.any(Date) }],
      },
    });
    await engine.run();
    expect(await bench.find(engine, id)).toMatchObject({ status: 'DELIVERED', attempt: 1 });
    const [typo] = receiver.to('/typo');
    const [hook] = receiver.to('/hook');
    expect(hook?.body).toEqual(typo?.body);
    expect(hook?.headers['x-webhook-delivery-id']).toBe(id);
    expect(hook?.headers['x-webhook-signature']).not.toBe(typo?.headers['x-webhook-signature']);
    const stored = await bench.stored(id);
    expect(stored.endpoint).toBe(engine.endpoints.identify(ACME, receiver.url('/hook')));
    expect(JSON.stringify(stored)).not.toContain('/typo');
  });

  test('leaves the URL as it is when nobody asks for the current one', async () => {
    const engine = start();
    const { ids, receiver, correct } = await mistype(engine, 1);
    const [id = ''] = ids;
    correct();
    await engine.deliveries.replay(ACME, id);
    await engine.run();
    expect([receiver.to('/typo').length, receiver.to('/hook').length]).toEqual([2, 0]);
    expect(await bench.stored(id)).not.toHaveProperty('formerUrls');
  });

  test('takes one along that still waits for the former URL, once, and not while it is tried', async () => {
    const engine = start({});
    const { ids, receiver, correct } = await mistype(engine, 1);
    const [id = ''] = ids;
    expect(codeOf(await engine.deliveries.replay(ACME, id, 'current'))).toBe(
      'WEBHOOK_DELIVERY_NOT_REPLAYABLE',
    );
    correct();
    const claimed = await bench.models.deliveries
      .findByIdAndUpdate(id, { $set: { leaseToken: 'another' } }, { returnDocument: 'after' })
      .lean();
    expect(codeOf(await engine.deliveries.replay(ACME, id, 'current'))).toBe(
      'WEBHOOK_DELIVERY_NOT_REPLAYABLE',
    );
    expect(await bench.stored(id)).toEqual(claimed);
    await bench.models.deliveries.updateOne({ _id: id }, { $unset: { leaseToken: 1 } });
    const other = start({});
    const asked = await Promise.all(
      times(4, (index) => (index % 2 ? engine : other).deliveries.replay(ACME, id, 'current')),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1);
    await engine.run();
    expect([receiver.to('/typo').length, receiver.to('/hook').length]).toEqual([1, 1]);
    expect(await bench.stored(id)).toMatchObject({ status: 'DELIVERED', attempt: 1, earlierAttempts: 1 });
  });

  test('finds no URL for a deleted endpoint, and for another account nothing at all', async () => {
    const engine = start();
    const { ids, correct } = await mistype(engine, 2);
    const [id = ''] = ids;
    correct();
    expect(codeOf(await engine.deliveries.replay('globex/sandbox', id, 'current'))).toBe(
      'WEBHOOK_DELIVERY_NOT_FOUND',
    );
    expect(codeOf(await engine.deliveries.replay('acme/live', id, 'current'))).toBe(
      'WEBHOOK_DELIVERY_NOT_FOUND',
    );
    await bench.models.deliveries.updateMany({}, { $set: { endpointId: 'we_gone' } });
    expect(await bench.find(engine, id)).toMatchObject({ currentUrl: null, endpointId: 'we_gone' });
    expect(codeOf(await engine.deliveries.replay(ACME, id, 'current'))).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
    const started = await engine.replays.start(ACME, { toCurrentUrlOf: 'we_gone' });
    expect(codeOf(started)).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
  });

  test('sends all missed ones at once: dead letters and waiting ones to former URLs, no others', async () => {
    const engine = start({ maxAttempts: 2, retrySeconds: [3600] });
    const { ids: waiting, receiver, correct } = await mistype(engine, 120, { entity: 'reference|1' });
    const earlier = { endpointId: 'first', createdAt: new Date(Date.now() - 20_000) };
    const dead = await bench.enqueue(
      engine,
      ...times(10, () => testDelivery(receiver.url('/typo'), earlier)),
    );
    await bench.models.deliveries.updateMany(
      { _id: { $in: dead } },
      { $set: { status: 'DEAD_LETTERED', finishedAt: new Date() } },
    );
    const ids = [...dead, ...waiting];
    correct();
    const here = testDelivery(receiver.url('/hook'), {
      endpointId: 'first',
      createdAt: new Date(Date.now() - 5_000),
    });
    const elsewhere = testDelivery(receiver.url('/typo'), { endpointId: 'we_other' });
    const others = await bench.enqueue(engine, here, elsewhere);
    const before = await Promise.all(others.map(bench.stored));
    const queries = recordQueries(bench.store.connection);
    expect(await engine.replays.count(ACME, { toCurrentUrlOf: 'first' })).toEqual({ ok: true, value: 130 });
    expect(codeOf(await engine.replays.count(ACME, { status: ['PENDING'] }))).toBe('INVALID_REQUEST');
    expect(codeOf(await engine.replays.start(ACME, { toCurrentUrlOf: 'first' }))).toBe('ok');
    await engine.replays.work(FOREVER);
    expect(findUnserved(bench.store.connection, queries)).toEqual([]);
    expect(await engine.replays.list(ACME)).toMatchObject([
      { state: 'DONE', found: 130, replayed: 130, skipped: 0 },
    ]);
    expect(await Promise.all(others.map(bench.stored))).toEqual(before);
    await engine.run();
    expect(await bench.models.deliveries.countDocuments({ _id: { $in: ids }, status: 'DELIVERED' })).toBe(
      130,
    );
    expect(receiver.to('/hook').length).toBeGreaterThanOrEqual(130);
    expect(await bench.models.orders.countDocuments({ last: { $in: ids } })).toBe(0);
  });

  test('takes the URL that another process has set a moment ago', async () => {
    const engine = start();
    const { ids, receiver, correct } = await mistype(engine, 3);
    const [id = ''] = ids;
    cached = tenant;
    correct();
    expect(codeOf(await engine.deliveries.replay(ACME, id, 'current'))).toBe('ok');
    await engine.replays.start(ACME, { toCurrentUrlOf: 'first' });
    await engine.replays.work(FOREVER);
    expect(await engine.replays.list(ACME)).toMatchObject([{ state: 'DONE', found: 2, replayed: 2 }]);
    await engine.run();
    expect([receiver.to('/typo').length, receiver.to('/hook').length]).toEqual([3, 3]);
  });

  test('stops when the endpoint loses its URL meanwhile', async () => {
    const engine = start();
    const { correct } = await mistype(engine, 3);
    correct();
    await engine.replays.start(ACME, { toCurrentUrlOf: 'first' });
    const { webhookUrl: _webhookUrl, ...without } = tenant;
    tenant = without;
    await engine.replays.work(FOREVER);
    expect(await engine.replays.list(ACME)).toMatchObject([{ state: 'STOPPED', replayed: 0 }]);
  });

  test('lets a later one of the entity wait for the nearest one that stays', async () => {
    const engine = start({});
    const { ids, receiver, correct } = await mistype(engine, 3, { entity: 'reference|1' });
    const [first = '', second = '', third = ''] = ids;
    expect(await bench.stored(third)).toMatchObject({ after: second });
    correct();
    expect(codeOf(await engine.deliveries.replay(ACME, second, 'current'))).toBe('ok');
    expect(await bench.stored(third)).toMatchObject({ after: first });
    expect(codeOf(await engine.deliveries.replay(ACME, third, 'current'))).toBe('ok');
    expect(await bench.models.orders.findOne({ last: first }).lean()).not.toBeNull();
    await engine.run();
    expect(receiver.to('/hook')).toHaveLength(2);
    expect(await bench.stored(first)).toMatchObject({ status: 'PENDING', attempt: 1 });
  });
});
