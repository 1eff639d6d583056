import type { ClientSession } from 'mongoose';
import type { Result } from '../platform/errors/refusal.ts';
import type { NewEvent } from '../platform/events/index.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import type { Principal } from '../platform/principal.ts';
import { type Fulfilment, fulfil } from './fulfilment.ts';
import type { OperationDocument, OperationModels } from './model.ts';

/** What other slices may ask of operations, inside their own transaction. */
export interface OperationsPort {
  /** Creates the operation that fulfils an ask, or moves it on. */
  fulfil(input: Fulfilment, session: ClientSession): Promise<Result<{ operationId: string }>>;
}

export interface OperationService extends OperationsPort {
  /** Those of the operations that the principal's tenant has, by operationId. */
  findByIds(principal: Principal, operationIds: readonly string[]): Promise<Map<string, OperationDocument>>;
  list(principal: Principal, filter: { userId?: string }, page: Page): Promise<Connection<OperationDocument>>;
}

interface OperationServiceDeps {
  models: OperationModels;
  events: { append(events: NewEvent[], session: ClientSession): Promise<void> };
}

export function createOperationService(deps: OperationServiceDeps): OperationService {
  const { operations } = deps.models;
  return {
    fulfil: (input, session) => fulfil(deps, input, session),
    findByIds: async ({ tenantId }, operationIds) => {
      const found = await operations.find({ tenantId, operationId: { $in: operationIds } }).lean();
      return new Map(found.map((operation) => [operation.operationId, operation]));
    },
    list: ({ tenantId }, filter, page) =>
      paginate(operations, { tenantId, ...filter }, page, (operation) => operation),
  };
}
