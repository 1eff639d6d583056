import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type GraphQLSchema, graphql } from 'graphql';
import { buildSubgraph } from '../../graph/subgraph.ts';
import { newCorrelationId, priceOf, principal, START, stranger, useBench } from '../testing.ts';
import { fulfil } from '../use-cases/fulfil-money-request.ts';
import { resolveOperations } from './references.ts';
import { OperationResolver, UserOperationsResolver } from './resolvers.ts';

const bench = useBench('file');
const ALL = 'status currency period sourceCountry destinationCountry count amount { amount currency }';
let schema: GraphQLSchema;
let userId: string;

beforeAll(async () => {
  const resolvers = [new OperationResolver(bench.service), new UserOperationsResolver(bench.service)];
  const references = { Operation: resolveOperations(bench.service) };
  ({ schema } = await buildSubgraph({ name: 'operations', resolvers, references }));
  userId = await bench.newUser();
  for (const status of ['Sent', 'Accepted', 'Rejected'] as const) {
    const correlationId = newCorrelationId();
    const requested = await bench.request(userId, { correlationId });
    expect(requested.ok).toBe(true);
    if (status !== 'Sent') {
      await bench.update(correlationId, { status });
    }
  }
  const fulfilment = {
    accountId: 'acme/sandbox' as const,
    requestReferenceId: 'AB12cd34',
    recipientReferenceId: 'u-77',
    userId,
    countries: { sourceCountry: 'CA', destinationCountry: 'MX' },
    quote: priceOf('0.01'),
    status: 'Funding' as const,
    statusDetails: 'PaymentInProgress',
    at: new Date('2026-12-01T05:59:59.999Z'),
  };
  await bench.deps.transaction((unit) => fulfil(bench.deps, fulfilment, unit));
});

beforeEach(() => {
  bench.now = START;
});

async function totals(args: string, by = principal, fields = ALL) {
  const source = `{ operationTotals${args} { ${fields} } }`;
  const { data, errors } = await graphql({
    schema,
    source,
    contextValue: { principal: by, requestId: 'r1' },
  });
  return {
    totals: data?.operationTotals,
    errors: errors?.map(({ message, extensions }) => [extensions.code, message]),
  };
}

test('without a grouping there is one for each currency, and only its sum names it', async () => {
  expect(await totals('(groupBy: [])')).toEqual({
    totals: [
      {
        status: null,
        currency: null,
        period: null,
        sourceCountry: null,
        destinationCountry: null,
        count: 4,
        amount: { amount: '5475.01', currency: 'MXN' },
      },
    ],
  });
});

test('of statuses and currencies; a grouping that is given twice counts once', async () => {
  const { totals: found } = await totals(
    '(groupBy: [STATUS, CURRENCY, STATUS])',
    principal,
    'status currency count',
  );
  expect(found).toEqual(
    ['ACCEPTED', 'FUNDING', 'REJECTED', 'SENT'].map((status) => ({ status, currency: 'MXN', count: 1 })),
  );
});

test('of corridors: of operations of documents 1 and 2', async () => {
  const fields = 'sourceCountry destinationCountry count';
  expect(await totals('(groupBy: [CORRIDOR])', principal, fields)).toEqual({
    totals: [
      { sourceCountry: 'CA', destinationCountry: 'MX', count: 1 },
      { sourceCountry: 'US', destinationCountry: 'MX', count: 3 },
    ],
  });
});

test.each([
  ['(groupBy: [MONTH])', ['2026-11-01', '2026-12-01']],
  ['(groupBy: [MONTH], timeZone: "America/Mexico_City")', ['2026-11-01']],
  ['(groupBy: [DAY], timeZone: "america/mexico_city")', ['2026-11-21', '2026-11-30']],
  ['(groupBy: [WEEK])', ['2026-11-16', '2026-11-30']],
])('of periods %s', async (args, periods) => {
  expect(await totals(args, principal, 'period')).toEqual({ totals: periods.map((period) => ({ period })) });
});

test('of the operations that match `where`', async () => {
  const where = '{ status: [SENT, ACCEPTED], createdAt: { lt: "2026-11-30T00:00:00Z" } }';
  expect(await totals(`(groupBy: [], where: ${where})`, principal, 'count')).toEqual({
    totals: [{ count: 2 }],
  });
  expect(await totals('(groupBy: [], where: { referenceId: "u-77" })', principal, 'count')).toEqual({
    totals: [{ count: 1 }],
  });
});

test("are the caller's own", async () => {
  expect(await totals('(groupBy: [STATUS])', stranger)).toEqual({ totals: [] });
});

test.each([
  ['(groupBy: [DAY, MONTH])', 'groupBy takes one of DAY, WEEK and MONTH.'],
  ...['Mars/Olympus', '+05:30', '', '../etc/passwd', 'UTC+1'].map((zone) => [
    `(groupBy: [DAY], timeZone: ${JSON.stringify(zone)})`,
    'timeZone is not an IANA time zone, such as "America/Mexico_City".',
  ]),
])('%s is answered BAD_USER_INPUT', async (args, message) => {
  expect(await totals(args)).toEqual({ totals: undefined, errors: [['BAD_USER_INPUT', message]] });
});
