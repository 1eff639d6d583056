import type { ClientSession, Connection } from 'mongoose';
import type { NewEvent } from '../platform/events/index.ts';
import type { SubgraphDefinition } from '../platform/graphql/subgraph.ts';
import { createOperationModels } from './model.ts';
import { resolveOperations } from './reference.ts';
import { OperationResolver, UserOperationsResolver } from './resolver.ts';
import { createOperationService, type OperationsPort } from './service.ts';

export type { Fulfilment } from './fulfilment.ts';
export type { OperationStatus } from './lifecycle.ts';
export type { OperationsPort } from './service.ts';

/** The operations slice: operations and their history. */
export function createOperations(deps: {
  connection: Connection;
  events: { append(events: NewEvent[], session: ClientSession): Promise<void> };
}): { subgraph: SubgraphDefinition; port: OperationsPort } {
  const operations = createOperationService({
    models: createOperationModels(deps.connection),
    events: deps.events,
  });
  return {
    subgraph: {
      name: 'operations',
      resolvers: [new OperationResolver(operations), new UserOperationsResolver(operations)],
      references: { Operation: resolveOperations(operations) },
    },
    port: operations,
  };
}
