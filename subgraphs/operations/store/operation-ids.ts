import type { AccountId } from '../../kernel/account.ts';
import type { UniqueValue, UniqueValues } from '../../kernel/database/unique-values.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';

/** An operation's id and its tenant: another tenant may have the same id. */
export interface OperationKey {
  readonly accountId: AccountId;
  readonly operationId: string;
}

/** The ids that an account's operations have or, after an accepted atomic call or a request by v2, will have. */
export interface OperationIds {
  isTaken(key: OperationKey, unit?: UnitOfWork): Promise<boolean>;
  /** The accounts among some in which the id is taken. */
  having(accountIds: readonly AccountId[], operationId: string): Promise<AccountId[]>;
  /** Reserves an id that must be free. @throws a duplicate key error when it is taken: the transaction is over then */
  reserve(key: OperationKey, unit: UnitOfWork): void;
}

export function createOperationIds(unique: UniqueValues): OperationIds {
  return {
    isTaken: (key, unit) => unique.isTaken(toValue(key), unit),
    having: async (accountIds, operationId) => {
      const taken = await unique.takenOf(accountIds.map((accountId) => toValue({ accountId, operationId })));
      return taken.map(({ accountId }) => accountId);
    },
    reserve: (key, unit) => unique.take([toValue(key)], unit),
  };
}

function toValue({ accountId, operationId }: OperationKey): UniqueValue {
  return { accountId, kind: 'operationId', value: operationId };
}
