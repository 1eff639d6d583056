import type { QueryFilter, UpdateQuery } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type NumberedPage, type PageNumber, readPage } from '../../graph/numbered-page.ts';
import { type Order, type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import { createTotalsReader } from '../../kernel/database/kept-totals.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import { CONFIRMED } from '../../kernel/database/plain-reads.ts';
import type { Total, TotalsDivision } from '../../kernel/database/totals.ts';
import type { UniqueValues } from '../../kernel/database/unique-values.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
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
  /** Default: newest first. */
  readonly order?: Order;
}

/** Which operations of an account. */
type OperationFilter = QueryFilter<OperationDocument> & { accountId: AccountId };

/** Reads and writes operations and their moves. It seals texts that people wrote, and records have them readable. */
export interface OperationRepository {
  /** Finds an operation as stored; with `unit` in the caller's transaction. */
  find(accountId: AccountId, operationId: string, unit?: UnitOfWork): Promise<OperationDocument | undefined>;
  /** The account's operations with these operationIds. */
  findMany(accountId: AccountId, operationIds: readonly string[]): Promise<Map<string, OperationRecord>>;
  /** The operationIds of the account's operations with this platId: one, or none. */
  findByPlatId(accountId: AccountId, platId: string): Promise<string[]>;
  /** The operationIds of operations whose payer is one of these contacts of users, newest first, at most `most`. */
  findByContacts(
    accountId: AccountId,
    contacts: readonly { readonly userId: string; readonly contactId: string }[],
    most: number,
  ): Promise<string[]>;
  list(accountId: AccountId, listing: OperationListing, page: Page): Promise<Connection<OperationRecord>>;
  /** Totals of all records of a list, by the amounts of the recipients; see {@link readTotals}. */
  totals(
    accountId: AccountId,
    listing: Pick<OperationListing, 'filter'>,
    division: TotalsDivision,
  ): Promise<Total[] | undefined>;
  /** A page by number, newest first. */
  page(filter: OperationFilter, page: PageNumber): Promise<NumberedPage<OperationRecord>>;
  /** Newest first. */
  newest(filter: OperationFilter, limit: number): Promise<OperationRecord[]>;
  /** The moves of operations by operationId, oldest first. */
  findMoves(
    accountId: AccountId,
    operationIds: readonly string[],
  ): Promise<Map<string, OperationHistoryDocument[]>>;
  /** The newest `most` moves of an operation, oldest first. */
  newestMoves(accountId: AccountId, operationId: string, most: number): Promise<OperationHistoryDocument[]>;
  /**
   * Inserts an operation. A support code that another operation of the account has ends the transaction with a duplicate key
   * error.
   */
  insert(operation: OperationDocument, unit: UnitOfWork): void;
  /** Changes an operation that the transaction has read at this version. */
  change(
    operation: Pick<OperationDocument, '_id' | 'accountId' | 'operationId' | 'version'>,
    update: UpdateQuery<OperationDocument>,
    unit: UnitOfWork,
  ): void;
  insertMoves(moves: readonly OperationHistoryDocument[], unit: UnitOfWork): void;
}

const TOTALS_FIELDS = {
  amount: 'recipientAmount',
  currency: 'recipientCurrency',
  sourceCountry: 'sourceCountry',
  destinationCountry: 'destinationCountry',
};

/** @param deps.box opens texts that people wrote */
export function createOperationRepository({
  models: { operations, history },
  unique,
  box,
}: {
  models: Pick<OperationModels, 'operations' | 'history'>;
  unique: Pick<UniqueValues, 'take'>;
  box: Box;
}): OperationRepository {
  const reveal = (operation: OperationDocument) => revealOperation(box, operation);
  const readTotals = createTotalsReader({ model: operations, fields: TOTALS_FIELDS });
  return {
    find: async (accountId, operationId, unit) => {
      const found = operations.findOne({ accountId, operationId });
      return (await (unit ? found.session(unit.session) : found).lean()) ?? undefined;
    },
    findMany: async (accountId, operationIds) => {
      const found = await operations
        .find(withAnyOf(operations, { accountId }, 'operationId', operationIds))
        .readConcern(CONFIRMED.level)
        .lean();
      return new Map(found.map((operation) => [operation.operationId, reveal(operation)]));
    },
    findByPlatId: async (accountId, platId) => {
      const found = await operations.find({ accountId, platId }).select({ _id: 0, operationId: 1 }).lean();
      return found.map(({ operationId }) => operationId);
    },
    findByContacts: async (accountId, contacts, most) => {
      const found = await operations
        .find({ $or: contacts.map(({ userId, contactId }) => ({ accountId, userId, contactId })) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most)
        .select({ operationId: 1 })
        .lean();
      return found.map(({ operationId }) => operationId);
    },
    list: (accountId, { filter, order }, page) =>
      paginate(operations, ofAccount(accountId, filter), page, reveal, order),
    totals: (accountId, { filter }, division) => readTotals(ofAccount(accountId, filter), division),
    page: (filter, page) => readPage(operations, filter, page, reveal),
    newest: async (filter, limit) => {
      const found = await operations.find(filter).sort({ createdAt: -1, _id: -1 }).limit(limit).lean();
      return found.map(reveal);
    },
    findMoves: async (accountId, operationIds) => {
      const found = await history
        .find(withAnyOf(history, { accountId }, 'operationId', operationIds))
        .sort({ operationId: 1, version: 1 })
        .lean();
      const moves = new Map<string, OperationHistoryDocument[]>();
      for (const move of found) {
        moves.set(move.operationId, [...(moves.get(move.operationId) ?? []), move]);
      }
      return moves;
    },
    newestMoves: async (accountId, operationId, most) => {
      const found = await history.find({ accountId, operationId }).sort({ version: -1 }).limit(most).lean();
      return found.reverse();
    },
    insert: (operation, unit) => {
      const { accountId, code: value } = operation;
      unique.take([{ accountId, kind: 'operationCode', value }], unit);
      unit.insert(operations, [operation]);
    },
    change: ({ _id, accountId, operationId, version }, update, unit) =>
      unit.update(operations, {
        filter: { _id, accountId, operationId, version },
        update,
        otherwise: () => new Error(`Operation ${_id} changed within the transaction that read it`),
      }),
    insertMoves: (moves, unit) => unit.insert(history, moves),
  };
}
