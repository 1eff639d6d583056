import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { databaseOf } from '../../subgraphs/platform/database/uri.ts';
import { callAtomic, callerOf, newAtomicCall, seedCallers } from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import {
  type Command,
  FAULTS,
  type Fault,
  type FaultProxy,
  startFaultProxy,
} from '../support/fault-proxy.ts';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import { isOf } from '../support/killed-calls.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import {
  RECORDS_OF_AN_ACCEPTED_CALL,
  readPipelineRecords,
  withoutDeliveryStatus,
} from '../support/pipeline-records.ts';
import { type ProviderServer, startProviders } from '../support/providers.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { cursorOf, followStatuses, presentCursor } from '../support/statuses.ts';
import { until } from '../support/until.ts';

// What a primary's failure looks like, at every command of a use case: each is struck by each fault that it can have.

/** Longest that an answer may take: the driver looks for a primary for so long at most. */
const IN_TIME_MS = 20_000;
/** Of the commands of an atomic call and its phases, every so-manieth is struck in `npm test`; all by FAULTS_EVERY=1. */
const EVERY = Number(process.env.FAULTS_EVERY ?? 4);

const scene = useScene();
const encryptionKey = randomBytes(32);
let deployment: Deployment;
let providers: ProviderServer;
let proxy: FaultProxy;
let exchange: Exchange;
let url: string;
let database: Connection;
beforeAll(async () => {
  providers = await startProviders({ deduplicates: true });
  scene.atEnd(() => providers.close());
  proxy = await startFaultProxy();
  scene.atEnd(() => proxy.close());
  deployment = await scene.deploy({
    env: {
      ...providers.env,
      ENCRYPTION_KEY: encryptionKey.toString('hex'),
      PIPELINE_SWEEP_SECONDS: '1',
      PIPELINE_LEASE_SECONDS: '5',
      PIPELINE_RETRY_SECONDS: Array.from({ length: 20 }, () => '1').join(),
      WEBHOOK_SWEEP_SECONDS: '1',
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1',
    },
  });
  seedCallers(deployment);
  const name = databaseOf(String(deployment.env.MONGODB_URI)) ?? '';
  ({ url } = await deployment.start({ MONGODB_URI: proxy.uriOf(name) }));
  exchange = exchangeWith(url);
  database = await deployment.database();
});
afterEach(() => {
  proxy.arm(undefined, 0, () => false);
});

/** Commands of a use case: those on its collections, and the ends of transactions that have such. */
function commandsOn(collections: readonly string[]): (command: Command) => boolean {
  const transactions = new Set<string>();
  return (command) => {
    const isOwn = command.collections.some((one) => collections.includes(one));
    if (isOwn && command.transaction !== undefined) {
      transactions.add(command.transaction);
    }
    return isOwn || (command.transaction !== undefined && transactions.has(command.transaction));
  };
}

/** Sends until there is an answer that is none of an outage; every answer must come in time. */
async function insist(send: () => Promise<RawResponse>): Promise<RawResponse> {
  for (;;) {
    const from = performance.now();
    const answer = await send();
    expect(performance.now() - from).toBeLessThan(IN_TIME_MS);
    if (answer.status !== 503) {
      return answer;
    }
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  }
}

/** Each fault at each command that it can strike, and how often it did. */
async function strikeAll(
  counts: () => (command: Command) => boolean,
  every: number,
  run: (name: string) => Promise<void>,
): Promise<Record<Fault, number>> {
  const plain = proxy.arm(undefined, 0, counts());
  await run('no fault');
  const total = plain.seen.length;
  expect(total).toBeGreaterThan(3);
  const struck: Partial<Record<Fault, number>> = {};
  for (const [index, fault] of FAULTS.entries()) {
    struck[fault] = 0;
    for (let nth = 1 + (index % every); nth <= total; nth += every) {
      const armed = proxy.arm(fault, nth, counts());
      await run(`${fault}, at ${nth} of ${plain.seen.join(' ')}`);
      struck[fault] += Number(armed.hasStruck());
    }
  }
  return struck as Record<Fault, number>;
}

const deliveriesOf = (id: string) =>
  new Set(
    deployment.receiver.webhooks
      .filter(({ text }) => text.includes(`"${id}"`))
      .map((one) => headerOf(one, 'X-Webhook-Delivery-Id')),
  );

describe('When the database fails at a command,', () => {
  test('a money request is there once, with its event and webhook, and its answer is the same again', async () => {
    const counts = () => commandsOn(['moneyRequests', 'idempotencyKeys', 'users']);
    const struck = await strikeAll(counts, 1, async (name) => {
      const referenceId = newReference();
      const send = () =>
        createMoneyRequest(exchange, moneyRequestBody(referenceId), { idempotencyKey: `key-${referenceId}` });
      const first = await insist(send);
      expect([name, first.status]).toEqual([name, 201]);
      const again = await insist(send);
      expect([name, again.status, again.text]).toEqual([name, 201, first.text]);
      await until(`${name}: its webhook`, () => deliveriesOf(referenceId).size > 0);
      const count = (collection: string, filter: object) =>
        database.collection(collection).countDocuments(filter);
      expect([
        name,
        await count('moneyRequests', { referenceId }),
        await count('events', { entity: 'requestMoney', entityId: referenceId }),
        deliveriesOf(referenceId).size,
      ]).toEqual([name, 1, 1, 1]);
    });
    expect(struck).toEqual({
      'reset before': expect.any(Number),
      'reset after': expect.any(Number),
      'not primary': expect.any(Number),
      transient: expect.any(Number),
      'unknown commit': expect.any(Number),
      stall: expect.any(Number),
    });
    expect(Math.min(...Object.values(struck))).toBeGreaterThan(0);
  });

  test('a look-up is answered as ever, at once or when it is sent again', async () => {
    const referenceId = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const { text: expected } = await lookUp(exchange, referenceId);
    for (const fault of ['reset before', 'reset after', 'not primary', 'stall'] as const) {
      const armed = proxy.arm(fault, 1, commandsOn(['moneyRequests']));
      expect([fault, (await insist(() => lookUp(exchange, referenceId))).text]).toEqual([fault, expected]);
      expect([fault, armed.hasStruck()]).toEqual([fault, true]);
    }
  });

  test('an atomic call comes to its outcome, and nothing of it happens twice', async () => {
    const collections = ['remittances', 'operations', 'contacts', 'paymentMethods', 'users'];
    let calls = 0;
    const struck = await strikeAll(
      () => commandsOn(collections),
      EVERY,
      async (name) => {
        const call = newAtomicCall({
          caller: callerOf(calls),
          method: 'account',
          requester: 'Ruiz',
          payer: 'Roe',
        });
        calls += 1;
        const { status, text } = await insist(() => callAtomic(exchange, call));
        const isAccepted = status === 200 || text.includes('ERROR_CORRELATION_ID_ALREADY_USED');
        expect([name, isAccepted, text]).toEqual([name, true, text]);
        await until(`${name}: its outcome`, () => deliveriesOf(call.correlationId).size > 0);
        const records = await readPipelineRecords(database, encryptionKey);
        expect({
          name,
          outcomes: deliveriesOf(call.correlationId).size,
          done: providers.done.filter((one) => isOf(one, call)).map(({ service }) => service),
          records: withoutDeliveryStatus(records.get(call.correlationId)),
        }).toEqual({
          name,
          outcomes: 1,
          done: ['identity', 'ubn', 'funding'],
          records: RECORDS_OF_AN_ACCEPTED_CALL,
        });
      },
    );
    expect(Object.values(struck).filter((times) => times > 0).length).toBeGreaterThan(4);
  }, 400_000);

  test('a live subscription goes on without a gap', async () => {
    const socket = await scene.subscriber({ url, connectionParams: { 'X-API-Key': KEYS.acme } });
    const after = await presentCursor(socket, exchange);
    const live = followStatuses(socket, { after });
    const references: string[] = [];
    for (const fault of ['resumable', 'reset before', 'not primary', 'stall'] as const) {
      const armed = proxy.arm(
        fault,
        1,
        ({ name, collections }) => name === 'getMore' && collections.includes('events'),
      );
      const referenceId = newReference();
      references.push(referenceId);
      expect((await insist(() => createMoneyRequest(exchange, moneyRequestBody(referenceId)))).status).toBe(
        201,
      );
      await until(`${fault}: the event`, () =>
        live.events.some(
          ({ requestMoneyStatusChanged: event }) => event.requestMoney.referenceId === referenceId,
        ),
      );
      await until(`${fault} has struck`, () => armed.hasStruck());
    }
    const seen = live.events.map(({ requestMoneyStatusChanged: event }) => event.requestMoney.referenceId);
    expect(seen.filter((one) => references.includes(one))).toEqual(references);
    expect(new Set(live.events.map(cursorOf)).size).toBe(live.events.length);
  });
});
