import { beforeEach, describe, expect, test } from '@jest/globals';
import { type GraphQLSchema, graphql } from 'graphql';
import { buildSubgraph } from '../../graph/subgraph.ts';
import type { Principal } from '../../kernel/principal.ts';
import { newCorrelationId, principal, stranger, useBench } from '../testing.ts';
import { OperationResolver } from './resolvers.ts';
import { OperationSimulation } from './simulation.ts';

const bench = useBench();
let schema: GraphQLSchema;
let operationId: string;

beforeEach(async () => {
  const resolvers = [new OperationResolver(bench.service), new OperationSimulation(bench.service)];
  ({ schema } = await buildSubgraph({ name: 'operations', resolvers, references: {} }));
  operationId = newCorrelationId();
  await bench.request(await bench.newUser(), { correlationId: operationId });
});

const SIMULATE = `mutation ($input: SimulateOperationStatusInput!) {
  simulateOperationStatus(input: $input) { operation { status statusDetails } userErrors { code } }
}`;

async function simulate(status: string, more: object = {}, by: Principal = principal) {
  const contextValue = { principal: by, requestId: 'r1' };
  const variableValues = { input: { operationId, status, ...more } };
  const { data } = await graphql({ schema, source: SIMULATE, variableValues, contextValue });
  return data?.simulateOperationStatus;
}

describe('simulateOperationStatus', () => {
  test('moves the operation with its history and event', async () => {
    const failed = { statusDetails: 'ByBank', failureReason: 'Declined' };
    expect(await simulate('REJECTED', failed)).toEqual({
      operation: { status: 'REJECTED', statusDetails: 'ByBank' },
      userErrors: [],
    });
    const { operation, moves, events } = await bench.stored(operationId);
    expect(operation).toMatchObject({ status: 'Rejected', failureReason: 'Declined' });
    expect([moves.at(-1), events.at(-1)]).toMatchObject([{ status: 'Rejected' }, { status: 'Rejected' }]);
    expect(await simulate('FUNDING')).toEqual({
      operation: null,
      userErrors: [{ code: 'INVALID_TRANSITION' }],
    });
  });

  test.each([
    ['a live key', 'SANDBOX_ONLY', { ...principal, accountId: 'acme/live' as const }],
    ["another partner's key", 'OPERATION_NOT_FOUND', stranger],
  ])('by %s changes nothing', async (_name, code, by) => {
    const before = await bench.stored(operationId);
    expect(await simulate('FUNDING', {}, by)).toEqual({ operation: null, userErrors: [{ code }] });
    expect(await bench.stored(operationId)).toEqual(before);
  });
});
