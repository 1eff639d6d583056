import type { AccountUser, PaymentSource } from '../graph/payment-source.ts';
import type { FailureCause } from '../graph/verdict.ts';
import type { AccountId } from '../kernel/account.ts';
import type { Total } from '../kernel/database/totals.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Result } from '../kernel/errors/result.ts';
import type { Quote } from '../kernel/money/quote.ts';
import type { OperationStatus } from './lifecycle.ts';
import type { Countries, OperationRecord, ReservationDocument } from './store/model.ts';
import type { Quotes } from './store/quotes.ts';

/** The functions for other slices. Functions with a unit of work run in the caller's transaction. */
export interface OperationsPort {
  /** Creates the operation that fulfils a money request, or moves it on. */
  fulfil(input: Fulfilment, unit: UnitOfWork): Promise<Result<Fulfilled>>;
  /** Whether the account has an operation with this id, or has reserved the id. */
  isIdTaken(accountId: AccountId, operationId: string): Promise<boolean>;
  /**
   * Reserves an id for a future operation: an accepted atomic call has its correlation id from then on. @throws a duplicate
   * key error when the id is taken; then the caller's transaction has ended
   */
  reserveId(accountId: AccountId, operationId: string, unit: UnitOfWork): void;
  /** Creates a request for money in the status `Sent`, with its history and event, and counts it for the contact. */
  request(input: RequestedOperation, unit: UnitOfWork): Promise<void>;
  /** Quotes, whose prices {@link priceByQuote} reads. */
  readonly quotes: Pick<Quotes, 'find' | 'use'>;
  /** Reads for the list of a user's payments. */
  readonly payments: OperationPayments;
}

/** The part of this slice in the list of a user's payments. */
export interface OperationPayments {
  /** Requests by v2, each the beginning of a payment. */
  readonly requests: PaymentSource<ReservationDocument>;
  /** The account's operations with these operationIds, of whatever origin. */
  findOperations(
    accountId: AccountId,
    operationIds: readonly string[],
  ): Promise<ReadonlyMap<string, OperationRecord>>;
  /** Count and sum of the user's completed operations for each currency, of the newest 10,000. */
  completed(user: AccountUser): Promise<Total[]>;
  /** When an operation of the user last changed; undefined without any. */
  changedAt(user: AccountUser): Promise<Date | undefined>;
}

/** A money request of document 2 that is being paid, and its progress. */
export interface Fulfilment {
  accountId: AccountId;
  /** The operation's id; generated when the money request has none yet and none is given. */
  operationId?: string;
  requestReferenceId: string;
  recipientReferenceId: string;
  userId: string;
  /** Only for a new operation. */
  countries: Countries;
  /** The payer's price; a new operation is not created without it. */
  quote?: Quote | undefined;
  /**
   * The status for the operation. Moves on the way are saved one by one. An operation that agrees with the money request
   * already does not change.
   */
  status: OperationStatus;
  statusDetails: string;
  at: Date;
}

/** The operation that fulfils a money request. */
export interface Fulfilled {
  readonly operationId: string;
  /** The cause with which it has failed now; absent otherwise. */
  readonly failureCause?: FailureCause | undefined;
}

/** A request for money that has passed every check. */
export interface RequestedOperation {
  accountId: AccountId;
  /** The correlation id; reserved already. */
  operationId: string;
  userId: string;
  contactId: string;
  paymentMethodId: string;
  quote: Quote;
  countries: Countries;
  reason?: string;
  /** Attribution and tracking URL. */
  attributionLink: string;
  at: Date;
}

/**
 * The functions of the slice that owns money requests. Functions with a unit of work run in this slice's transaction. They
 * are declared here because that slice depends on this one.
 */
export interface FulfilledMoneyRequests {
  /**
   * Moves a money request with its fulfilling operation, with its events and webhooks. A money request that agrees already
   * does not change. Failure: INVALID_TRANSITION when the money request has ended differently; then nothing is saved.
   */
  followOperation(moved: MovedOperation, unit: UnitOfWork): Promise<Result<void>>;
}

/** A request for money without an operation, whose payer may have been asked. */
export interface AskedRequest {
  readonly userId: string;
  /**
   * Ends the request as one that was made, in the transaction that has read it.
   * @param isOver whether its operation has ended without a payment: a partner that was notified of a failure then gets no other outcome
   * @returns its operation
   */
  conclude(isOver: boolean): Promise<RequestedOperation>;
}

/**
 * Requests of another slice whose payers may have been asked: a status that is reported of one makes its operation (decisions,
 * section 8). It is declared here because that slice depends on this one.
 */
export interface AskedRequests {
  /** Reads in the caller's transaction. Undefined when there is no such request. */
  find(
    of: { readonly accountId: AccountId; readonly operationId: string; readonly at: Date },
    unit: UnitOfWork,
  ): Promise<AskedRequest | undefined>;
}

/** An operation that fulfils a money request, and its new status. */
export interface MovedOperation {
  accountId: AccountId;
  /** The reference of the money request. */
  referenceId: string;
  status: OperationStatus;
  /** The details of the move; without them the money request gets those of its own status. */
  statusDetails: string | undefined;
  /** The cause with which it fails; absent otherwise. */
  failureCause?: FailureCause | undefined;
  at: Date;
}
