import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { OperationIdDocument } from './model.ts';

/** An operation's id and its tenant: another tenant may have the same id. */
export interface OperationKey {
  readonly accountId: AccountId;
  readonly operationId: string;
}

/** The ids that an account's operations have, or will have. */
export interface OperationIds {
  isTaken(key: OperationKey, unit?: UnitOfWork): Promise<boolean>;
  /** The accounts among some in which the id is taken. */
  having(accountIds: readonly AccountId[], operationId: string): Promise<AccountId[]>;
  /** Reserves an id that must be free. @throws a duplicate key error when it is taken: the transaction is over then */
  reserve(key: OperationKey, unit: UnitOfWork): void;
}

export function createOperationIds(ids: Model<OperationIdDocument>): OperationIds {
  return {
    isTaken: async (key, unit) =>
      (await ids.exists({ _id: operationIdKey(key) }).session(unit?.session ?? null)) !== null,
    having: async (accountIds, operationId) => {
      const keys = accountIds.map((accountId) => operationIdKey({ accountId, operationId }));
      const found = new Set((await ids.find({ _id: { $in: keys } }).lean()).map(({ _id }) => _id));
      return accountIds.filter((_, index) => found.has(keys[index] ?? ''));
    },
    reserve: (key, unit) => unit.insert(ids, [{ _id: operationIdKey(key) }]),
  };
}

/** `_id` of an operation's id. Tenants' ids have no `|` in them. */
export function operationIdKey({ accountId, operationId }: OperationKey): string {
  return `${accountId}|${operationId}`;
}
