import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { callAtomic, callerOf, newAtomicCall } from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import type { FaultProxy } from '../support/fault-proxy.ts';
import type { Exchange } from '../support/http.ts';
import { isOf } from '../support/killed-calls.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import {
  RECORDS_OF_AN_ACCEPTED_CALL,
  readPipelineRecords,
  withoutDeliveryStatus,
} from '../support/pipeline-records.ts';
import type { ProviderServer } from '../support/providers.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { cursorOf, followStatuses, presentCursor } from '../support/statuses.ts';
import { commandsOn, deployWithFaults, insist, strikeAll } from '../support/strikes.ts';
import { until } from '../support/until.ts';

// The failures of a primary at the commands of a use case; `strikeAll` says which fault strikes where.

const scene = useScene();
let encryptionKey: Buffer;
let deployment: Deployment;
let providers: ProviderServer;
let proxy: FaultProxy;
let exchange: Exchange;
let url: string;
let database: Connection;
beforeAll(async () => {
  const product = await deployWithFaults(scene);
  ({ encryptionKey, deployment, providers, proxy, exchange, url, database } = product);
});
afterEach(() => {
  proxy.arm(undefined, 0, () => false);
});

const deliveriesOf = (id: string) =>
  new Set(
    deployment.receiver.webhooks
      .filter(({ text }) => text.includes(`"${id}"`))
      .map((one) => headerOf(one, 'X-Webhook-Delivery-Id')),
  );

describe('When the database fails at a command,', () => {
  test('a money request is there once, with its event and webhook, and its answer is the same again', async () => {
    const counts = () => commandsOn(['moneyRequests', 'idempotencyKeys', 'users']);
    const prepare = async () => newReference();
    const run = async (name: string, referenceId: string) => {
      const send = () =>
        createMoneyRequest(exchange, moneyRequestBody(referenceId), { idempotencyKey: `key-${referenceId}` });
      const { answer: first } = await insist(send);
      expect([name, first.status]).toEqual([name, 201]);
      const { answer: again } = await insist(send);
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
    };
    const struck = await strikeAll(proxy, { counts, prepare, run });
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
      expect([fault, (await insist(() => lookUp(exchange, referenceId))).answer.text]).toEqual([
        fault,
        expected,
      ]);
      expect([fault, armed.hasStruck()]).toEqual([fault, true]);
    }
  });

  test('an atomic call comes to its outcome, and nothing of it happens twice', async () => {
    const collections = ['remittances', 'operations', 'contacts', 'paymentMethods', 'users'];
    let calls = 0;
    const struck = await strikeAll(proxy, {
      counts: () => commandsOn(collections),
      prepare: async () => {
        const caller = callerOf(calls);
        calls += 1;
        return newAtomicCall({ caller, method: 'account', requester: 'Ruiz', payer: 'Roe' });
      },
      run: async (name, call) => {
        const { status, text } = (await insist(() => callAtomic(exchange, call))).answer;
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
    });
    expect(Object.values(struck).filter((times) => times > 0).length).toBeGreaterThan(4);
  }, 1_200_000);

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
      const { answer } = await insist(() => createMoneyRequest(exchange, moneyRequestBody(referenceId)));
      expect(answer.status).toBe(201);
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
