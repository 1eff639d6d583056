import { newId } from '../../kernel/database/ids.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { OperationWriting } from '../deps.ts';
import type { OperationStatus } from '../lifecycle.ts';
import { postingsOf } from '../postings.ts';
import type { OperationDocument, OperationHistoryDocument, OperationRecord } from '../store/model.ts';
import { sealTexts } from '../store/sealed-texts.ts';
import { failureCauseOf } from './operation-failure.ts';
import { figureOfMove } from './operation-figure.ts';

/** A step of an operation from one status to the next; null before the first. */
export interface Move {
  from: OperationStatus | null;
  to: OperationStatus;
  version: number;
}

/** An operation without what is made for it when it is saved. */
type NewOperation = Omit<
  OperationRecord,
  '_id' | 'type' | 'code' | 'platId' | 'linkId' | 'completedAt' | 'failedAt' | 'failureCause'
>;

/**
 * Saves a new operation with its history, journal entries and events, in the caller's transaction, and attaches it to the link that it was
 * begun from. Its id is reserved already.
 */
export async function insertOperation(
  deps: OperationWriting,
  operation: NewOperation,
  moves: readonly Move[],
  unit: UnitOfWork,
): Promise<OperationDocument> {
  const linkId = await attach(deps, operation, moves, unit);
  const { reason, failureReason, ...plain } = operation;
  const identity = { _id: newId('o_'), accountId: operation.accountId };
  const failureCause = failureCauseOf(operation, { from: moves.at(-1)?.from ?? null });
  const document: OperationDocument = {
    ...plain,
    ...sealTexts(deps.box, identity, { reason, failureReason }),
    ...(failureCause && { failureCause }),
    ...(linkId !== undefined && { linkId }),
    ...timesOf(operation.status, operation.createdAt),
    ...identity,
    type: 'request',
    code: deps.newCode(),
    platId: newId('plat_'),
  };
  deps.operations.insert(document, unit);
  recordMoves(deps, document, [], moves, unit);
  await recordOnLink(deps, { ...document, failureReason }, moves, document.createdAt, unit);
  return document;
}

function attach(
  { links }: OperationWriting,
  { accountId, userId, operationId, status, createdAt: at }: NewOperation,
  moves: readonly Move[],
  unit: UnitOfWork,
): Promise<string | undefined> {
  const begun = moves[0]?.to ?? status;
  return links.attachOperation({ accountId, userId, operationId, status: begun, at }, unit);
}

/** An operation in the timeline of a link; why it failed is in plain text. */
type LinkedOperation = Pick<OperationDocument, 'accountId' | 'operationId' | 'linkId' | 'updatedAt'> & {
  failureReason: string | undefined;
};

/**
 * Records moves of an operation in the timeline of its link, if it has one. New details of the same status are no move.
 * @param operation as it is behind the moves
 * @param since when it changed before
 */
async function recordOnLink(
  { links }: OperationWriting,
  { accountId, operationId, linkId, failureReason, updatedAt: at }: LinkedOperation,
  moves: readonly Move[],
  since: Date,
  unit: UnitOfWork,
): Promise<void> {
  if (linkId === undefined) {
    return;
  }
  const change = {
    accountId,
    linkId,
    operationId,
    ...(failureReason !== undefined && { failureReason }),
    at,
  };
  let before = since;
  for (const { from: previousStatus, to: status } of moves) {
    if (previousStatus !== null && previousStatus !== status) {
      await links.recordOperationChange({ ...change, previousStatus, status, since: before }, unit);
      before = at;
    }
  }
}

/**
 * Saves the moves of an operation as history, as journal entries and as events.
 * @param operation as it is behind the moves
 * @param before its status before them, and the one before a hold
 */
function recordMoves(
  { operations, journal, events }: OperationWriting,
  operation: OperationDocument,
  before: readonly OperationStatus[],
  moves: readonly Move[],
  unit: UnitOfWork,
): void {
  const { accountId, operationId, userId, statusDetails, updatedAt: at } = operation;
  const history = moves.map(
    ({ from, to, version }): OperationHistoryDocument => ({
      accountId,
      operationId,
      version,
      previousStatus: from,
      status: to,
      statusDetails,
      at,
    }),
  );
  operations.insertMoves(history, unit);
  const postings = postingsOf(operation, before, moves);
  const entry = { accountId, entity: 'operation', entityId: operationId, createdAt: at } as const;
  journal.post(
    postings.map((posting) => ({ ...entry, ...posting })),
    unit,
  );
  events.append(
    history.map(({ version, previousStatus, status }) => ({
      accountId,
      entity: 'operation' as const,
      entityId: operationId,
      version,
      type: version === 1 ? 'operation.created' : 'operation.status_changed',
      previousStatus,
      status,
      statusDetails,
      data: { userId },
      occurredAt: at,
      figure: figureOfMove(operation, status),
    })),
    unit,
  );
}

/**
 * Moves an operation on, with history, journal entries and events, in the caller's transaction, which has read `found`.
 * @param moves not empty; the last one leads to `change.status`
 * @returns the operation as it is then
 */
export async function moveOperation(
  deps: OperationWriting,
  found: OperationDocument,
  change: { status: OperationStatus; statusDetails: string; failureReason?: string | undefined; at: Date },
  moves: readonly Move[],
  unit: UnitOfWork,
): Promise<OperationDocument> {
  const { status, statusDetails, failureReason, at } = change;
  const failureCause = failureCauseOf(change, {
    from: moves.at(-1)?.from ?? found.status,
    heldFrom: found.heldFrom,
  });
  const changed = {
    status,
    statusDetails,
    version: found.version + moves.length,
    updatedAt: at,
    ...timesOf(status, at),
    ...sealTexts(deps.box, found, { failureReason }),
    ...(failureCause && { failureCause }),
  };
  const { heldFrom: _, ...unheld } = found;
  const held = status === 'OnHold' ? { heldFrom: found.heldFrom ?? found.status } : undefined;
  const update = held ? { $set: { ...changed, ...held } } : { $set: changed, $unset: { heldFrom: 1 } };
  deps.operations.change(found, update, unit);
  const moved: OperationDocument = { ...unheld, ...changed, ...held };
  recordMoves(deps, moved, found.heldFrom ? [found.heldFrom, found.status] : [found.status], moves, unit);
  await recordOnLink(deps, { ...moved, failureReason }, moves, found.updatedAt, unit);
  return moved;
}

/** The times that reaching a status sets. */
function timesOf(status: OperationStatus, at: Date): Pick<OperationDocument, 'completedAt' | 'failedAt'> {
  if (status === 'Completed') {
    return { completedAt: at };
  }
  return status === 'Failed' || status === 'Rejected' ? { failedAt: at } : {};
}
