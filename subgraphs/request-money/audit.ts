import type { Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { MONEY_REQUEST_STATUS_OF, type OperationStatus } from '../operations/index.ts';
import { type Check, checkRecords } from '../runtime/audit/audit.ts';
import { compareWithEvents, type StateRules } from '../runtime/audit/states.ts';
import { createMoneyRequestModels, type MoneyRequestDocument } from './store/model.ts';

interface MoneyRequestRules extends Omit<StateRules, 'entity'> {
  /** The account's operations with these operationIds. */
  readonly findOperations: (
    accountId: AccountId,
    operationIds: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly status: OperationStatus }>>;
}

/** The check of money requests: the last event has the status, and the fulfilling operation agrees with it. */
export function checkMoneyRequests(connection: Connection, rules: MoneyRequestRules): Check {
  return checkRecords<MoneyRequestDocument>({
    name: 'moneyRequests',
    model: createMoneyRequestModels(connection).moneyRequests,
    time: 'updatedAt',
    labelOf: ({ referenceId }) => referenceId,
    judge: async (accountId, found) => {
      const states = found.map(({ referenceId: id, version, status, updatedAt: changedAt }) => ({
        ...{ id, version, status, changedAt },
      }));
      const events = await compareWithEvents({ ...rules, entity: 'requestMoney' }, accountId, states);
      const ids = found.flatMap(({ operationId }) => operationId ?? []);
      const operations = await rules.findOperations(accountId, ids);
      return new Map(
        found.map((moneyRequest) => [
          moneyRequest._id,
          [...(events.get(moneyRequest.referenceId) ?? []), ...disagreements(moneyRequest, operations)],
        ]),
      );
    },
  });
}

function disagreements(
  { operationId, status }: MoneyRequestDocument,
  operations: ReadonlyMap<string, { readonly status: OperationStatus }>,
): string[] {
  if (operationId === undefined) {
    return status === 'processing' || status === 'completed' ? [`It is ${status} without an operation`] : [];
  }
  const operation = operations.get(operationId);
  return operation !== undefined && MONEY_REQUEST_STATUS_OF[operation.status] === status
    ? []
    : [`It is ${status}, and its operation ${operationId} is ${operation?.status ?? 'missing'}`];
}
