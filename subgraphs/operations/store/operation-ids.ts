import type { ClientSession, Model } from 'mongoose';
import type { OperationIdDocument } from './model.ts';

type Ids = Model<OperationIdDocument>;

/** Whether an operation of the tenant has this id, or will have it. */
export async function isIdTaken(
  ids: Ids,
  tenantId: string,
  operationId: string,
  session: ClientSession | null = null,
): Promise<boolean> {
  return (await ids.exists({ _id: operationIdKey({ tenantId, operationId }) }).session(session)) !== null;
}

/** Keeps an id that must be free. @throws a duplicate key error when it is taken */
export async function reserveId(
  ids: Ids,
  tenantId: string,
  operationId: string,
  session: ClientSession,
): Promise<void> {
  await ids.insertMany([{ _id: operationIdKey({ tenantId, operationId }) }], { session });
}

/** Keeps an id that may have been kept for this very operation before. */
export async function ensureReserved(
  ids: Ids,
  tenantId: string,
  operationId: string,
  session: ClientSession,
): Promise<void> {
  const _id = operationIdKey({ tenantId, operationId });
  await ids.updateOne({ _id }, { $setOnInsert: { _id } }, { upsert: true, session });
}

/** `_id` of an operation's id. Tenants' ids have no `|` in them. */
export function operationIdKey({ tenantId, operationId }: { tenantId: string; operationId: string }): string {
  return `${tenantId}|${operationId}`;
}
