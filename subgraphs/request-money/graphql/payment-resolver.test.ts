import { beforeAll, describe, expect, test } from '@jest/globals';
import { type GraphQLSchema, graphql } from 'graphql';
import type { Page } from '../../graph/paginate.ts';
import { buildSubgraph } from '../../graph/subgraph.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { OperationRecord, ReservationDocument } from '../../operations/index.ts';
import type { RemittanceDocument } from '../../remittances/index.ts';
import { principal, START, useBench } from '../testing.ts';
import type { UserPayment, UserPayments } from '../use-cases/user-payments.ts';
import { UserPaymentsResolver } from './payment-resolver.ts';
import { RequestMoneyResolver } from './resolvers.ts';

const FIELDS = `
  lastActivityAt
  paymentTotals { isWhole currencies { currency count amount { amount } completedCount completedAmount { amount currency } } }
  payments(first: 3) {
    totalCount
    nodes {
      id kind status amount { amount currency } payer { id } createdAt updatedAt
      record {
        __typename
        ... on Operation { id }
        ... on Remittance { remittance: status isStuck }
        ... on Reservation { reservationId: correlationId }
      }
    }
  }
`;
const QUERY = `query ($users: [_Any!]!) { _entities(representations: $users) { ... on User { id ${FIELDS} } } }`;

const stored = { accountId: 'acme/sandbox', userId: 'usr_1', createdAt: START, updatedAt: START };
const quote = { recipientAmount: '30.1', recipientCurrency: 'MXN' };
const remittance = (changes: Partial<RemittanceDocument>) =>
  ({
    ...stored,
    status: 'IN_PROGRESS',
    phase: 'CIP',
    phaseSince: START,
    attempts: 0,
    quote,
    ...changes,
  }) as RemittanceDocument;
const later = new Date(START.getTime() + 60_000);

/** A payment of each form but that of a money request, which `user-payments.test.ts` has. */
const PAYMENTS: readonly UserPayment[] = [
  {
    origin: { kind: 'ATOMIC_CALL', stored: remittance({ correlationId: 'waits', contactId: 'con_1' }) },
    operation: undefined,
  },
  {
    origin: { kind: 'ATOMIC_CALL', stored: remittance({ correlationId: 'made', status: 'SUCCEEDED' }) },
    operation: {
      operationId: 'made',
      status: 'Rejected',
      contactId: 'con_2',
      updatedAt: later,
    } as OperationRecord,
  },
  {
    origin: {
      kind: 'REQUEST_V2',
      stored: {
        ...{ ...stored, operationId: 'asked', status: 'FAILED' },
        ...{ recipientAmount: '7', recipientCurrency: 'GTQ' },
      } as ReservationDocument,
    },
    operation: undefined,
  },
];
const total = { status: null, period: null, sourceCountry: null, destinationCountry: null };

const bench = useBench();
const asked: { userId: string; page?: Page }[] = [];
const payments: UserPayments = {
  page: async ({ userId }, page) => {
    asked.push({ userId, page });
    const edges = PAYMENTS.map((node, index) => ({ node, cursor: String(index) }));
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: '0', endCursor: '2' };
    return { edges, nodes: [...PAYMENTS], pageInfo, count: async () => 3 };
  },
  totals: async () => ({
    all: [
      { ...total, currency: 'GTQ', count: 1, amount: '7' },
      { ...total, currency: 'MXN', count: 2, amount: '60.2' },
    ],
    completed: [{ ...total, currency: 'MXN', count: 1, amount: '30.1' }],
    isWhole: false,
  }),
  lastActivityAt: async () => later,
};
let schema: GraphQLSchema;
beforeAll(async () => {
  const definition = {
    name: 'request-money',
    resolvers: [new RequestMoneyResolver(bench.service), new UserPaymentsResolver(payments, () => later)],
    references: {},
  };
  schema = await (await buildSubgraph(definition)).federatedSchema();
});

async function read(by: Principal) {
  const variableValues = { users: [{ __typename: 'User', id: 'usr_1' }] };
  return graphql({ schema, source: QUERY, variableValues, contextValue: { principal: by, requestId: 'r1' } });
}

describe("A user's payments in the graph", () => {
  test('have a kind, a status, an amount, a payer and their farthest record', async () => {
    const { data, errors } = await read(principal);
    expect(errors).toBeUndefined();
    const at = START.toISOString();
    const money = { amount: '30.1', currency: 'MXN' };
    expect(JSON.parse(JSON.stringify(data))).toEqual({
      _entities: [
        {
          id: 'usr_1',
          lastActivityAt: later.toISOString(),
          paymentTotals: {
            isWhole: false,
            currencies: [
              {
                ...{ currency: 'GTQ', count: 1, amount: { amount: '7' } },
                ...{ completedCount: 0, completedAmount: { amount: '0', currency: 'GTQ' } },
              },
              {
                ...{ currency: 'MXN', count: 2, amount: { amount: '60.2' } },
                ...{ completedCount: 1, completedAmount: money },
              },
            ],
          },
          payments: {
            totalCount: 3,
            nodes: [
              {
                ...{ id: 'waits', kind: 'ATOMIC_CALL', status: 'PENDING', amount: money },
                ...{ payer: { id: 'con_1' }, createdAt: at, updatedAt: at },
                record: { __typename: 'Remittance', remittance: 'IN_PROGRESS', isStuck: true },
              },
              {
                ...{ id: 'made', kind: 'ATOMIC_CALL', status: 'FAILED', amount: money },
                ...{ payer: { id: 'con_2' }, createdAt: at, updatedAt: later.toISOString() },
                record: { __typename: 'Operation', id: 'made' },
              },
              {
                ...{ id: 'asked', kind: 'REQUEST_V2', status: 'FAILED', createdAt: at, updatedAt: at },
                ...{ amount: { amount: '7', currency: 'GTQ' }, payer: null },
                record: { __typename: 'Reservation', reservationId: 'asked' },
              },
            ],
          },
        },
      ],
    });
    expect(asked).toEqual([{ userId: 'usr_1', page: expect.objectContaining({ first: 3 }) }]);
  });

  test('are for callers with the scope `partner` alone', async () => {
    const { errors } = await read({ ...principal, scopes: ['partner_admin'] });
    expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect(asked).toHaveLength(1);
  });
});
