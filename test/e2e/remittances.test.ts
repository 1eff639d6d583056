import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { MOSTLY_ALL, type Server } from '../support/server.ts';
import { latestEventCursor } from '../support/statuses.ts';
import { until } from '../support/until.ts';

const ACCEPT = `mutation ($input: RequestMoneyFullInput!) {
  requestMoneyFull(input: $input) {
    remittance { correlationId status phase attempts isStuck attributionLink user { id firstName } operation { id } }
    userErrors { code path }
  }
}`;
const REMITTANCE = `query ($id: ID!) {
  remittance(correlationId: $id) {
    status phase attempts nextAttemptAt isStuck lastError { code message } user { id firstName cipStatus }
    operation { id status phase attempts lastError { code } remittance { correlationId } recipient { amount } }
  }
}`;
const PRICE = `amount { amount currency } sender { amount currency } recipient { amount currency }
  exchangeRate tenantFee { amount currency }`;
const PRICES = `query ($id: ID!) { priced: remittance(correlationId: $id) { ${PRICE} operation { ${PRICE} } } }`;
const OPERATIONS = `query {
  operations(first: 100) { nodes { id phase attempts lastError { code } remittance { correlationId status } } }
}`;
const LIST = `query ($where: RemittanceWhereInput, $sortBy: RemittanceSortInput) {
  remittances(where: $where, sortBy: $sortBy) { totalCount nodes { correlationId } }
}`;
const CHANGES = `subscription ($id: ID, $after: String) {
  remittanceChanged(correlationId: $id, after: $after) {
    cursor previousStatus status phase remittance { correlationId operation { id status } }
  }
}`;

interface Moved {
  readonly remittanceChanged: {
    cursor: string;
    previousStatus: string | null;
    status: string;
    phase: string;
  };
}

interface Remittance {
  readonly status: string;
  readonly phase: string;
  readonly attempts: number;
  readonly isStuck: boolean;
  readonly nextAttemptAt: string | null;
  readonly lastError: { code: string } | null;
  readonly user: { id: string };
}

interface Price {
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly recipient: { readonly amount: string; readonly currency: string };
}

/** The answers to the operations above, each its own part of it. */
interface Answer {
  readonly requestMoneyFull: {
    readonly remittance: Remittance | null;
    readonly userErrors: readonly object[];
  };
  readonly remittance: Remittance;
  readonly priced: Price & { readonly operation: Price | null };
  readonly operations: { readonly nodes: readonly { id: string }[] };
  readonly remittances: { readonly totalCount: number; readonly nodes: readonly { correlationId: string }[] };
}

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

let numbers = 0;
function inputOf(changes: { requester?: object; request?: object; requestTo?: object } = {}) {
  numbers += 1;
  return {
    requester: {
      phoneNumber: `+5255${12_000_000 + numbers}`,
      firstName: 'Ana',
      lastName: 'Ruiz',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'MX-CMX',
      gender: null,
      ...changes.requester,
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: '1500.50',
      destinationPaymentMethod: {
        type: 'DEBIT_CARD',
        number: '4111111111111111',
        nameOnCard: 'Ana Ruiz',
        expirationDate: '1249',
        country: 'MX',
        currency: 'MXN',
      },
      correlationId: `corr-${numbers}`,
      requestTo: {
        phoneNumber: '+12125550123',
        firstName: 'Bob',
        lastName: 'Roe',
        countryCode: 'US',
        ...changes.requestTo,
      },
      ...changes.request,
    },
  };
}

const scene = useScene();
describe.each(MOSTLY_ALL)('remittances by GraphQL, %s', (arrangement) => {
  let deployment: Deployment;
  let server: Server;
  let exchange: Exchange;
  beforeAll(async () => {
    deployment = await scene.deploy({ arrangement, env: { PIPELINE_SWEEP_SECONDS: '1' } });
    server = await deployment.start();
    exchange = exchangeWith(server.url);
  });

  const send = async (query: string, variables: object, key?: string): Promise<Answer> => {
    const answer = await queryGraph<Answer>(exchange, query, variables as Record<string, unknown>, key);
    expect(answer.errors).toBeUndefined();
    return answer.data as Answer;
  };
  const ended = async (id: string) => {
    let found: Remittance | undefined;
    await until(`the end of ${id}`, async () => {
      found = (await send(REMITTANCE, { id })).remittance;
      return found?.status !== 'IN_PROGRESS';
    });
    return found;
  };

  test('accepted, carried through, reported: by mutation, query, subscription and hook', async () => {
    const subscriber = await scene.subscriber({ url: server.url, connectionParams: { api_key: KEYS.acme } });
    const input = inputOf();
    const { correlationId } = input.request;
    const present = await latestEventCursor(exchange);
    const live = subscriber.subscribe<Moved>(CHANGES, { id: correlationId, after: present });
    const { requestMoneyFull: accepted } = await send(ACCEPT, { input });
    expect(accepted).toEqual({
      remittance: {
        correlationId,
        status: 'IN_PROGRESS',
        phase: 'CIP',
        attempts: 0,
        isStuck: false,
        attributionLink: `https://acme.test/t/${correlationId}`,
        user: { id: expect.any(String), firstName: 'Ana' },
        operation: null,
      },
      userErrors: [],
    });
    expect(await ended(correlationId)).toEqual({
      status: 'SUCCEEDED',
      phase: 'REQUEST_MONEY',
      attempts: 0,
      nextAttemptAt: null,
      isStuck: false,
      lastError: null,
      user: {
        id: accepted.remittance?.user.id,
        firstName: 'Ana',
        cipStatus: expect.stringMatching(/verified/i),
      },
      operation: {
        id: correlationId,
        status: 'SENT',
        phase: 'REQUEST_MONEY',
        attempts: 0,
        lastError: null,
        remittance: { correlationId },
        recipient: { amount: '1500.50' },
      },
    });
    const moves = await live.take(5);
    const reported = (events: readonly Moved[]) =>
      events.map(({ remittanceChanged: { previousStatus, status, phase } }) => [
        previousStatus,
        status,
        phase,
      ]);
    expect(reported(moves)).toEqual([
      [null, 'IN_PROGRESS', 'CIP'],
      ['IN_PROGRESS', 'IN_PROGRESS', 'CONTACT'],
      ['IN_PROGRESS', 'IN_PROGRESS', 'PAYMENT_METHOD'],
      ['IN_PROGRESS', 'IN_PROGRESS', 'REQUEST_MONEY'],
      ['IN_PROGRESS', 'SUCCEEDED', 'REQUEST_MONEY'],
    ]);
    const after = moves[2]?.remittanceChanged.cursor;
    expect(reported(await subscriber.subscribe<Moved>(CHANGES, { after }).take(2))).toEqual(
      reported(moves).slice(3),
    );
    const outcomes = () =>
      deployment.receiver.webhooks.filter(
        ({ path, text }) => path === '/outcome' && text.includes(`"${correlationId}"`),
      );
    await until('the outcome', () => outcomes().length > 0);
    expect(JSON.parse(outcomes()[0]?.text ?? '')).toMatchObject({ status: 'Accepted', correlationId });
  });

  test('operations lend their fields to each other across subgraphs', async () => {
    const input = inputOf();
    const id = input.request.correlationId;
    await send(ACCEPT, { input });
    await ended(id);
    const { operations } = await send(OPERATIONS, {});
    expect(operations.nodes.find((node) => node.id === id)).toEqual({
      id,
      phase: 'REQUEST_MONEY',
      attempts: 0,
      lastError: null,
      remittance: { correlationId: id, status: 'SUCCEEDED' },
    });
  });

  test('a call has its price without an operation, and then its operation has the same', async () => {
    const inputs = [inputOf({ requester: { lastName: 'CIPFAIL' } }), inputOf()];
    const prices = [];
    for (const input of inputs) {
      const id = input.request.correlationId;
      await send(ACCEPT, { input });
      const { priced } = await send(PRICES, { id });
      await ended(id);
      const { operation, ...price } = (await send(PRICES, { id })).priced;
      expect(priced).toMatchObject(price);
      prices.push({ price, operation });
    }
    const [failed, done] = prices;
    expect(failed?.price.recipient).toEqual({ amount: '1500.50', currency: 'MXN' });
    expect(failed?.price.amount).toEqual({
      amount: expect.stringMatching(/^[1-9]\d*\.\d\d$/),
      currency: 'USD',
    });
    expect(failed?.operation).toBeNull();
    expect(done?.operation).toEqual(done?.price);
  });

  test('an error for the worker, and one before it', async () => {
    const input = inputOf({ requester: { lastName: 'CIPFAIL' } });
    const id = input.request.correlationId;
    await send(ACCEPT, { input });
    expect(await ended(id)).toMatchObject({
      status: 'FAILED',
      phase: 'CIP',
      attempts: 1,
      lastError: { code: 'ERROR_CIP_NOT_COMPLETED' },
      operation: null,
    });
    expect((await send(ACCEPT, { input })).requestMoneyFull).toEqual({
      remittance: null,
      userErrors: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED', path: ['request', 'correlationId'] }],
    });
  });

  test('lists by status, by time and in both orders; what waits is not stuck before its time', async () => {
    const input = inputOf({ requestTo: { lastName: 'FUNDINGDOWN' } });
    const id = input.request.correlationId;
    await send(ACCEPT, { input });
    await until('its first attempt', async () => (await send(REMITTANCE, { id })).remittance.attempts > 0);
    const { remittance } = await send(REMITTANCE, { id });
    expect(remittance).toMatchObject({ status: 'IN_PROGRESS', phase: 'REQUEST_MONEY', isStuck: false });
    expect(remittance.lastError?.code).toBe('ERROR_INTERNAL_SERVER_ERROR');
    expect(Date.parse(String(remittance.nextAttemptAt))).toBeGreaterThan(0);
    const ids = async (variables: object): Promise<string[]> =>
      (await send(LIST, variables)).remittances.nodes.map((node) => node.correlationId);
    expect(await ids({ where: { status: ['IN_PROGRESS'] } })).toEqual([id]);
    expect(await ids({ where: { isStuck: false, status: ['IN_PROGRESS'] } })).toEqual([id]);
    const oldest = await ids({ sortBy: { field: 'CREATED_AT', direction: 'ASC' } });
    expect(oldest.at(-1)).toBe(id);
    expect(await ids({ sortBy: { field: 'CREATED_AT' } })).toEqual(oldest.toReversed());
    expect(await ids({ sortBy: { field: 'UPDATED_AT' } })).toContain(id);
    const inProgress = { where: { status: ['IN_PROGRESS'] }, sortBy: { field: 'UPDATED_AT' } };
    expect(await ids(inProgress)).toEqual([id]);
    expect(
      await ids({ where: { createdAt: { gte: '2020-01-01T00:00:00.000Z' }, status: ['SUCCEEDED'] } }),
    ).not.toContain(id);
    const createdAt = { gte: daysFromNow(-29), lt: daysFromNow(1) };
    const sum = { currency: 'MXN', amount: { gte: '0.01' }, sourceCountry: 'US', destinationCountry: 'MX' };
    const userId = remittance.user.id;
    expect(await ids({ where: { ...sum, createdAt } })).toEqual(oldest.toReversed());
    expect(await ids({ where: { createdAt, userId } })).toContain(id);
    for (const other of [
      { currency: 'USD' },
      { amount: { lte: '0.01' } },
      { sourceCountry: 'JP' },
      { userId: 'u' },
    ]) {
      expect(await ids({ where: { ...other, createdAt } })).toEqual([]);
    }
    // As it is when its phase has lasted for longer.
    const database = await deployment.database();
    await database
      .collection('remittances')
      .updateOne({ correlationId: id }, { $set: { phaseSince: new Date(0) } });
    expect(await ids({ where: { isStuck: true } })).toEqual([id]);
    expect((await send(REMITTANCE, { id })).remittance.isStuck).toBe(true);
    expect(await ids({ where: { isStuck: true, status: ['SUCCEEDED'] } })).toEqual([]);
    expect(await ids({ where: { isStuck: false } })).toEqual(oldest.toReversed().slice(1));
    const metrics = await exchange({ method: 'GET', path: '/metrics' });
    expect(metrics.text).toContain('remitgraph_pipeline_stuck{phase="REQUEST_MONEY"} 1');
  });

  test('needs both scopes, and shows nobody what is another partner’s', async () => {
    for (const key of [KEYS.acmeHalf, KEYS.acmeOnlyFull]) {
      const rejected = await queryGraph(exchange, ACCEPT, { input: inputOf() }, key);
      expect(rejected.errors?.map(({ extensions }) => extensions?.code)).toContain('FORBIDDEN');
    }
    const { remittances } = await send(LIST, {}, KEYS.globex);
    expect(remittances).toEqual({ totalCount: 0, nodes: [] });
  });
});
