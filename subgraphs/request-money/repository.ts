import type { ClientSession } from 'mongoose';
import { toBuffer } from '../platform/binary.ts';
import type { Box } from '../platform/crypto/box.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import type { Listing } from './listing.ts';
import type { Ask, AskDocument, AskModels, AskPrivate } from './model.ts';

/** Reads and writes asks, the personal part sealed on the way in and opened on the way out. */
export interface AskRepository {
  exists(tenantId: string, referenceId: string): Promise<boolean>;
  find(tenantId: string, referenceId: string, session?: ClientSession): Promise<Ask | undefined>;
  findMany(tenantId: string, referenceIds: readonly string[]): Promise<Map<string, Ask>>;
  list(tenantId: string, listing: Listing, page: Page): Promise<Connection<Ask>>;
  insert(ask: Ask, session: ClientSession): Promise<void>;
  /** Writes what a move changes, if the ask is still at `from`; false when it has moved on meanwhile. */
  move(ask: Ask, from: { version: number }, session: ClientSession): Promise<boolean>;
  /** References of pending asks whose time was over at `at`, oldest first. */
  findExpired(at: Date, limit: number): Promise<{ tenantId: string; referenceId: string }[]>;
}

interface AskRepositoryDeps {
  models: Pick<AskModels, 'asks'>;
  box: Box;
}

export function createAskRepository({ models: { asks }, box }: AskRepositoryDeps): AskRepository {
  const reveal = (document: AskDocument) => revealAsk(box, document);
  return {
    exists: async (tenantId, referenceId) => (await asks.exists({ tenantId, referenceId })) !== null,
    find: async (tenantId, referenceId, session) => {
      const found = await asks
        .findOne({ tenantId, referenceId })
        .session(session ?? null)
        .lean();
      return found ? reveal(found) : undefined;
    },
    findMany: async (tenantId, referenceIds) => {
      const found = await asks.find({ tenantId, referenceId: { $in: referenceIds } }).lean();
      return new Map(found.map((document) => [document.referenceId, reveal(document)]));
    },
    list: (tenantId, { filter, order }, page) => paginate(asks, { ...filter, tenantId }, page, reveal, order),
    insert: async (ask, session) => {
      await asks.insertMany([sealAsk(box, ask)], { session });
    },
    move: async ({ requestId, status, statusDetails, version, operationId, updatedAt }, from, session) => {
      const change = {
        status,
        statusDetails,
        version,
        updatedAt,
        ...(operationId === undefined ? {} : { operationId }),
      };
      const moved = await asks.updateOne(
        { _id: requestId, version: from.version },
        { $set: change },
        { session },
      );
      return moved.matchedCount === 1;
    },
    findExpired: (at, limit) =>
      asks
        .find({ status: 'pending', expiresAt: { $lte: at } })
        .sort({ expiresAt: 1 })
        .limit(limit)
        .select({ _id: 0, tenantId: 1, referenceId: 1 })
        .lean(),
  };
}

function sealAsk(box: Box, { requestId, requestData, waLink, ...base }: Ask): AskDocument {
  const personal: AskPrivate = { requestData, waLink };
  return {
    ...base,
    _id: requestId,
    private: box.seal(JSON.stringify(personal), context(base.tenantId, requestId)),
  };
}

function revealAsk(box: Box, { _id: requestId, private: sealed, ...base }: AskDocument): Ask {
  const opened = box.open(toBuffer(sealed), context(base.tenantId, requestId)).toString();
  return { ...base, requestId, ...(JSON.parse(opened) as AskPrivate) };
}

function context(tenantId: string, requestId: string): string {
  return `${tenantId}|private|${requestId}`;
}
