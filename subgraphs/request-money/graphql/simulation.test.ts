import { beforeEach, describe, expect, test } from '@jest/globals';
import { type GraphQLSchema, graphql } from 'graphql';
import { buildSubgraph } from '../../graph/subgraph.ts';
import type { Principal } from '../../kernel/principal.ts';
import { bodyOf, newReference, principal, useBench } from '../testing.ts';
import { RequestMoneyResolver } from './resolvers.ts';
import { RequestMoneySimulation } from './simulation.ts';

const bench = useBench();
let schema: GraphQLSchema;
let referenceId: string;

beforeEach(async () => {
  const { service } = bench;
  const resolvers = [new RequestMoneyResolver(service), new RequestMoneySimulation(service)];
  ({ schema } = await buildSubgraph({ name: 'request-money', resolvers, references: {} }));
  referenceId = newReference();
  await bench.create(bodyOf(referenceId));
  bench.forget();
});

const SIMULATE = `mutation ($input: SimulateRequestMoneyStatusInput!) {
  simulateRequestMoneyStatus(input: $input) { requestMoney { status statusDetails } userErrors { code } }
}`;

async function simulate(status: string, more: object = {}, by: Principal = principal) {
  const contextValue = { principal: by, requestId: 'r1' };
  const variableValues = { input: { referenceId, status, ...more } };
  const { data } = await graphql({ schema, source: SIMULATE, variableValues, contextValue });
  return data?.simulateRequestMoneyStatus;
}

describe('simulateRequestMoneyStatus', () => {
  test('moves the money request with the events and webhooks of a real payment', async () => {
    expect(await simulate('COMPLETED', { statusDetails: 'Paid' })).toEqual({
      requestMoney: { status: 'COMPLETED', statusDetails: 'Paid' },
      userErrors: [],
    });
    expect(bench.sent()).toEqual(['operation_updated', 'operation.completed']);
    expect(bench.events.filter(({ entity }) => entity === 'operation').at(-1)).toMatchObject({
      status: 'Completed',
    });
    expect(await simulate('CANCELLED')).toEqual({
      requestMoney: null,
      userErrors: [{ code: 'INVALID_TRANSITION' }],
    });
  });

  test('lets one of two at once through', async () => {
    const answers = await Promise.all([simulate('REJECTED'), simulate('CANCELLED')]);
    const codes = answers.flatMap((answer) => JSON.stringify(answer).match(/INVALID_TRANSITION/g) ?? []);
    expect(codes).toEqual(['INVALID_TRANSITION']);
    expect(bench.sent().filter((event) => event === 'operation_updated')).toHaveLength(1);
  });

  test.each([
    ['a live key', 'SANDBOX_ONLY', { ...principal, accountId: 'acme/live' as const }],
    [
      'a partner without the feature',
      'API_FEATURE_NOT_ENABLED',
      { ...principal, accountId: 'nobody/sandbox' as const },
    ],
  ])('by %s changes nothing and sends nothing', async (_name, code, by) => {
    expect(await simulate('COMPLETED', {}, by)).toEqual({ requestMoney: null, userErrors: [{ code }] });
    expect(bench.sent()).toEqual([]);
    expect(await simulate('PENDING')).toMatchObject({ requestMoney: { status: 'PENDING' } });
  });
});
