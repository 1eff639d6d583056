import type { QueryFilter } from 'mongoose';
import type { Connection } from '../graph/connection.ts';
import type { NumberedPage } from '../graph/numbered-page.ts';
import type { Page } from '../graph/paginate.ts';
import type { Total, TotalsDivision } from '../kernel/database/totals.ts';
import { type Result, succeed } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';
import type { CreateQuoteCommand } from './commands/create-quote.ts';
import type { StatusUpdate } from './commands/update-status.ts';
import type { OperationsDeps } from './deps.ts';
import type {
  OperationDocument,
  OperationHistoryDocument,
  OperationRecord,
  ReservationDocument,
} from './store/model.ts';
import type { OperationListing } from './store/operation-repository.ts';
import type { QuoteDocument } from './store/quotes.ts';
import { revealOperation } from './store/sealed-texts.ts';
import { createQuote } from './use-cases/create-quote.ts';
import { type OperationPageQuery, pageOperations } from './use-cases/page-operations.ts';
import { type HistoryRequest, readHistory } from './use-cases/read-history.ts';
import { type RequestMoneyV2Request, requestMoneyV2 } from './use-cases/request-money-v2.ts';
import { updateStatus } from './use-cases/update-status.ts';

/** The operations capability of the API. Every read and write is limited to the principal's tenant. */
export interface OperationService {
  /** The account's operations with these operationIds. */
  findByIds(principal: Principal, operationIds: readonly string[]): Promise<Map<string, OperationRecord>>;
  list(principal: Principal, listing: OperationListing, page: Page): Promise<Connection<OperationRecord>>;
  /** See {@link pageOperations}. */
  page(principal: Principal, query: OperationPageQuery): Promise<Result<NumberedPage<OperationRecord>>>;
  /** The moves of operations by operationId, oldest first. */
  findMoves(
    principal: Principal,
    operationIds: readonly string[],
  ): Promise<Map<string, OperationHistoryDocument[]>>;
  /** Totals of a list; undefined for more than can be shown. */
  totals(
    principal: Principal,
    listing: OperationListing,
    division: TotalsDivision,
  ): Promise<Total[] | undefined>;
  /** See {@link readHistory}. */
  history(principal: Principal, request: HistoryRequest): Promise<Result<OperationRecord[]>>;
  /** The account's requests by v2 with these correlation ids. */
  findReservations(
    principal: Principal,
    correlationIds: readonly string[],
  ): Promise<Map<string, ReservationDocument>>;
  /** The account's requests by v2, newest first. */
  listReservations(
    principal: Principal,
    filter: QueryFilter<ReservationDocument>,
    page: Page,
  ): Promise<Connection<ReservationDocument>>;
  /** Creates an operation: see {@link requestMoneyV2}. */
  requestMoneyV2(principal: Principal, request: RequestMoneyV2Request): Promise<Result<OperationRecord>>;
  /** Locks a price: see {@link createQuote}. */
  createQuote(principal: Principal, command: CreateQuoteCommand): Promise<Result<QuoteDocument>>;
  /** Applies a status update to an operation of any tenant: only for the platform's own back end. */
  updateStatus(operationId: string, update: StatusUpdate): Promise<Result<OperationRecord>>;
}

export function createOperationService(deps: OperationsDeps): OperationService {
  const { operations, box } = deps;
  const reveal = (result: Result<OperationDocument>) =>
    result.ok ? succeed(revealOperation(box, result.value)) : result;
  return {
    findByIds: ({ accountId }, operationIds) => operations.findMany(accountId, operationIds),
    list: ({ accountId }, listing, page) => operations.list(accountId, listing, page),
    page: (principal, query) => pageOperations(deps, principal, query),
    findMoves: ({ accountId }, operationIds) => operations.findMoves(accountId, operationIds),
    totals: ({ accountId }, listing, division) => operations.totals(accountId, listing, division),
    history: (principal, request) => readHistory(deps, principal, request),
    findReservations: ({ accountId }, ids) => deps.reservations.findMany(accountId, ids),
    listReservations: ({ accountId }, filter, page) => deps.reservations.list(accountId, filter, page),
    requestMoneyV2: async (principal, request) => reveal(await requestMoneyV2(deps, principal, request)),
    createQuote: (principal, command) => createQuote(deps, principal, command),
    updateStatus: async (operationId, update) => reveal(await updateStatus(deps, operationId, update)),
  };
}
