import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { Result } from '../kernel/errors/result.ts';
import { object, text, time } from '../kernel/json/json-schema.ts';
import { isRecord } from '../kernel/objects.ts';
import { createTenantModels, type TenantModels } from '../partners/tenants/model.ts';
import { createTenants, type TenantInput, type Tenants } from '../partners/tenants/service.ts';
import type { WebhookEvent } from '../webhook-events/declare.ts';
import { OPERATION_CREATED, OPERATION_ERROR } from '../webhook-events/money-requests.ts';
import { createPartnerEndpoints, type PartnerEndpoints } from './partner-endpoints.ts';
import { toDeliveries } from './publisher.ts';
import type { Receiver } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine } from './testing-engine.ts';

/** A catalogue of two versions: the second one has replaced `stage` of `operation_error` by `call`. */
const CATALOGUE: readonly WebhookEvent[] = [
  OPERATION_CREATED,
  {
    ...OPERATION_ERROR,
    version: 2,
    earlier: [
      {
        version: 1,
        schema: object({ event: text, data: object({ code: text, stage: text }), timestamp: time }),
        downgrade: ({ call, ...data }) => ({ ...data, stage: call }),
      },
    ],
  },
];
const EVENTS = [
  { event: 'operation_created', data: { referenceId: 'AB12cd34' } },
  { event: 'operation_error', data: { code: 'VALIDATION_FAILED', call: 'create' } },
];
const DATA = {
  1: [{ referenceId: 'AB12cd34' }, { code: 'VALIDATION_FAILED', stage: 'create' }],
  2: [{ referenceId: 'AB12cd34' }, { code: 'VALIDATION_FAILED', call: 'create' }],
};

describe('The version of events of an endpoint', () => {
  let bench: TestBench;
  let models: TenantModels;
  let engine: TestEngine;
  let tenants: Tenants;
  let endpoints: PartnerEndpoints;
  let receiver: Receiver;
  let accountId: AccountId;
  let number = 0;
  const box = createBox(randomBytes(32));
  beforeAll(async () => {
    bench = await openTestBench();
    models = createTenantModels(bench.store.connection);
    await makeIndexes(bench.store.connection);
  });
  beforeEach(async () => {
    tenants = createTenants({ models, box, transaction: createTransactions(bench.store.connection) });
    engine = bench.start({ maxAttempts: 1, retrySeconds: [0] }, { tenants });
    endpoints = createPartnerEndpoints({ ...engine, tenants, clock: () => new Date() });
    receiver = await bench.receive();
    number += 1;
    accountId = `tenant${number}/sandbox`;
    await tenants.upsert(input());
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const input = (): TenantInput => ({
    ...{ accountId, name: 'Some', fee: { fixed: '0', percent: '0' } },
    ...{ countries: [], dialCodes: [], features: [], flows: [], mtlsClientCertSha256: [] },
    ...{ webhookUrl: receiver.url('/first'), webhookEvents: EVENTS.map(({ event }) => event) },
  });
  const unwrap = <T>(result: Result<T> | undefined): T => {
    if (!result?.ok) {
      throw new Error(result?.failures[0]?.message ?? 'There is no such tenant');
    }
    return result.value;
  };
  const further = async () =>
    unwrap(await endpoints.create(accountId, { url: receiver.url('/further') })).endpoint.id;
  const versions = async () =>
    (await endpoints.list(accountId)).map(({ id, eventVersion }) => [id, eventVersion]);
  /** Stores the webhooks of events now; their ids. */
  const store = async () => {
    const tenant = await tenants.find(accountId);
    if (!tenant) {
      throw new TypeError('There is no such tenant');
    }
    return bench.enqueue(engine, ...toDeliveries(tenant, EVENTS, new Date(), CATALOGUE));
  };
  /** The data of webhooks that arrived at a path, by the names of events. */
  const dataAt = (path: string) =>
    receiver
      .to(path)
      .map(({ body }) => JSON.parse(body.toString()) as unknown)
      .filter(isRecord)
      .toSorted((one, other) => String(one.event).localeCompare(String(other.event)))
      .map(({ data }) => data);

  test('is the newest one at the creation, and stays when an operator or a seed file sets the partner', async () => {
    const id = await further();
    expect(await versions()).toEqual([
      ['first', 1],
      [id, 1],
    ]);
    unwrap(await tenants.changeWebhooks(accountId, { eventVersion: 2 }));
    await tenants.upsert(input());
    expect((await versions())[0]).toEqual(['first', 2]);
    await tenants.seed(input());
    expect((await versions())[0]).toEqual(['first', 2]);
    const stored = await models.tenants.findById(accountId).orFail().lean();
    expect(stored.webhookEventVersion).toBe(2);
    expect((await models.endpoints.findById(id).orFail().lean()).eventVersion).toBe(1);
  });

  test('decides about its bodies only: a pinned one gets the old ones, an upgraded one the new ones', async () => {
    const id = await further();
    unwrap(await tenants.endpoints.change(accountId, id, { eventVersion: 2 }));
    await store();
    await engine.run();
    expect([dataAt('/first'), dataAt('/further')]).toEqual([DATA[1], DATA[2]]);
    const [ofFirst, ofFurther] = ['/first', '/further'].map((path) => receiver.to(path)[0]);
    const namesOf = (headers: object = {}) => Object.keys(headers).toSorted();
    expect(namesOf(ofFirst?.headers)).toEqual(
      namesOf(ofFurther?.headers).filter((name) => name !== 'x-webhook-signature'),
    );
  });

  test('is changed explicitly, there and back', async () => {
    for (const [path, eventVersion] of [['/second', 2] as const, ['/back', 1] as const]) {
      unwrap(await tenants.changeWebhooks(accountId, { eventVersion, url: receiver.url(path) }));
      await store();
      await engine.run();
      expect(dataAt(path)).toEqual(DATA[eventVersion]);
    }
  });

  test('does not change webhooks that are stored: sent again, they have the same bytes at any URL', async () => {
    const ids = await store();
    await engine.run();
    const before = receiver.to('/first').map(({ body }) => body.toString());
    expect(before).toHaveLength(2);
    unwrap(await tenants.changeWebhooks(accountId, { eventVersion: 2, url: receiver.url('/moved') }));
    for (const id of ids) {
      unwrap(await engine.deliveries.replay(accountId, id));
    }
    await engine.run();
    for (const id of ids) {
      unwrap(await engine.deliveries.replay(accountId, id, 'current'));
    }
    await engine.run();
    const bodiesAt = (path: string) => receiver.to(path).map(({ body }) => body.toString());
    expect(bodiesAt('/first').slice(2).toSorted()).toEqual(before.toSorted());
    expect(bodiesAt('/moved').toSorted()).toEqual(before.toSorted());
  });

  test.each([2, 0, -1, 1.5])('cannot be %d, which is not supported', async (eventVersion) => {
    const id = await further();
    const rejected = { ok: false, failures: [{ code: 'INVALID_REQUEST', path: ['eventVersion'] }] };
    const url = receiver.url('/more');
    expect(await endpoints.create(accountId, { url, eventVersion })).toMatchObject(rejected);
    expect(await endpoints.update(accountId, id, { eventVersion })).toMatchObject(rejected);
    expect(await versions()).toEqual([
      ['first', 1],
      [id, 1],
    ]);
  });

  test('stays when an update has none, or null', async () => {
    const id = await further();
    unwrap(await tenants.endpoints.change(accountId, id, { eventVersion: 2 }));
    unwrap(await endpoints.update(accountId, id, { eventVersion: null, description: 'Audit' }));
    unwrap(await endpoints.update(accountId, id, { events: null }));
    expect((await versions())[1]).toEqual([id, 2]);
    unwrap(await endpoints.update(accountId, id, { eventVersion: 1 }));
    expect((await versions())[1]).toEqual([id, 1]);
  });
});
