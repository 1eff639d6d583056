import type { ClientSession } from 'mongoose';
import { newId } from '../../platform/database/ids.ts';
import type { OperationWriting } from '../deps.ts';
import type { OperationStatus } from '../lifecycle.ts';
import type { OperationDocument, OperationHistoryDocument, OperationRecord } from '../store/model.ts';
import { sealTexts } from '../store/sealed-texts.ts';

/** A step of an operation from one status to the next; null before the first. */
export interface Move {
  from: OperationStatus | null;
  to: OperationStatus;
  version: number;
}

/** An operation without what is made for it when it is saved. */
export type NewOperation = Omit<
  OperationRecord,
  '_id' | 'type' | 'code' | 'platId' | 'linkId' | 'completedAt' | 'failedAt'
>;

/** How many codes are tried: with a million operations of a tenant one in a million is taken. */
const CODES = 5;

/**
 * Saves a new operation with its history and events, in the caller's transaction, and attaches it to the link that it was
 * begun from. Its id is reserved already.
 */
export async function insertOperation(
  deps: OperationWriting,
  operation: NewOperation,
  moves: readonly Move[],
  session: ClientSession,
): Promise<OperationDocument> {
  const linkId = await attach(deps, operation, moves, session);
  const { reason, failureReason, ...plain } = operation;
  const identity = { _id: newId('o_'), tenantId: operation.tenantId };
  const document: OperationDocument = {
    ...plain,
    ...sealTexts(deps.box, identity, { reason, failureReason }),
    ...(linkId !== undefined && { linkId }),
    ...timesOf(operation.status, operation.createdAt),
    ...identity,
    type: 'request',
    code: await findFreeCode(deps, operation.tenantId, session),
    platId: newId('plat_'),
  };
  await deps.operations.insert(document, session);
  await recordMoves(deps, document, moves, session);
  await recordOnLink(deps, { ...document, failureReason }, moves, document.createdAt, session);
  return document;
}

function attach(
  { links }: OperationWriting,
  { tenantId, userId, operationId, status, createdAt: at }: NewOperation,
  moves: readonly Move[],
  session: ClientSession,
): Promise<string | undefined> {
  const begun = moves[0]?.to ?? status;
  return links.attachOperation({ tenantId, userId, operationId, status: begun, at }, session);
}

/** What the timeline of a link has of an operation; why it failed is in plain text. */
type LinkedOperation = Pick<OperationDocument, 'tenantId' | 'operationId' | 'linkId' | 'updatedAt'> & {
  failureReason: string | undefined;
};

/**
 * Records moves of an operation in the timeline of its link, if it has one. New details of the same status are no move.
 * @param operation as it is behind the moves
 * @param since when it changed before
 */
async function recordOnLink(
  { links }: OperationWriting,
  { tenantId, operationId, linkId, failureReason, updatedAt: at }: LinkedOperation,
  moves: readonly Move[],
  since: Date,
  session: ClientSession,
): Promise<void> {
  if (linkId === undefined) {
    return;
  }
  const change = { tenantId, linkId, operationId, ...(failureReason !== undefined && { failureReason }), at };
  let before = since;
  for (const { from: previousStatus, to: status } of moves) {
    if (previousStatus !== null && previousStatus !== status) {
      await links.recordOperationChange({ ...change, previousStatus, status, since: before }, session);
      before = at;
    }
  }
}

/** Saves the moves of an operation as history and as events; `operation` is as it is behind them. */
async function recordMoves(
  { operations, events }: OperationWriting,
  operation: Pick<OperationDocument, 'tenantId' | 'operationId' | 'userId' | 'statusDetails' | 'updatedAt'>,
  moves: readonly Move[],
  session: ClientSession,
): Promise<void> {
  const { tenantId, operationId, userId, statusDetails, updatedAt: at } = operation;
  const history = moves.map(
    ({ from, to, version }): OperationHistoryDocument => ({
      tenantId,
      operationId,
      version,
      previousStatus: from,
      status: to,
      statusDetails,
      at,
    }),
  );
  await operations.insertMoves(history, session);
  await events.append(
    history.map(({ version, previousStatus, status }) => ({
      tenantId,
      entity: 'operation' as const,
      entityId: operationId,
      version,
      type: version === 1 ? 'operation.created' : 'operation.status_changed',
      previousStatus,
      status,
      statusDetails,
      data: { userId },
      occurredAt: at,
    })),
    session,
  );
}

/**
 * Moves an operation on, with history and events, in the caller's transaction, which has read `found`.
 * @param moves not empty; the last one leads to `change.status`
 * @returns the operation as it is then
 */
export async function moveOperation(
  deps: OperationWriting,
  found: OperationDocument,
  change: { status: OperationStatus; statusDetails: string; failureReason?: string | undefined; at: Date },
  moves: readonly Move[],
  session: ClientSession,
): Promise<OperationDocument> {
  const { status, statusDetails, failureReason, at } = change;
  const changed = {
    status,
    statusDetails,
    version: found.version + moves.length,
    updatedAt: at,
    ...timesOf(status, at),
    ...sealTexts(deps.box, found, { failureReason }),
  };
  const { heldFrom: _, ...unheld } = found;
  const held = status === 'OnHold' ? { heldFrom: found.heldFrom ?? found.status } : undefined;
  const update = held ? { $set: { ...changed, ...held } } : { $set: changed, $unset: { heldFrom: 1 } };
  if (!(await deps.operations.change(found, update, session))) {
    throw new Error(`Operation ${found.operationId} changed within the transaction that read it`);
  }
  const moved: OperationDocument = { ...unheld, ...changed, ...held };
  await recordMoves(deps, moved, moves, session);
  await recordOnLink(deps, { ...moved, failureReason }, moves, found.updatedAt, session);
  return moved;
}

/** The times that reaching a status sets. */
function timesOf(status: OperationStatus, at: Date): Pick<OperationDocument, 'completedAt' | 'failedAt'> {
  if (status === 'Completed') {
    return { completedAt: at };
  }
  return status === 'Failed' || status === 'Rejected' ? { failedAt: at } : {};
}

/**
 * Looks before it writes, because a duplicate key ends the transaction. Who takes the same code at the same time makes
 * a write conflict, and the transaction runs again with another one.
 */
async function findFreeCode(
  { operations, newCode }: OperationWriting,
  tenantId: string,
  session: ClientSession,
): Promise<string> {
  for (let tried = 0; tried < CODES; tried += 1) {
    const code = newCode();
    if (!(await operations.isCodeTaken(tenantId, code, session))) {
      return code;
    }
  }
  throw new Error(`${CODES} codes in a row were taken`);
}
