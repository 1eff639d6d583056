import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ExecutionResult, type GraphQLSchema, graphql, parse, subscribe } from 'graphql';
import type { FollowEvents } from '../../graph/event-subscription.ts';
import { buildSubgraph } from '../../graph/subgraph.ts';
import { fail, succeed } from '../../kernel/errors/result.ts';
import type { Principal, Scope } from '../../kernel/principal.ts';
import type { FollowOptions, LoggedEvent } from '../../runtime/events/index.ts';
import { ACCOUNT, newCorrelationId, priceOf, principal, START, stranger, useBench } from '../testing.ts';
import { fulfil } from '../use-cases/fulfil-money-request.ts';
import { resolveOperations } from './references.ts';
import { OperationResolver, UserOperationsResolver } from './resolvers.ts';
import { createStatusResolver } from './status-subscription.ts';

const bench = useBench();
let userId: string;
let schema: GraphQLSchema;
let followed: FollowOptions[];
let follow: FollowEvents;

beforeEach(async () => {
  userId = await bench.newUser();
  followed = [];
  const { service: operations } = bench;
  const resolvers = [
    new OperationResolver(operations),
    new UserOperationsResolver(operations),
    createStatusResolver({
      operations,
      follow: (options) => {
        followed.push(options);
        return follow(options);
      },
    }),
  ];
  const references = { Operation: resolveOperations(operations) };
  ({ schema } = await buildSubgraph({ name: 'operations', resolvers, references }));
});

async function execute(
  source: string,
  variableValues: Record<string, unknown> = {},
  by: Principal = principal,
): Promise<ExecutionResult> {
  return graphql({ schema, source, variableValues, contextValue: { principal: by, requestId: 'r1' } });
}

const withScopes = (...scopes: Scope[]): Principal => ({ ...principal, scopes });

const FIELDS = `id correlationId type code platId status statusDetails cancelable isIgnored
  amount { amount currency } sender { amount currency } recipient { amount currency } exchangeRate
  tenantFee { amount currency } reason attributionLink recipientReferenceId user { id } contact { id }
  destinationPaymentMethod { id } requestMoney { referenceId } createdAt updatedAt
  history { previousStatus status statusDetails occurredAt }`;

describe('an operation', () => {
  test('of a request has its money, its people by reference and its history', async () => {
    const correlationId = newCorrelationId();
    await bench.request(userId, { correlationId, reason: 'Rent' });
    bench.now = new Date(START.getTime() + 1_000);
    await bench.update(correlationId, { status: 'Accepted' });
    const { operation } = await bench.stored(correlationId);
    const usd = (amount: string) => ({ amount, currency: 'USD' });
    const answer = await execute(`query($id: ID!) { operation(id: $id) { ${FIELDS} } }`, {
      id: correlationId,
    });
    expect(answer).toEqual({
      data: {
        operation: {
          id: correlationId,
          correlationId,
          type: 'request',
          code: operation?.code,
          platId: operation?.platId,
          status: 'ACCEPTED',
          statusDetails: 'Accepted',
          cancelable: false,
          isIgnored: false,
          amount: usd('103'),
          sender: usd('100'),
          recipient: { amount: '1825', currency: 'MXN' },
          exchangeRate: '18.25',
          tenantFee: usd('3'),
          reason: 'Rent',
          attributionLink: `https://acme.test/t/${correlationId}`,
          recipientReferenceId: null,
          user: { id: userId },
          contact: { id: operation?.contactId },
          destinationPaymentMethod: { id: operation?.paymentMethodId },
          requestMoney: null,
          createdAt: '2026-11-21T08:00:00.000Z',
          updatedAt: '2026-11-21T08:00:01.000Z',
          history: [
            {
              previousStatus: null,
              status: 'SENT',
              statusDetails: 'RequestSent',
              occurredAt: '2026-11-21T08:00:00.000Z',
            },
            {
              previousStatus: 'SENT',
              status: 'ACCEPTED',
              statusDetails: 'Accepted',
              occurredAt: '2026-11-21T08:00:01.000Z',
            },
          ],
        },
      },
    });
  });

  test("of a payer link's money request has no price", async () => {
    const operationId = newCorrelationId();
    const fulfilment = {
      accountId: 'acme/sandbox' as const,
      operationId,
      countries: { sourceCountry: 'US', destinationCountry: 'MX' },
      requestReferenceId: 'AB12cd34',
      recipientReferenceId: 'u-77',
      userId,
      quote: priceOf('5'),
      status: 'Funding' as const,
      statusDetails: 'PaymentInProgress',
      at: START,
    };
    await bench.deps.transaction((unit) => fulfil(bench.deps, fulfilment, unit));
    const answer = await execute(`query($id: ID!) { operation(id: $id) { ${FIELDS} } }`, {
      id: operationId,
    });
    expect(answer.errors).toBeUndefined();
    expect(answer.data?.operation).toMatchObject({
      amount: { amount: '0.27', currency: 'USD' },
      sender: { amount: '0.27', currency: 'USD' },
      recipient: { amount: '5', currency: 'MXN' },
      exchangeRate: '18.25',
      tenantFee: { amount: '0', currency: 'USD' },
      attributionLink: null,
      contact: null,
      destinationPaymentMethod: null,
      requestMoney: { referenceId: 'AB12cd34' },
      recipientReferenceId: 'u-77',
    });
  });
});

describe('requestMoneyV2', () => {
  const REQUEST = `mutation($input: RequestMoneyV2Input!) {
    requestMoneyV2(input: $input) { operation { id status cancelable } userErrors { code path } }
  }`;
  const inputOf = (correlationId: string) => ({
    userId,
    requestTo: '+13125550188',
    correlationId,
    recipientAmount: '18.25',
    recipientCurrency: 'MXN',
    reason: null,
    destinationPaymentMethod: { ...ACCOUNT, type: 'UBN', nameOnCard: null },
  });

  test('makes an operation, or says why not', async () => {
    const input = inputOf(newCorrelationId());
    expect(await execute(REQUEST, { input })).toEqual({
      data: {
        requestMoneyV2: {
          operation: { id: input.correlationId, status: 'SENT', cancelable: true },
          userErrors: [],
        },
      },
    });
    expect(await execute(REQUEST, { input })).toEqual({
      data: {
        requestMoneyV2: {
          operation: null,
          userErrors: [{ code: 'ERROR_CORRELATION_ID_ALREADY_USED', path: ['correlationId'] }],
        },
      },
    });
  });

  test('a body that is no JSON has an issue of shape', async () => {
    const answer = await execute(
      'mutation($user: ID!) { requestMoneyV2FromJson(userToken: $user, body: "{") { userErrors { code message } } }',
      { user: userId },
    );
    expect(answer.data).toEqual({
      requestMoneyV2FromJson: {
        userErrors: [{ code: 'ERROR_REQUEST_MONEY_FULL', message: 'The body must be JSON, in UTF-8' }],
      },
    });
  });
});

describe('scopes', () => {
  test.each([
    ['mutation { updateOperationStatusFromJson(operationId: "o", body: "{}") { userErrors { code } } }'],
  ])('%s is internal', async (source) => {
    expect(await execute(source)).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    expect(await execute(source, {}, withScopes('internal'))).toMatchObject({
      data: { updateOperationStatusFromJson: { userErrors: [{ code: 'VALIDATION_FAILED' }, {}] } },
    });
  });

  test.each([
    ['{ operation(id: "o") { id } }'],
    ['{ operations { totalCount } }'],
    ['{ operationHistory(userToken: "u") { id } }'],
    ['mutation { requestMoneyV2FromJson(userToken: "u", body: "{}") { userErrors { code } } }'],
  ])('%s needs partner', async (source) => {
    expect(await execute(source, {}, withScopes('internal'))).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
  });
});

test("operationHistory distinguishes another tenant's user from an unknown one", async () => {
  const source = 'query($user: ID!) { operationHistory(userToken: $user) { id } }';
  expect(await execute(source, { user: userId }, stranger)).toMatchObject({
    errors: [{ extensions: { code: 'USER_TENANT_MISMATCH' } }],
  });
  expect(await execute(source, { user: 'nobody' })).toMatchObject({
    errors: [{ extensions: { code: 'ERROR_SUBSCRIBER_NOT_FOUND' } }],
  });
});

describe('operations', () => {
  const LIST = `query($where: OperationWhereInput, $sortBy: OperationSortInput) {
    operations(where: $where, sortBy: $sortBy, first: 100) { nodes { id } }
  }`;

  test('are filtered and ordered as their indexes allow', async () => {
    const [first, second] = [newCorrelationId(), newCorrelationId()];
    await bench.request(userId, { correlationId: first });
    bench.now = new Date(START.getTime() + 1_000);
    await bench.request(userId, { correlationId: second });
    bench.now = new Date(START.getTime() + 2_000);
    await bench.update(first, { status: 'Rejected' });
    const idsOf = async (where: object, sortBy: object | null = null) => {
      const answer = await execute(LIST, { where: { userId, ...where }, sortBy });
      const list = answer.data?.operations as { nodes: { id: string }[] };
      return list.nodes.map(({ id }) => id);
    };
    expect(await idsOf({})).toEqual([second, first]);
    expect(await idsOf({}, { field: 'UPDATED_AT' })).toEqual([first, second]);
    expect(await idsOf({}, { field: 'CREATED_AT', direction: 'ASC' })).toEqual([first, second]);
    expect(await idsOf({ status: ['REJECTED', 'FAILED'] })).toEqual([first]);
    expect(await idsOf({ createdAt: { gte: '2026-11-21T08:00:01.000Z' } })).toEqual([second]);
    expect(await idsOf({ referenceId: 'u-none' })).toEqual([]);
  });

  test('are not ordered by one time within a span of the other', async () => {
    const where = { createdAt: { gte: '2026-11-21T08:00:00.000Z' } };
    expect(await execute(LIST, { where, sortBy: { field: 'UPDATED_AT' } })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });
});

describe('operationStatusChanged', () => {
  const SUBSCRIBE = `subscription($operationId: ID, $userId: ID, $after: String) {
    operationStatusChanged(operationId: $operationId, userId: $userId, after: $after) {
      cursor occurredAt previousStatus status statusDetails operation { id status }
    }
  }`;
  const start = (variableValues: Record<string, unknown>) =>
    subscribe({
      schema,
      document: parse(SUBSCRIBE),
      variableValues,
      contextValue: { principal, requestId: 'r1' },
    });

  test('sends moves with the operation as it is, of one user if the argument says so', async () => {
    const correlationId = newCorrelationId();
    await bench.request(userId, { correlationId });
    const { events } = await bench.stored(correlationId);
    const logged = { ...events[0], cursor: 'c1' } as unknown as LoggedEvent;
    follow = async () =>
      succeed(
        (async function* () {
          yield logged;
        })(),
      );
    const source = (await start({ userId, after: 'c0' })) as AsyncGenerator<ExecutionResult>;
    expect((await source.next()).value).toEqual({
      data: {
        operationStatusChanged: {
          cursor: 'c1',
          occurredAt: '2026-11-21T08:00:00.000Z',
          previousStatus: null,
          status: 'SENT',
          statusDetails: 'RequestSent',
          operation: { id: correlationId, status: 'SENT' },
        },
      },
    });
    expect(followed).toMatchObject([{ accountId: 'acme/sandbox', entity: 'operation', after: 'c0' }]);
    expect(followed[0]?.matches?.(logged)).toBe(true);
    expect(followed[0]?.matches?.({ ...logged, data: { userId: 'u_other' } })).toBe(false);
  });

  test('of one operation follows that one alone; a bad cursor fails at the start', async () => {
    follow = async () => fail('INVALID_CURSOR');
    expect(await start({ operationId: 'op_1', after: 'bad' })).toMatchObject({
      errors: [{ extensions: { code: 'INVALID_CURSOR' } }],
    });
    expect(followed).toMatchObject([{ entityId: 'op_1', matches: undefined }]);
  });
});
