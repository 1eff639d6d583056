import type { ClientSession, Model } from 'mongoose';
import type { OperationIdDocument } from './model.ts';

/** An id of an operation, and the tenant that has it: another tenant may have the same. */
export interface OperationKey {
  readonly tenantId: string;
  readonly operationId: string;
}

/** The ids that operations of a tenant have, or will have. */
export interface OperationIds {
  isTaken(key: OperationKey, session?: ClientSession): Promise<boolean>;
  /** Reserves an id that must be free. @throws a duplicate key error when it is taken: the transaction is over then */
  reserve(key: OperationKey, session: ClientSession): Promise<void>;
  /** Reserves an id that may have been reserved for this very operation before. */
  ensureReserved(key: OperationKey, session: ClientSession): Promise<void>;
}

export function createOperationIds(ids: Model<OperationIdDocument>): OperationIds {
  return {
    isTaken: async (key, session) =>
      (await ids.exists({ _id: operationIdKey(key) }).session(session ?? null)) !== null,
    reserve: async (key, session) => {
      await ids.insertMany([{ _id: operationIdKey(key) }], { session });
    },
    ensureReserved: async (key, session) => {
      const _id = operationIdKey(key);
      await ids.updateOne({ _id }, { $setOnInsert: { _id } }, { upsert: true, session });
    },
  };
}

/** `_id` of an operation's id. Tenants' ids have no `|` in them. */
export function operationIdKey({ tenantId, operationId }: OperationKey): string {
  return `${tenantId}|${operationId}`;
}
