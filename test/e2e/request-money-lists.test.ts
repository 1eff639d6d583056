import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { type Exchange, injectInto } from '../support/http.ts';
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
import { buildTestApp } from '../support/test-app.ts';

const LIST = `query ($where: RequestMoneyWhereInput, $sortBy: RequestMoneySortInput, $first: Int, $after: String, $last: Int, $before: String) {
  requestMonies(where: $where, sortBy: $sortBy, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { referenceId status createdAt updatedAt } pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
  }
}`;

interface Listed {
  readonly requestMonies: {
    readonly totalCount: number;
    readonly nodes: readonly { referenceId: string; status: string; createdAt: string; updatedAt: string }[];
    readonly pageInfo: { readonly endCursor: string | null; readonly startCursor: string | null };
  };
}

const scene = useScene();
let exchange: Exchange;
let connection: Connection;
let queries: readonly StoreQuery[];
/** Those that look through the money requests of a span. */
/** In the order in which they were made; the second and fourth moved on, the fourth first. */
const references: string[] = [];
beforeAll(async () => {
  const { env } = await scene.deploy();
  const app = await buildTestApp(env);
  scene.atEnd(app.close);
  connection = app.connection;
  queries = recordQueries(connection);
  exchange = injectInto(app.app);
  for (const user of ['u-1', 'u-2', 'u-1', 'u-2', 'u-1']) {
    const referenceId = newReference();
    const { requestData } = moneyRequestBody(referenceId);
    await createMoneyRequest(
      exchange,
      moneyRequestBody(referenceId, { requestData: { ...requestData, userReferenceId: user } }),
    );
    references.push(referenceId);
  }
  await createMoneyRequest(exchange, moneyRequestBody(newReference()), { key: KEYS.globex });
  await updateStatus(exchange, { referenceId: references[3] ?? '', status: 'processing' });
  await updateStatus(exchange, { referenceId: references[1] ?? '', status: 'completed' });
});

async function list(variables: Record<string, unknown>): Promise<Listed['requestMonies']> {
  const answer = await queryGraph<Listed>(exchange, LIST, variables);
  expect(answer.errors).toBeUndefined();
  return answer.data?.requestMonies as Listed['requestMonies'];
}

const numbersOf = ({ nodes }: Listed['requestMonies']) =>
  nodes.map(({ referenceId }) => references.indexOf(referenceId) + 1);
const listed = async (variables: Record<string, unknown>) => numbersOf(await list(variables));

describe('requestMonies', () => {
  test('lists the newest first', async () => {
    expect(await listed({})).toEqual([5, 4, 3, 2, 1]);
  });

  test.each([
    ['oldest first', { field: 'CREATED_AT', direction: 'ASC' }, [1, 2, 3, 4, 5]],
    ['last changed first', { field: 'UPDATED_AT' }, [2, 4, 5, 3, 1]],
    ['longest unchanged first', { field: 'UPDATED_AT', direction: 'ASC' }, [1, 3, 5, 4, 2]],
  ])('sorts: %s', async (_order, sortBy, expected) => {
    expect(await listed({ sortBy })).toEqual(expected);
    const { pageInfo } = await list({ sortBy, first: 2 });
    expect(await listed({ sortBy, after: pageInfo.endCursor })).toEqual(expected.slice(2));
    expect(await listed({ sortBy, last: 1, before: pageInfo.endCursor })).toEqual(expected.slice(0, 1));
  });

  test.each([
    ['one status', { status: 'PENDING' }, [5, 3, 1]],
    ['several', { status: ['PROCESSING', 'COMPLETED'] }, [4, 2]],
    ['none', { status: [] }, []],
    ['a requester', { userReferenceId: 'u-2' }, [4, 2]],
    ['a requester and a status', { userReferenceId: 'u-2', status: ['COMPLETED'] }, [2]],
    ['nobody', { userReferenceId: 'u-3' }, []],
    ['a reference that nobody has', { referenceId: 'AAAAAAAA' }, []],
    ['a user that nobody is', { userId: 'usr_none' }, []],
    ['null', { status: null, createdAt: null, referenceId: null, userReferenceId: null }, [5, 4, 3, 2, 1]],
    ['an open range', { createdAt: {} }, [5, 4, 3, 2, 1]],
  ])('filters by %s', async (_what, where, expected) => {
    const found = await list({ where });
    expect(numbersOf(found)).toEqual(expected);
    expect(found.totalCount).toBe(expected.length);
  });

  test.each<[string, object, number[]]>([
    ['amount', { amount: { gte: '1500.5', lte: '1500.50' } }, [5, 4, 3, 2, 1]],
    ['a lower amount, as text a higher one', { amount: { gte: '900', lte: '1500.49' } }, []],
    ['currency', { currency: 'MXN' }, [5, 4, 3, 2, 1]],
    ['another currency', { currency: 'USD' }, []],
    ['corridor', { sourceCountry: 'US', destinationCountry: 'MX' }, [5, 4, 3, 2, 1]],
    ['another corridor', { sourceCountry: 'JP', destinationCountry: 'MX' }, []],
  ])('filters by %s within a span, and of a requester', async (_what, where, expected) => {
    const [newest] = (await list({ first: 1 })).nodes;
    const lt = new Date(Date.parse(String(newest?.createdAt)) + 1_000);
    const createdAt = { gte: new Date(lt.getTime() - 31 * 86_400_000), lt };
    const found = await list({ where: { ...where, createdAt } });
    expect([numbersOf(found), found.totalCount]).toEqual([expected, expected.length]);
    const ofOne = expected.filter((number) => number % 2 === 0);
    expect(await listed({ where: { ...where, userReferenceId: 'u-2' } })).toEqual(ofOne);
    const { errors } = await queryGraph(exchange, LIST, { where });
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });

  test('filters by reference, and by reference and status', async () => {
    const where = { referenceId: references[2] };
    expect(await listed({ where })).toEqual([3]);
    expect(await listed({ where: { ...where, status: 'COMPLETED' } })).toEqual([]);
  });

  test('filters by time of creation, from and before', async () => {
    const { nodes } = await list({ sortBy: { field: 'CREATED_AT', direction: 'ASC' } });
    const [, second, third, fourth] = nodes.map(({ createdAt }) => createdAt);
    expect(await listed({ where: { createdAt: { gte: second, lt: fourth } } })).toEqual([3, 2]);
    expect(await listed({ where: { createdAt: { lt: second } } })).toEqual([1]);
    const range = { createdAt: { gte: third }, status: 'PENDING' };
    expect(await listed({ where: range })).toEqual([5, 3]);
  });

  test('rejects a range of creation in order of the last change', async () => {
    const variables = {
      where: { createdAt: { gte: '2026-01-01T00:00:00.000Z' } },
      sortBy: { field: 'UPDATED_AT' },
    };
    const { errors } = await queryGraph(exchange, LIST, variables);
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });

  test("never lists what is another partner's", async () => {
    const answer = await queryGraph<Listed>(
      exchange,
      LIST,
      { where: { userReferenceId: 'u-1' } },
      KEYS.globex,
    );
    expect(answer.data?.requestMonies).toMatchObject({ totalCount: 0, nodes: [] });
  });
});

describe('requestMoneyTotals and operationTotals', () => {
  const send = async (query: string, key?: string) => {
    const { data, errors } = await queryGraph<{ totals: unknown }>(exchange, query, {}, key);
    expect(errors).toBeUndefined();
    return data?.totals;
  };

  test('count and sum what the lists have', async () => {
    const kinds = 'status currency period sourceCountry destinationCountry';
    const totals = `totals: requestMoneyTotals(groupBy: [STATUS, CORRIDOR]) { ${kinds} count amount { amount currency } }`;
    const { amount } = moneyRequestBody(newReference());
    const rest = { currency: null, period: null, sourceCountry: 'US', destinationCountry: 'MX' };
    const of = (status: string, count: number) => ({
      status,
      ...rest,
      count,
      amount: { amount: String(amount * count), currency: 'MXN' },
    });
    expect(await send(`{ ${totals} }`)).toEqual([of('COMPLETED', 1), of('PENDING', 3), of('PROCESSING', 1)]);
    const filtered =
      '{ totals: requestMoneyTotals(where: { userReferenceId: "u-2" }, groupBy: []) { count } }';
    expect(await send(filtered)).toEqual([{ count: 2 }]);
  });

  test('agree: an operation has the countries of the money request that it fulfils', async () => {
    const query =
      '{ totals: operationTotals(groupBy: [CORRIDOR]) { sourceCountry destinationCountry count } }';
    expect(await send(query)).toEqual([{ sourceCountry: 'US', destinationCountry: 'MX', count: 2 }]);
  });

  test('cost as much as what they may be: four in one operation, not five', async () => {
    const many = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `t${index}: operationTotals(groupBy: []) { count }`).join(' ')} }`;
    expect((await queryGraph(exchange, many(4))).errors).toBeUndefined();
    const { errors } = await queryGraph(exchange, many(5));
    expect(errors?.[0]?.extensions?.code).toBe('COST_LIMIT_EXCEEDED');
  });

  test("are the caller's own", async () => {
    expect(await send('{ totals: requestMoneyTotals(groupBy: []) { count } }', KEYS.globex)).toEqual([
      { count: 1 },
    ]);
    expect(await send('{ totals: operationTotals(groupBy: []) { count } }', KEYS.globex)).toEqual([]);
  });
});

describe('failureCause', () => {
  const WITH_CAUSES = `query ($money: RequestMoneyWhereInput, $made: OperationWhereInput) {
    requestMonies(where: $money) { nodes { referenceId failureCause } }
    operations(where: $made) { nodes { status failureCause requestMoney { referenceId } } }
  }`;

  test('is that of the operation for its money request, and lists within a span filter by it', async () => {
    const [declined = '', paying = ''] = [references[0], references[3]];
    await updateStatus(exchange, {
      referenceId: declined,
      status: 'rejected',
      statusDetails: 'card declined',
    });
    await updateStatus(exchange, { referenceId: paying, status: 'rejected', statusDetails: 'Expired card' });
    const [newest] = (await list({ first: 1 })).nodes;
    const lt = new Date(Date.parse(String(newest?.createdAt)) + 60_000);
    const createdAt = { gte: new Date(lt.getTime() - 31 * 86_400_000), lt };
    const of = async (failureCause: string, key?: string) => {
      const where = { failureCause: [failureCause], createdAt };
      return (await queryGraph(exchange, WITH_CAUSES, { money: where, made: where }, key)).data;
    };
    expect(await of('CARD_DECLINED')).toEqual({
      requestMonies: { nodes: [{ referenceId: declined, failureCause: 'CARD_DECLINED' }] },
      operations: { nodes: [] },
    });
    expect(await of('CARD_EXPIRED')).toEqual({
      requestMonies: { nodes: [{ referenceId: paying, failureCause: 'CARD_EXPIRED' }] },
      operations: {
        nodes: [{ status: 'REJECTED', failureCause: 'CARD_EXPIRED', requestMoney: { referenceId: paying } }],
      },
    });
    const nothing = { requestMonies: { nodes: [] }, operations: { nodes: [] } };
    expect(await of('PAYOUT_FAILED')).toEqual(nothing);
    expect(await of('CARD_EXPIRED', KEYS.globex)).toEqual(nothing);
  });

  test('is no filter of a list without a span', async () => {
    const where = { failureCause: ['REJECTED'], status: ['REJECTED'] };
    const { errors } = await queryGraph(exchange, LIST, { where });
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});

test('a declared index serves every query, filter and sort together', async () => {
  for (const where of [{ status: 'PENDING' }, { userReferenceId: 'u-2' }]) {
    expect((await listed({ where, sortBy: { field: 'UPDATED_AT' } })).length).toBeGreaterThan(0);
  }
  expect(findUnserved(connection, queries)).toEqual([]);
  expect(queries.filter(({ collection }) => collection === 'moneyRequests').length).toBeGreaterThan(20);
});
