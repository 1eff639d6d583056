import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { CASH, personOf } from '../support/isolation/tenant-data.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { findUnserved, recordQueries, type StoreQuery } from '../support/query-shapes.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const PAYMENTS = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  user(id: $id) {
    lastActivityAt
    paymentTotals { isWhole currencies { currency count amount { amount currency } completedCount completedAmount { amount } } }
    payments(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes {
        id kind status amount { amount currency } payer { firstName } createdAt updatedAt
        record {
          __typename
          ... on Operation { id code operation: status }
          ... on RequestMoney { referenceId requestMoney: status }
          ... on Remittance { correlationId remittance: status lastError { code } }
          ... on Reservation { correlationId reservation: status }
        }
      }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

interface Payment {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
interface User {
  readonly lastActivityAt: string | null;
  readonly paymentTotals: object;
  readonly payments: {
    readonly totalCount: number;
    readonly nodes: readonly Payment[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean } & Readonly<
      Record<'startCursor' | 'endCursor', string | null>
    >;
  };
}

const PHONE = '+525577001100';
const PAYER = '+12125550144';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let queries: readonly StoreQuery[];
/** Registered by phone number, and known by the partner's own id. */
const users = { registered: '', referenced: '' };
const references = [newReference(), newReference()] as const;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PIPELINE_SWEEP_SECONDS: '1' } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  queries = recordQueries(target.connection);
  users.registered = await fillRegistered();
  users.referenced = await fillReferenced();
});

async function call(method: string, path: string, body: object, key: object = { 'X-API-Key': KEYS.acme }) {
  const headers = { ...key, 'content-type': 'application/json' };
  const answer = await exchange({ method, path, headers, body: JSON.stringify(body) });
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return JSON.parse(answer.text);
}

const name = () => 'Xiomara';
const payer = { phoneNumber: PAYER, firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
const amount = (recipientAmount: number) => ({ recipientAmount, recipientCurrency: 'MXN' });

/** An atomic call and a request by v2 that came to operations, the first of which is completed, and an atomic call that failed. */
async function fillRegistered(): Promise<string> {
  const person = { ...personOf(name), phoneNumber: PHONE };
  const full = (correlationId: string, requester: object) =>
    call('POST', '/v1/user/operations/request-money-full', {
      requester,
      request: { ...amount(30.25), correlationId, requestTo: payer, destinationPaymentMethod: CASH },
    });
  const { userId } = await full('made', person);
  await until('the first call has its operation', async () => {
    const { data } = await queryGraph<{ operation: object | null }>(
      exchange,
      '{ operation(id: "made") { id } }',
    );
    return data?.operation !== null;
  });
  for (const status of ['Funding', 'Funded', 'Completed']) {
    const move = { partnerId: 'acme', status };
    await call('PATCH', '/v1/internal/operations/made/status', move, { 'X-Internal-Key': INTERNAL_KEY });
  }
  await call('POST', `/v1/user/operations/request-money-v2/${userId}`, {
    ...{ ...amount(12.5), correlationId: 'by-v2', requestTo: PAYER },
    destinationPaymentMethod: CASH,
  });
  await full('failed', { ...person, lastName: 'CIPFAIL' });
  await until('the second call has failed', async () => {
    const query = '{ remittance(correlationId: "failed") { status } }';
    const { data } = await queryGraph<{ remittance: { status: string } }>(exchange, query);
    return data?.remittance.status === 'FAILED';
  });
  return userId;
}

/** A money request that is being paid, and one that waits for its payer. */
async function fillReferenced(): Promise<string> {
  const { requestData } = moneyRequestBody('');
  for (const referenceId of references) {
    const changes = { amount: 20, requestData: { ...requestData, userReferenceId: 'u-payments' } };
    expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId, changes))).status).toBe(201);
  }
  const paid = { partnerId: 'acme', referenceId: references[0], status: 'processing' };
  await call('PATCH', '/v1/internal/remittances/status', paid, { 'X-Internal-Key': INTERNAL_KEY });
  const query = `{ requestMoney(referenceId: "${references[0]}") { user { id } } }`;
  const { data } = await queryGraph<{ requestMoney: { user: { id: string } } }>(exchange, query);
  return String(data?.requestMoney.user.id);
}

async function read(id: string, page: object = {}, key: string = KEYS.acme): Promise<User | null> {
  const { data, errors } = await queryGraph<{ user: User | null }>(exchange, PAYMENTS, { id, ...page }, key);
  expect(errors).toBeUndefined();
  return data?.user ?? null;
}

describe("The list of a user's payments", () => {
  test('has atomic calls, requests by v2 and their operations, each payment once with its farthest record', async () => {
    const user = await read(users.registered);
    const made = { __typename: 'Operation', code: expect.any(String) };
    expect(user?.payments).toMatchObject({
      totalCount: 3,
      nodes: [
        {
          ...{ id: 'failed', kind: 'ATOMIC_CALL', status: 'FAILED', payer: null },
          record: {
            ...{ __typename: 'Remittance', correlationId: 'failed', remittance: 'FAILED' },
            lastError: { code: 'ERROR_CIP_NOT_COMPLETED' },
          },
        },
        {
          ...{ id: 'by-v2', kind: 'REQUEST_V2', status: 'PENDING', payer: { firstName: 'Bob' } },
          record: { ...made, id: 'by-v2', operation: 'SENT' },
        },
        {
          ...{ id: 'made', kind: 'ATOMIC_CALL', status: 'COMPLETED', payer: { firstName: 'Bob' } },
          amount: { amount: '30.25', currency: 'MXN' },
          record: { ...made, id: 'made', operation: 'COMPLETED' },
        },
      ],
    });
  });

  test('has money requests, with the operation that fulfils one of them', async () => {
    const user = await read(users.referenced);
    const money = { kind: 'MONEY_REQUEST', payer: null, amount: { amount: '20', currency: 'MXN' } };
    expect(user?.payments).toMatchObject({
      totalCount: 2,
      nodes: [
        {
          ...{ ...money, id: references[1], status: 'PENDING' },
          record: { __typename: 'RequestMoney', referenceId: references[1], requestMoney: 'PENDING' },
        },
        { ...{ ...money, id: references[0] }, record: { __typename: 'Operation', operation: 'FUNDING' } },
      ],
    });
  });

  test('is read in pages from both ends', async () => {
    const whole = (await read(users.registered))?.payments.nodes.map(({ id }) => id) ?? [];
    const forward: string[] = [];
    let page: object = { first: 1 };
    for (let more = true; more; ) {
      const found = (await read(users.registered, page))?.payments;
      forward.push(...(found?.nodes ?? []).map(({ id }) => id));
      page = { first: 1, after: found?.pageInfo.endCursor };
      more = found?.pageInfo.hasNextPage ?? false;
    }
    expect(forward).toEqual(whole);
    const end = await read(users.registered, { last: 2 });
    expect(end?.payments.nodes.map(({ id }) => id)).toEqual(whole.slice(-2));
    expect(end?.payments.pageInfo.hasPreviousPage).toBe(true);
    const rest = await read(users.registered, { last: 2, before: end?.payments.pageInfo.startCursor });
    expect(rest?.payments.nodes.map(({ id }) => id)).toEqual(whole.slice(0, 1));
    const { errors } = await queryGraph(exchange, PAYMENTS, { id: users.registered, first: 101 });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test('comes with count, sums and the last activity', async () => {
    const user = await read(users.registered);
    expect(user?.paymentTotals).toEqual({
      isWhole: true,
      currencies: [
        {
          currency: 'MXN',
          count: 3,
          amount: { amount: '73', currency: 'MXN' },
          completedCount: 1,
          completedAmount: { amount: '30.25' },
        },
      ],
    });
    const times = (user?.payments.nodes ?? []).flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]);
    expect(times).toContain(user?.lastActivityAt);
    const link = `mutation { createLink(input: { flow: CIP, referenceId: "u-idle" }) { link { user { id } } } }`;
    type Made = { createLink: { link: { user: { id: string } } } };
    const { data } = await queryGraph<Made>(exchange, link);
    expect(await read(String(data?.createLink.link.user.id))).toMatchObject({
      lastActivityAt: null,
      paymentTotals: { isWhole: true, currencies: [] },
      payments: { totalCount: 0, nodes: [] },
    });
  });

  test('is for nobody but the partner, in its environment', async () => {
    for (const key of [KEYS.soylent, KEYS.acmeLive]) {
      expect(await read(users.registered, {}, key)).toBeNull();
    }
  });

  test('is served by indexes', () => {
    expect(findUnserved(target.connection, queries)).toEqual([]);
  });
});
