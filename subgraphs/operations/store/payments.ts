import { createPaymentSource, MOST_COUNTED } from '../../graph/payment-source.ts';
import { readNewestTotals } from '../../kernel/database/totals.ts';
import type { OperationPayments } from '../port.ts';
import type { OperationModels } from './model.ts';
import type { OperationRepository } from './operation-repository.ts';

const AMOUNTS = { amount: 'recipientAmount', currency: 'recipientCurrency' };

/** Reads for the list of a user's payments. */
export function createOperationPayments(
  { operations: model, reservations }: Pick<OperationModels, 'operations' | 'reservations'>,
  operations: Pick<OperationRepository, 'findMany'>,
): OperationPayments {
  return {
    requests: createPaymentSource(reservations, AMOUNTS, (reservation) => reservation),
    findOperations: async (accountId, operationIds) =>
      operationIds.length === 0 ? new Map() : operations.findMany(accountId, operationIds),
    completed: ({ accountId, userId }) =>
      readNewestTotals(model, { accountId, userId, status: 'Completed' }, AMOUNTS, MOST_COUNTED),
    changedAt: async ({ accountId, userId }) => {
      const latest = await model
        .findOne({ accountId, userId })
        .sort({ updatedAt: -1, _id: -1 })
        .select({ updatedAt: 1 })
        .lean();
      return latest?.updatedAt;
    },
  };
}
