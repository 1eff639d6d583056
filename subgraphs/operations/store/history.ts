import type { Model } from 'mongoose';
import type { OperationHistoryDocument } from './model.ts';

/** The moves of an operation, oldest first. */
export type ReadMoves = (tenantId: string, operationId: string) => Promise<OperationHistoryDocument[]>;

interface Batch {
  readonly operationIds: Set<string>;
  readonly moves: Promise<Map<string, OperationHistoryDocument[]>>;
}

/** Reads the moves of all operations of a tenant that are asked for at the same moment, as those of a list are, at once. */
export function createMoveReader(history: Model<OperationHistoryDocument>): ReadMoves {
  const open = new Map<string, Batch>();
  const start = (tenantId: string): Batch => {
    const operationIds = new Set<string>();
    const moves = Promise.resolve().then(() => {
      open.delete(tenantId);
      return readMoves(history, tenantId, [...operationIds]);
    });
    const batch = { operationIds, moves };
    open.set(tenantId, batch);
    return batch;
  };
  return async (tenantId, operationId) => {
    const { operationIds, moves } = open.get(tenantId) ?? start(tenantId);
    operationIds.add(operationId);
    return (await moves).get(operationId) ?? [];
  };
}

async function readMoves(
  history: Model<OperationHistoryDocument>,
  tenantId: string,
  operationIds: readonly string[],
): Promise<Map<string, OperationHistoryDocument[]>> {
  const found = await history
    .find({ tenantId, operationId: { $in: operationIds } })
    .sort({ operationId: 1, version: 1 })
    .lean();
  const moves = new Map<string, OperationHistoryDocument[]>();
  for (const move of found) {
    moves.set(move.operationId, [...(moves.get(move.operationId) ?? []), move]);
  }
  return moves;
}
