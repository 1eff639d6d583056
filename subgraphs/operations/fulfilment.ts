import type { ClientSession } from 'mongoose';
import { type Result, succeed } from '../platform/errors/refusal.ts';
import type { NewEvent } from '../platform/events/index.ts';
import { newId, newOperationCode } from '../platform/ids.ts';
import { illegalMove, operationIdTaken } from './errors.ts';
import { type OperationStatus, pathTo } from './lifecycle.ts';
import type { OperationDocument, OperationHistoryDocument, OperationModels } from './model.ts';

/** An ask of document 2 that is being paid, and how far it is. */
export interface Fulfilment {
  tenantId: string;
  /** The operation's id; made when the ask has none yet and none is given. */
  operationId?: string;
  requestReferenceId: string;
  recipientReferenceId: string;
  userId: string;
  amount: string;
  currency: string;
  /** Where the operation stands now. Moves on the way there are written one by one. */
  status: OperationStatus;
  statusDetails: string;
  at: Date;
}

interface FulfilmentDeps {
  models: OperationModels;
  events: { append(events: NewEvent[], session: ClientSession): Promise<void> };
}

interface Move {
  from: OperationStatus | null;
  to: OperationStatus;
  version: number;
}

/** Where a fulfilling operation begins: the payer has started to pay. */
const START: OperationStatus = 'Funding';

/**
 * Creates the operation that fulfils an ask, or moves it on, with history and events, inside the caller's
 * transaction (decisions, section 3, "Reaching processing or completed").
 * @returns its id, or a refusal when the move is illegal or the id is taken
 */
export async function fulfil(
  deps: FulfilmentDeps,
  input: Fulfilment,
  session: ClientSession,
): Promise<Result<{ operationId: string }>> {
  const { tenantId } = input;
  const operationId = input.operationId ?? newId('op_');
  const found = await deps.models.operations.findOne({ tenantId, operationId }).session(session).lean();
  if (found && found.requestReferenceId !== input.requestReferenceId) {
    return operationIdTaken(operationId);
  }
  const path = pathTo(found?.status ?? START, input.status);
  if (!path) {
    return illegalMove(found?.status ?? START, input.status);
  }
  const moves = found
    ? toMoves(found.status, found.version, path)
    : [{ from: null, to: START, version: 1 }, ...toMoves(START, 1, path)];
  if (moves.length > 0) {
    await (found
      ? advance(deps, found, input, moves, session)
      : insert(deps, operationId, input, moves, session));
    await record(deps, operationId, input, moves, session);
  }
  return succeed({ operationId });
}

function toMoves(from: OperationStatus, version: number, path: readonly OperationStatus[]): Move[] {
  return path.map((to, index) => ({ from: path[index - 1] ?? from, to, version: version + index + 1 }));
}

async function insert(
  { models }: FulfilmentDeps,
  operationId: string,
  input: Fulfilment,
  moves: readonly Move[],
  session: ClientSession,
): Promise<void> {
  const document: OperationDocument = {
    _id: newId('o_'),
    tenantId: input.tenantId,
    operationId,
    type: 'request',
    code: newOperationCode(),
    platId: newId('plat_'),
    status: input.status,
    statusDetails: input.statusDetails,
    version: moves.length,
    userId: input.userId,
    recipientAmount: input.amount,
    recipientCurrency: input.currency,
    recipientReferenceId: input.recipientReferenceId,
    requestReferenceId: input.requestReferenceId,
    createdAt: input.at,
    updatedAt: input.at,
  };
  await models.operations.insertMany([document], { session });
}

async function advance(
  { models }: FulfilmentDeps,
  found: OperationDocument,
  input: Fulfilment,
  moves: readonly Move[],
  session: ClientSession,
): Promise<void> {
  const moved = await models.operations.updateOne(
    { _id: found._id, version: found.version },
    {
      status: input.status,
      statusDetails: input.statusDetails,
      version: found.version + moves.length,
      updatedAt: input.at,
    },
    { session },
  );
  if (moved.matchedCount !== 1) {
    throw new Error(`Operation ${found.operationId} changed within the transaction that read it`);
  }
}

async function record(
  { models, events }: FulfilmentDeps,
  operationId: string,
  input: Fulfilment,
  moves: readonly Move[],
  session: ClientSession,
): Promise<void> {
  const { tenantId, statusDetails, at } = input;
  const history = moves.map(
    (move): OperationHistoryDocument => ({
      tenantId,
      operationId,
      version: move.version,
      previousStatus: move.from,
      status: move.to,
      statusDetails,
      at,
    }),
  );
  await models.history.insertMany(history, { session });
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
      occurredAt: at,
    })),
    session,
  );
}
