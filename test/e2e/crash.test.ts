/** @only-in-full */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith, type RawResponse } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { hasGoodSignature, headerOf, type ReceivedWebhook } from '../support/receiver.ts';
import { type Scene, useScene } from '../support/scene.ts';
import { SECRETS } from '../support/seed.ts';
import { TEST_URI_VARIABLE } from '../support/test-database.ts';
import { setTransactionLifetime, USUAL_LIFETIME_SECONDS } from '../support/transaction-lifetime.ts';
import { until } from '../support/until.ts';

/** The outcome of a run of creates that the process did not survive. */
interface Crash {
  readonly deployment: Deployment;
  /** Answers 201, by reference, as they came before the end. */
  readonly acknowledged: ReadonlyMap<string, RawResponse>;
  /** Sent, and never answered. */
  readonly unacknowledged: readonly string[];
  /** Answers of the next process to lookups of the acknowledged. */
  readonly lookups: ReadonlyMap<string, RawResponse>;
  /** Answers of the next process to the same creates again, with the same Idempotency-Key. */
  readonly retries: ReadonlyMap<string, RawResponse>;
}

const WORKERS = 8;
const KILL_AFTER_ACKNOWLEDGED = 30;
const SHARED_URI = process.env[TEST_URI_VARIABLE] ?? '';
/**
 * A store keeps the transactions of a process that was killed for so long, and the documents they wrote from everyone
 * else; 60 s by default.
 */
const TRANSACTION_LIFETIME_SECONDS = 4;
const ENV = {
  WEBHOOK_TIMEOUT_SECONDS: '5',
  WEBHOOK_SWEEP_SECONDS: '1',
  WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
};

/**
 * Where the store does not accept that lifetime, a crash in the store that the tests share would stop all of them for a
 * minute: there only a process with a store of its own is killed.
 */
const stores: readonly ('shared' | 'embedded')[] = (await setTransactionLifetime(
  SHARED_URI,
  TRANSACTION_LIFETIME_SECONDS,
))
  ? ['shared', 'embedded']
  : ['embedded'];

/** Two starts, and what was being sent at the crash is sent again when its lease is over, after 25 s. */
const CRASH_TIMEOUT_MS = 600_000;

/** The two crashes wait for leases to end: at once, not one after the other. */
const scene = useScene();
const crashes = new Map<string, Crash>();
afterAll(() => setTransactionLifetime(SHARED_URI, USUAL_LIFETIME_SECONDS));
beforeAll(async () => {
  const made = await Promise.all(stores.map(async (store) => [store, await crash(scene, store)] as const));
  for (const [store, one] of made) {
    crashes.set(store, one);
  }
}, CRASH_TIMEOUT_MS);

describe.each(stores)('kill -9 during creates, %s store', (store) => {
  const get = () => crashes.get(store)!;

  test('strikes while creates are under way', () => {
    expect(get().acknowledged.size).toBeGreaterThanOrEqual(KILL_AFTER_ACKNOWLEDGED);
    expect(get().unacknowledged.length).toBeGreaterThan(0);
  });

  test('loses no acknowledged create', () => {
    const { acknowledged, lookups } = get();
    for (const [reference, answer] of acknowledged) {
      const found = lookups.get(reference);
      expect([reference, found?.status]).toEqual([reference, 200]);
      expect(JSON.parse(found!.text)).toMatchObject(JSON.parse(answer.text));
    }
  });

  test('leaves an unacknowledged create whole or not at all, and it can be tried again', () => {
    const { unacknowledged, retries } = get();
    for (const reference of unacknowledged) {
      expect([reference, retries.get(reference)?.status]).toEqual([reference, 201]);
    }
  });

  test('delivers the webhook of every create, the same bytes under the same id each time', () => {
    const { deployment, acknowledged, unacknowledged } = get();
    const created = deployment.receiver.webhooks.filter(
      (webhook) => headerOf(webhook, 'X-Webhook-Event') === 'operation_created',
    );
    expect(created.every((webhook) => hasGoodSignature(webhook, SECRETS.acme!))).toBe(true);
    expect(new Set(created.map(referenceOf))).toEqual(new Set([...acknowledged.keys(), ...unacknowledged]));
    const bodies = new Map<string, Set<string>>();
    const references = new Map<string, Set<string>>();
    for (const webhook of created) {
      const id = headerOf(webhook, 'X-Webhook-Delivery-Id')!;
      bodies.set(id, (bodies.get(id) ?? new Set()).add(webhook.text));
      references.set(referenceOf(webhook), (references.get(referenceOf(webhook)) ?? new Set()).add(id));
    }
    expect([...bodies.values()].filter((texts) => texts.size !== 1)).toEqual([]);
    expect([...references].filter(([, ids]) => ids.size !== 1)).toEqual([]);
  });
});

if (stores.includes('shared')) {
  describe('The shared store after the crash', () => {
    test('has one event, one idempotency record and one delivery for each money request', async () => {
      const { deployment, acknowledged, unacknowledged } = crashes.get('shared')!;
      const moneyRequests = acknowledged.size + unacknowledged.length;
      const database = await deployment.database();
      const count = (name: string, filter = {}) => database.collection(name).countDocuments(filter);
      expect({
        moneyRequests: await count('moneyRequests'),
        events: await count('events', { entity: 'requestMoney' }),
        idempotencyKeys: await count('idempotencyKeys'),
        deliveries: await count('webhookDeliveries', { event: 'operation_created' }),
        pending: await count('webhookDeliveries', { status: 'PENDING' }),
      }).toEqual({
        moneyRequests,
        events: moneyRequests,
        idempotencyKeys: moneyRequests,
        deliveries: moneyRequests,
        pending: 0,
      });
    });
  });
}

const referenceOf = ({ text }: ReceivedWebhook) =>
  (JSON.parse(text) as { data: { referenceId: string } }).data.referenceId;
const idOf = (webhook: ReceivedWebhook) => headerOf(webhook, 'X-Webhook-Delivery-Id');

async function crash(on: Scene, store: 'shared' | 'embedded'): Promise<Crash> {
  const deployment = await on.deploy({ store, processes: true, env: ENV });
  // Slow enough for some to be under way whenever the process is killed, and much quicker than the timeout of 5 s.
  deployment.receiver.answer(() => new Promise((answer) => setTimeout(() => answer(204), 700)));
  const { acknowledged, unacknowledged } = await createUntilKilled(deployment);
  deployment.receiver.answer(() => 204);

  const { url } = await deployment.start();
  const exchange = exchangeWith(url);
  const lookups = new Map<string, RawResponse>();
  const retries = new Map<string, RawResponse>();
  for (const reference of acknowledged.keys()) {
    lookups.set(reference, await lookUp(exchange, reference));
  }
  await Promise.all(
    unacknowledged.map(async (reference) => {
      retries.set(
        reference,
        await createMoneyRequest(exchange, bodyOf(reference), { idempotencyKey: reference }),
      );
    }),
  );
  const wanted = acknowledged.size + unacknowledged.length;
  const delivered = () => new Set(deployment.receiver.webhooks.filter(wasAnswered).map(referenceOf)).size;
  await until(`webhooks of ${wanted} money requests`, () => delivered() === wanted);
  await until('the end of every delivery', () => areDeliveriesDone(deployment));
  return { deployment, acknowledged, unacknowledged, lookups, retries };
}

const wasAnswered = ({ status }: ReceivedWebhook) => status === 204;
const bodyOf = (reference: string) => moneyRequestBody(reference);

/** Nobody outside can query an embedded store: there the test waits for the end of the leases. */
async function areDeliveriesDone({ env, database, receiver }: Deployment): Promise<boolean> {
  if (env.MONGODB_URI === undefined) {
    const held = receiver.webhooks.filter(({ status }) => status === 0).map(idOf);
    const answered = new Set(receiver.webhooks.filter(wasAnswered).map(idOf));
    return held.every((id) => answered.has(id));
  }
  const deliveries = (await database()).collection('webhookDeliveries');
  return (await deliveries.countDocuments({ status: 'PENDING' })) === 0;
}

async function createUntilKilled(deployment: Deployment) {
  const server = await deployment.start();
  const exchange = exchangeWith(server.url);
  const acknowledged = new Map<string, RawResponse>();
  const unacknowledged: string[] = [];
  const work = async (): Promise<void> => {
    const reference = newReference();
    const answer = await createMoneyRequest(exchange, bodyOf(reference), { idempotencyKey: reference }).catch(
      lost,
    );
    if (typeof answer === 'string') {
      // A refused connection has had no request sent on it: that create never was.
      unacknowledged.push(...(answer === 'ECONNREFUSED' ? [] : [reference]));
      return;
    }
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    acknowledged.set(reference, answer);
    return work();
  };
  const workers = Promise.all(Array.from({ length: WORKERS }, work));
  await until(
    `${KILL_AFTER_ACKNOWLEDGED} acknowledged creates`,
    () => acknowledged.size >= KILL_AFTER_ACKNOWLEDGED && deployment.receiver.webhooks.length > 0,
  );
  await server.kill('SIGKILL');
  await workers;
  return { acknowledged, unacknowledged };
}

/** How a connection was lost, by its code. */
function lost(error: NodeJS.ErrnoException): string {
  if (error.code === undefined) {
    throw error;
  }
  return error.code;
}
