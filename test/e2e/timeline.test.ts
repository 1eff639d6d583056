import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import type { IdName, Ids } from '../support/isolation/ids.ts';
import { CASH, callerOf, fillTenant, personOf } from '../support/isolation/tenant-data.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { findUnserved, recordQueries, type StoreQuery } from '../support/query-shapes.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { inWords, OF_OPERATION, OF_REMITTANCE, OF_REQUEST, type Timeline } from '../support/timelines.ts';
import { until } from '../support/until.ts';

const scene = useScene();
let deployment: Deployment;
let target: TestApp;
let exchange: Exchange;
let ids: Ids;
let queries: readonly StoreQuery[];
beforeAll(async () => {
  deployment = await scene.deploy({
    env: {
      PIPELINE_SWEEP_SECONDS: '1',
      PIPELINE_RETRY_SECONDS: '1',
      WEBHOOK_SWEEP_SECONDS: '1',
      WEBHOOK_RETRY_SECONDS: '0',
      WEBHOOK_MAX_ATTEMPTS: '2',
    },
  });
  target = await buildTestApp(deployment.env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  ids = (await fillTenant({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange)).ids;
  queries = recordQueries(target.connection);
});

const own = (name: IdName) => String(ids.get(name));

async function read(document: string, id: string, page: object = { first: 200 }, key: string = KEYS.acme) {
  return queryGraph<{ record: (Pick<Timeline, 'verdict'> & { timeline: Timeline }) | null }>(
    exchange,
    document,
    { id, ...page },
    key,
  );
}

async function timelineOf(document: string, id: string, key: string = KEYS.acme): Promise<Timeline> {
  const { data, errors } = await read(document, id, { first: 200 }, key);
  expect(errors).toBeUndefined();
  if (!data?.record) {
    throw new Error(`There is no record ${id}`);
  }
  // Calls come from another log, a moment later (`request-log.test.ts`).
  const { nodes } = data.record.timeline;
  return {
    ...data.record.timeline,
    verdict: data.record.verdict,
    nodes: nodes.filter(({ __typename }) => __typename !== 'TimelineRequest'),
  };
}

/** The timeline once each webhook in it was delivered or given up. */
async function endedTimelineOf(document: string, id: string): Promise<Timeline> {
  let read: Timeline | undefined;
  await until('all of its webhooks have ended', async () => {
    read = await timelineOf(document, id);
    const changes = read.nodes.filter(({ __typename }) => __typename === 'TimelineWebhook');
    const [stored, ended] = [
      changes.filter(({ before }) => before === null),
      changes.filter(({ before }) => before),
    ];
    return stored.length > 0 && stored.length === ended.length;
  });
  return read as Timeline;
}

/** Accepts an atomic call. */
async function requestFull(correlationId: string, lastName: string): Promise<void> {
  const number = Math.floor(Math.random() * 9_000_000) + 1_000_000;
  const requester = { ...personOf(() => 'Ana'), lastName, phoneNumber: `+52551${number}` };
  const requestTo = { phoneNumber: '+12125550123', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
  const request = { recipientCurrency: 'MXN', recipientAmount: 30.1, correlationId, requestTo };
  const body = { requester, request: { ...request, destinationPaymentMethod: CASH } };
  const call = callerOf({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange);
  await call('POST', '/v1/user/operations/request-money-full', body);
}

describe('The timeline', () => {
  test('of an atomic call: its phases, its operation, and the webhook with its attempt, in order', async () => {
    const id = own('atomicId');
    const { verdict, nodes, problems, isCut } = await endedTimelineOf(OF_OPERATION, id);
    expect(nodes.map(inWords)).toEqual([
      'REMITTANCE null > IN_PROGRESS',
      'phase CONTACT',
      'phase PAYMENT_METHOD',
      'phase REQUEST_MONEY',
      'OPERATION null > SENT',
      'REMITTANCE IN_PROGRESS > SUCCEEDED',
      'webhook request_money_full_outcome null > PENDING',
      'attempt request_money_full_outcome 1 204',
      'webhook request_money_full_outcome PENDING > DELIVERED',
    ]);
    expect({ problems, isCut }).toEqual({ problems: [], isCut: false });
    expect(nodes.map(({ at }) => at)).toEqual(nodes.map(({ at }) => at).toSorted());
    expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
    expect(verdict).toMatchObject({ cause: 'WAITING_FOR_PAYER', next: null, actBy: null });
    expect(await timelineOf(OF_REMITTANCE, id)).toMatchObject({ verdict, nodes });
  });

  test('of a money request and of the operation that pays it: the same, with the activity of the link', async () => {
    const { verdict, nodes } = await endedTimelineOf(OF_OPERATION, own('operationId'));
    const words = nodes.map(inWords);
    expect(words).toEqual(
      expect.arrayContaining([
        'REQUEST_MONEY null > PENDING',
        'REQUEST_MONEY PENDING > PROCESSING',
        'OPERATION null > FUNDING',
        'webhook operation_created null > PENDING',
        'webhook operation_updated PENDING > DELIVERED',
        'attempt operation_updated 1 204',
        'LINK_CREATED',
      ]),
    );
    expect(words.indexOf('REQUEST_MONEY null > PENDING')).toBeLessThan(
      words.indexOf('OPERATION null > FUNDING'),
    );
    expect(words.filter((word) => word.startsWith('OPERATION_'))).toEqual([]);
    expect(verdict).toMatchObject({ cause: 'PAYING', next: null });
    expect(await timelineOf(OF_REQUEST, own('referenceId'))).toMatchObject({ verdict, nodes });
  });

  test('of a call that a provider rejects says at which step, why, and what to do', async () => {
    const { verdict, nodes, problems } = await endedTimelineOf(OF_REMITTANCE, own('failedId'));
    expect(verdict).toEqual({
      summary: expect.stringMatching(
        /^Failed at \d\d:\d\d: the customer did not pass the identity check\. The payer was not asked\. /,
      ),
      cause: 'IDENTITY_NOT_VERIFIED',
      next: 'COMPLETE_IDENTITY_CHECK',
      actBy: null,
    });
    expect(nodes.map(inWords).slice(0, 3)).toEqual([
      'REMITTANCE null > IN_PROGRESS',
      'failed CIP 1 for good',
      'REMITTANCE IN_PROGRESS > FAILED',
    ]);
    expect(problems).toEqual([
      {
        step: 'CIP',
        code: 'ERROR_CIP_NOT_COMPLETED',
        message: expect.any(String),
        nextAction: 'COMPLETE_IDENTITY_CHECK',
        at: expect.any(String),
        nextAttemptAt: null,
      },
    ]);
  });

  test('of a call whose provider is away has each failed attempt and the next one, then the end', async () => {
    const id = `late-${Date.now()}`;
    await requestFull(id, 'VALIDATORDOWN');
    let waiting: Timeline | undefined;
    // The problems and the verdict are two reads, so the failure may stand in one of them before.
    await until('it has failed once', async () => {
      waiting = await timelineOf(OF_REMITTANCE, id);
      return waiting.problems.length > 0 && waiting.verdict?.cause === 'RETRYING';
    });
    const [first] = waiting?.problems ?? [];
    expect(first).toMatchObject({ step: 'CIP', code: 'ERROR_INTERNAL_SERVER_ERROR', nextAction: 'WAIT' });
    const [failure] = (waiting?.nodes ?? []).filter(
      ({ __typename }) => __typename === 'TimelinePhaseFailure',
    );
    expect(failure?.nextAttemptAt).toBe(first?.nextAttemptAt);
    expect(waiting?.verdict).toMatchObject({ cause: 'RETRYING', next: 'WAIT', actBy: first?.nextAttemptAt });
    await until(
      'it has failed',
      async () => (await timelineOf(OF_REMITTANCE, id)).problems[0]?.nextAction !== 'WAIT',
    );
    const { verdict, nodes, problems } = await timelineOf(OF_REMITTANCE, id);
    expect(verdict).toMatchObject({ cause: 'PROVIDER_UNAVAILABLE', next: 'REQUEST_AGAIN', actBy: null });
    expect(nodes.map(inWords).slice(0, 4)).toEqual([
      'REMITTANCE null > IN_PROGRESS',
      'failed CIP 1 for now',
      'failed CIP 2 for good',
      'REMITTANCE IN_PROGRESS > FAILED',
    ]);
    expect(problems).toMatchObject([{ nextAction: 'REQUEST_AGAIN', nextAttemptAt: null }]);
  });

  test('of a money request whose webhooks fail names the endpoint, its answer, and how to go on', async () => {
    const referenceId = newReference();
    deployment.receiver.answer(({ text }) => (text.includes(referenceId) ? 503 : 204));
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await until('its webhooks are given up', async () => {
      const { problems } = await timelineOf(OF_REQUEST, referenceId);
      return problems.length > 0 && problems.every(({ nextAction }) => nextAction !== 'WAIT');
    });
    const { verdict, nodes, problems } = await timelineOf(OF_REQUEST, referenceId);
    expect(verdict).toMatchObject({
      summary: expect.stringMatching(/^Waiting for the payer since \d\d:\d\d; expires in \d+ \w+\.$/),
      cause: 'WAITING_FOR_PAYER',
      next: null,
    });
    expect(problems).toContainEqual({
      step: 'operation_created',
      code: 'http_status',
      message: 'The webhook was answered with 503.',
      nextAction: 'MEND_ENDPOINT_AND_REPLAY',
      at: expect.any(String),
      nextAttemptAt: null,
    });
    const counted = `query ($id: String!) { requestMoney(referenceId: $id) { verdict { undeliveredWebhooks } } }`;
    const { data } = await queryGraph<object>(exchange, counted, { id: referenceId });
    expect(data).toEqual({ requestMoney: { verdict: { undeliveredWebhooks: problems.length } } });
    expect(nodes.map(inWords).filter((word) => word.includes('operation_created'))).toEqual([
      'webhook operation_created null > PENDING',
      'attempt operation_created 1 503',
      'attempt operation_created 2 503',
      'webhook operation_created PENDING > DEAD_LETTERED',
    ]);
  });

  test('of a money request has the webhooks about calls that named it and failed, before it was made and after', async () => {
    const referenceId = newReference();
    const bad = moneyRequestBody(referenceId, { amount: -1 });
    await createMoneyRequest(exchange, bad);
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await createMoneyRequest(exchange, bad, { key: KEYS.soylent });
    await updateStatus(exchange, { referenceId, status: 'paid' });
    const words = (await endedTimelineOf(OF_REQUEST, referenceId)).nodes.map(inWords);
    expect(words.filter((word) => word.includes('null > PENDING'))).toEqual([
      'webhook operation_error null > PENDING',
      'REQUEST_MONEY null > PENDING',
      'webhook operation_created null > PENDING',
      'webhook operation_error null > PENDING',
    ]);
  });

  test('has only what is of the own partner, where another one has the same reference', async () => {
    const referenceId = newReference();
    for (const key of [KEYS.acme, KEYS.soylent]) {
      expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId), { key })).status).toBe(201);
    }
    await updateStatus(exchange, { referenceId, status: 'processing' });
    const theirs = await timelineOf(OF_REQUEST, referenceId, KEYS.soylent);
    expect(theirs.nodes.filter(({ subject }) => subject != null).map(inWords)).toEqual([
      'REQUEST_MONEY null > PENDING',
    ]);
    const mine = await timelineOf(OF_REQUEST, referenceId);
    const deliveries = ({ nodes }: Timeline) =>
      nodes.flatMap(({ deliveryId }) => (deliveryId == null ? [] : deliveryId));
    expect(deliveries(mine).filter((id) => deliveries(theirs).includes(id))).toEqual([]);
    expect(mine.nodes.map(inWords)).toContain('OPERATION null > FUNDING');
    expect((await read(OF_OPERATION, own('operationId'), {}, KEYS.soylent)).data).toEqual({ record: null });
  });

  test('comes in pages that together are the whole', async () => {
    const id = own('operationId');
    const { nodes } = await endedTimelineOf(OF_OPERATION, id);
    const paged: Timeline['nodes'][number][] = [];
    let after: string | null = null;
    for (let hasMore = true; hasMore; ) {
      const { data } = await read(OF_OPERATION, id, { first: 3, after });
      const page = data?.record?.timeline;
      paged.push(...(page?.nodes ?? []));
      hasMore = page?.pageInfo.hasNextPage === true;
      after = page?.pageInfo.endCursor ?? null;
    }
    expect(paged.filter(({ __typename }) => __typename !== 'TimelineRequest')).toEqual(nodes);
    expect(nodes.length).toBeGreaterThan(6);
  });

  test.each<[object, string]>([
    [{ first: 0 }, 'BAD_USER_INPUT'],
    [{ first: 201 }, 'BAD_USER_INPUT'],
    [{ after: 'nowhere' }, 'INVALID_CURSOR'],
    [{ after: '' }, 'INVALID_CURSOR'],
  ])('does not take the page %p', async (page, code) => {
    const { errors } = await read(OF_OPERATION, own('operationId'), page);
    expect(errors).toMatchObject([{ extensions: { code } }]);
  });

  test('takes 15 commands at most while no webhook waits, and its verdict two, each served by a declared index', async () => {
    const before = queries.length;
    await timelineOf(OF_OPERATION, own('operationId'));
    // The partner's limits of calls, read with its endpoints once in two seconds, are not of the timeline.
    const made = queries
      .slice(before)
      .filter(({ collection, filter }) => 'accountId' in filter && collection !== 'webhookEndpoints');
    expect(findUnserved(target.connection, made)).toEqual([]);
    expect(made.map(({ collection }) => collection).toSorted()).toEqual([
      ...Array<string>(4).fill('events'),
      'linkActivities',
      'moneyRequests',
      ...Array<string>(2).fill('operationHistory'),
      ...Array<string>(3).fill('operations'),
      'remittances',
      'requestLog',
      'reservations',
      'webhookAttempts',
      'webhookDeliveries',
      'webhookDeliveries',
    ]);
  });
});
