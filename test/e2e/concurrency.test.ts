import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import {
  cancelMoneyRequest,
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { MOSTLY_ALL, type Server } from '../support/server.ts';
import { until } from '../support/until.ts';

const tally = (answers: readonly RawResponse[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .toSorted()
      .map((status) => [status, answers.filter((answer) => answer.status === status).length]),
  );

const CREATE = `mutation ($input: CreateRequestMoneyInput!, $key: String) {
  createRequestMoney(input: $input, idempotencyKey: $key) {
    requestMoney { fundRequestLink } userErrors { code }
  }
}`;

interface Created {
  createRequestMoney: {
    requestMoney: { fundRequestLink: string } | null;
    userErrors: { code: string }[];
  };
}

const CANCEL = `mutation ($input: CancelRequestMoneyInput!) {
  cancelRequestMoney(input: $input) { requestMoney { statusDetails } userErrors { code } }
}`;

interface Cancelled {
  cancelRequestMoney: { requestMoney: { statusDetails: string } | null; userErrors: unknown[] };
}

/** The GraphQL input that means what {@link moneyRequestBody} means. */
function inputOf(referenceId: string) {
  const { amount, requestData, ...body } = moneyRequestBody(referenceId);
  return {
    ...body,
    amount: String(amount),
    requestData: { ...requestData, payoutMethod: 'BANK_ACCOUNT' },
  };
}

describe.each(MOSTLY_ALL)('Arrangement %s', (arrangement) => {
  const scene = useScene();
  let deployment: Deployment;
  /** Two servers on one store, or two gateways over the same subgraphs, as behind a load balancer. */
  let servers: Server[];
  let exchanges: Exchange[];
  beforeAll(async () => {
    deployment = await scene.deploy({ arrangement });
    const first = await deployment.start();
    servers = [first, await deployment.start()];
    exchanges = servers.map(({ url }) => exchangeWith(url));
  });

  const times = <T>(count: number, work: (exchange: Exchange, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(exchanges[index % 2]!, index)));

  /** How many records there are of a money request. */
  async function countOf(referenceId: string) {
    const database = await deployment.database();
    const count = (collection: string, filter: object) =>
      database.collection(collection).countDocuments(filter);
    return {
      moneyRequests: await count('moneyRequests', { referenceId }),
      events: await count('events', { entity: 'requestMoney', entityId: referenceId }),
    };
  }

  describe('Fifty identical creates at once, over two servers', () => {
    test('with one Idempotency-Key make one money request and fifty equal answers', async () => {
      const referenceId = newReference();
      const body = moneyRequestBody(referenceId);
      const answers = await times(50, (exchange) =>
        createMoneyRequest(exchange, body, { idempotencyKey: `key-${referenceId}` }),
      );
      expect(tally(answers)).toEqual({ 201: 50 });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 1 });
      await until('its webhook', () => webhooksOf(referenceId).length > 0);
      expect(new Set(webhooksOf(referenceId))).toEqual(new Set(['operation_created']));
    });

    test('without a key make one money request: one 201, forty-nine 409', async () => {
      const referenceId = newReference();
      const answers = await times(50, (exchange) =>
        createMoneyRequest(exchange, moneyRequestBody(referenceId)),
      );
      expect(tally(answers)).toEqual({ 201: 1, 409: 49 });
      const codes = answers
        .filter(({ status }) => status === 409)
        .map(({ text }) => (JSON.parse(text) as { error: { code: string } }).error.code);
      expect(new Set(codes)).toEqual(new Set(['LEGACY_REFERENCE_EXISTS']));
      expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 1 });
    });

    test('of a new user make one user', async () => {
      const userReferenceId = `new-${newReference()}`;
      const { requestData } = moneyRequestBody('');
      const answers = await times(30, (exchange) =>
        createMoneyRequest(
          exchange,
          moneyRequestBody(newReference(), { requestData: { ...requestData, userReferenceId } }),
        ),
      );
      expect(tally(answers)).toEqual({ 201: 30 });
      const database = await deployment.database();
      const users = { accountId: 'acme/sandbox', referenceId: userReferenceId };
      expect(await database.collection('users').countDocuments(users)).toBe(1);
    });
  });

  function webhooksOf(referenceId: string) {
    return deployment.receiver.webhooks
      .filter(({ text }) => text.includes(referenceId))
      .map((webhook) => headerOf(webhook, 'X-Webhook-Event'));
  }

  describe('REST and GraphQL at once', () => {
    test('make one money request of one reference', async () => {
      const referenceId = newReference();
      const [rest, graph] = await Promise.all([
        times(10, (exchange) => createMoneyRequest(exchange, moneyRequestBody(referenceId))),
        times(10, (exchange) => queryGraph<Created>(exchange, CREATE, { input: inputOf(referenceId) })),
      ]);
      const payloads = graph.map(({ data }) => data!.createRequestMoney);
      const made = payloads.filter(({ requestMoney }) => requestMoney !== null);
      const rejected = payloads.flatMap(({ userErrors }) => userErrors.map(({ code }) => code));
      expect(rest.filter(({ status }) => status === 201).length + made.length).toBe(1);
      expect(rest.filter(({ status }) => status === 409).length + rejected.length).toBe(19);
      expect(new Set(rejected)).toEqual(new Set(['LEGACY_REFERENCE_EXISTS']));
      expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 1 });
    });

    test('share an Idempotency-Key: the same create by either surface is one', async () => {
      const referenceId = newReference();
      const key = `both-${referenceId}`;
      const [rest, graph] = await Promise.all([
        times(10, (exchange) =>
          createMoneyRequest(exchange, moneyRequestBody(referenceId), { idempotencyKey: key }),
        ),
        times(10, (exchange) => queryGraph<Created>(exchange, CREATE, { input: inputOf(referenceId), key })),
      ]);
      const links = [
        ...rest.map(({ text }) => (JSON.parse(text) as { fundRequestLink: string }).fundRequestLink),
        ...graph.map(({ data }) => data?.createRequestMoney.requestMoney?.fundRequestLink),
      ];
      expect(new Set(links).size).toBe(1);
      expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 1 });
    });
  });

  describe('Status updates at once', () => {
    test('the same one twenty times moves once and makes one operation', async () => {
      const referenceId = newReference();
      await createMoneyRequest(exchanges[0]!, moneyRequestBody(referenceId));
      const answers = await times(20, (exchange) =>
        updateStatus(exchange, { referenceId, status: 'processing' }),
      );
      expect(tally(answers)).toEqual({ 200: 20 });
      const operations = answers.map(({ text }) => (JSON.parse(text) as { operationId: string }).operationId);
      expect(new Set(operations).size).toBe(1);
      expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 2 });
    });

    test('of two final ones one wins', async () => {
      const referenceId = newReference();
      await createMoneyRequest(exchanges[0]!, moneyRequestBody(referenceId));
      const answers = await times(20, (exchange, index) =>
        updateStatus(exchange, { referenceId, status: index % 4 < 2 ? 'completed' : 'cancelled' }),
      );
      expect(tally(answers)).toEqual({ 200: 10, 409: 10 });
      const won = answers.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).status);
      expect(new Set(won).size).toBe(1);
      expect(JSON.parse((await lookUp(exchanges[0]!, referenceId)).text).status).toBe(won[0]);
      expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 2 });
    });
  });

  test('A hundred cancels at once by REST and GraphQL, each with its own reason, are one', async () => {
    const referenceId = newReference();
    await createMoneyRequest(exchanges[0]!, moneyRequestBody(referenceId));
    const [rest, graph] = await Promise.all([
      times(50, (exchange, index) => cancelMoneyRequest(exchange, referenceId, { reason: `REST ${index}` })),
      times(50, (exchange, index) =>
        queryGraph<Cancelled>(exchange, CANCEL, { input: { referenceId, reason: `GraphQL ${index}` } }),
      ),
    ]);
    expect(tally(rest)).toEqual({ 200: 50 });
    const stored = JSON.parse((await lookUp(exchanges[0]!, referenceId)).text).statusDetails;
    expect(stored).toMatch(/^(?:REST|GraphQL) \d+$/);
    const answered = graph.map(({ data }) => data?.cancelRequestMoney);
    expect(answered).toEqual(
      answered.map(() => ({ requestMoney: { statusDetails: stored }, userErrors: [] })),
    );
    expect(new Set(rest.map(({ text }) => JSON.parse(text).statusDetails))).toEqual(new Set([stored]));
    expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 2 });
    await until('its webhook', () => webhooksOf(referenceId).includes('operation_updated'));
    expect(new Set(webhooksOf(referenceId))).toEqual(new Set(['operation_created', 'operation_updated']));
  });

  test('Cancels and payments at once: one of them wins, and no cancelled money request has an operation', async () => {
    const referenceId = newReference();
    await createMoneyRequest(exchanges[0]!, moneyRequestBody(referenceId));
    const [cancels, payments] = await Promise.all([
      times(10, (exchange) => cancelMoneyRequest(exchange, referenceId)),
      times(10, (exchange) => updateStatus(exchange, { referenceId, status: 'completed' })),
    ]);
    const { status, operationId } = JSON.parse((await lookUp(exchanges[0]!, referenceId)).text);
    const isCancelled = status === 'cancelled';
    expect([tally(cancels), tally(payments)]).toEqual(
      isCancelled ? [{ 200: 10 }, { 409: 10 }] : [{ 409: 10 }, { 200: 10 }],
    );
    expect(operationId === undefined).toBe(isCancelled);
    expect(await countOf(referenceId)).toEqual({ moneyRequests: 1, events: 2 });
  });
});
