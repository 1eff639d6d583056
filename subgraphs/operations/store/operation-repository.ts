import type { ClientSession, QueryFilter, UpdateQuery } from 'mongoose';
import type { Box } from '../../platform/crypto/box.ts';
import type { Connection } from '../../platform/graphql/connection.ts';
import { type NumberedPage, type PageNumber, readPage } from '../../platform/graphql/numbered-page.ts';
import { type Order, type Page, paginate } from '../../platform/graphql/paginate.ts';
import type {
  OperationDocument,
  OperationHistoryDocument,
  OperationModels,
  OperationRecord,
} from './model.ts';
import { revealOperation } from './sealed-texts.ts';

/** A list of operations: which, and in what order. Each filter has an index for each order (model.ts). */
export interface OperationListing {
  readonly filter: QueryFilter<OperationDocument>;
  /** By default the newest first. */
  readonly order?: Order;
}

/** Which operations of a tenant. */
export type OperationFilter = QueryFilter<OperationDocument> & { tenantId: string };

/** Reads and writes operations and their moves; what people wrote is sealed at rest and readable in a record. */
export interface OperationRepository {
  /** As stored, in the caller's transaction. */
  find(tenantId: string, operationId: string, session: ClientSession): Promise<OperationDocument | undefined>;
  /** Those that the tenant has, by operationId. */
  findMany(tenantId: string, operationIds: readonly string[]): Promise<Map<string, OperationRecord>>;
  list(tenantId: string, listing: OperationListing, page: Page): Promise<Connection<OperationRecord>>;
  /** A page by number, newest first. */
  page(filter: OperationFilter, page: PageNumber): Promise<NumberedPage<OperationRecord>>;
  /** Newest first. */
  newest(filter: OperationFilter, limit: number): Promise<OperationRecord[]>;
  /** The moves of operations by operationId, oldest first. */
  findMoves(
    tenantId: string,
    operationIds: readonly string[],
  ): Promise<Map<string, OperationHistoryDocument[]>>;
  isCodeTaken(tenantId: string, code: string, session: ClientSession): Promise<boolean>;
  insert(operation: OperationDocument, session: ClientSession): Promise<void>;
  /** Changes an operation that is still at its version; false when it has moved on meanwhile: nothing is changed then. */
  change(
    operation: Pick<OperationDocument, '_id' | 'version'>,
    update: UpdateQuery<OperationDocument>,
    session: ClientSession,
  ): Promise<boolean>;
  insertMoves(moves: readonly OperationHistoryDocument[], session: ClientSession): Promise<void>;
}

/** @param deps.box opens what people wrote */
export function createOperationRepository({
  models: { operations, history },
  box,
}: {
  models: Pick<OperationModels, 'operations' | 'history'>;
  box: Box;
}): OperationRepository {
  const reveal = (operation: OperationDocument) => revealOperation(box, operation);
  return {
    find: async (tenantId, operationId, session) =>
      (await operations.findOne({ tenantId, operationId }).session(session).lean()) ?? undefined,
    findMany: async (tenantId, operationIds) => {
      const found = await operations.find({ tenantId, operationId: { $in: operationIds } }).lean();
      return new Map(found.map((operation) => [operation.operationId, reveal(operation)]));
    },
    list: (tenantId, { filter, order }, page) =>
      paginate(operations, { ...filter, tenantId }, page, reveal, order),
    page: (filter, page) => readPage(operations, filter, page, reveal),
    newest: async (filter, limit) => {
      const found = await operations.find(filter).sort({ createdAt: -1, _id: -1 }).limit(limit).lean();
      return found.map(reveal);
    },
    findMoves: async (tenantId, operationIds) => {
      const found = await history
        .find({ tenantId, operationId: { $in: operationIds } })
        .sort({ operationId: 1, version: 1 })
        .lean();
      const moves = new Map<string, OperationHistoryDocument[]>();
      for (const move of found) {
        moves.set(move.operationId, [...(moves.get(move.operationId) ?? []), move]);
      }
      return moves;
    },
    isCodeTaken: async (tenantId, code, session) =>
      (await operations.exists({ tenantId, code }).session(session)) !== null,
    insert: async (operation, session) => {
      await operations.insertMany([operation], { session });
    },
    change: async ({ _id, version }, update, session) =>
      (await operations.updateOne({ _id, version }, update, { session })).matchedCount === 1,
    insertMoves: async (moves, session) => {
      await history.insertMany([...moves], { session });
    },
  };
}
