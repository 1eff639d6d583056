import type { Connection } from '../platform/graphql/connection.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import type { Principal } from '../platform/principal.ts';
import type { OperationDocument, OperationModels } from './model.ts';

export interface OperationService {
  /** Those of the operations that the principal's tenant has, by operationId. */
  findByIds(principal: Principal, operationIds: readonly string[]): Promise<Map<string, OperationDocument>>;
  list(principal: Principal, filter: { userId?: string }, page: Page): Promise<Connection<OperationDocument>>;
}

interface OperationServiceDeps {
  models: OperationModels;
}

export function createOperationService({ models }: OperationServiceDeps): OperationService {
  const { operations } = models;
  return {
    findByIds: async ({ tenantId }, operationIds) => {
      const found = await operations.find({ tenantId, operationId: { $in: operationIds } }).lean();
      return new Map(found.map((operation) => [operation.operationId, operation]));
    },
    list: ({ tenantId }, filter, page) =>
      paginate(operations, { tenantId, ...filter }, page, (operation) => operation),
  };
}
