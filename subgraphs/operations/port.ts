import type { UnitOfWork } from '../platform/database/unit-of-work.ts';
import type { Result } from '../platform/errors/result.ts';
import type { Quote } from '../platform/money/quote.ts';
import type { OperationStatus } from './lifecycle.ts';
import type { Countries } from './store/model.ts';
import type { Fulfilment } from './use-cases/fulfil-money-request.ts';

/** What other slices may do with operations. What takes a unit of work is done in the caller's transaction. */
export interface OperationsPort {
  /** Creates the operation that fulfils a money request, or moves it on. */
  fulfil(input: Fulfilment, unit: UnitOfWork): Promise<Result<{ operationId: string }>>;
  /** Whether the tenant has an operation with this id, or will have. */
  isIdTaken(tenantId: string, operationId: string): Promise<boolean>;
  /**
   * Reserves an id for an operation to come: an accepted atomic call has its correlation id from then on.
   * @throws a duplicate key error when the id is taken: the caller's transaction is over
   */
  reserveId(tenantId: string, operationId: string, unit: UnitOfWork): void;
  /** Creates a request for money in the status `Sent`, with its history and event, and counts it for the contact. */
  request(input: RequestedOperation, unit: UnitOfWork): Promise<void>;
}

/** A request for money that has passed every check. */
export interface RequestedOperation {
  tenantId: string;
  /** The correlation id; reserved already. */
  operationId: string;
  userId: string;
  contactId: string;
  paymentMethodId: string;
  quote: Quote;
  /** Absent where a former version has begun the request. */
  countries?: Countries;
  reason?: string;
  /** Attribution and tracking URL. */
  attributionLink: string;
  at: Date;
}

/**
 * What this slice needs of the slice that owns the money requests. What takes a unit of work is done in this slice's transaction.
 * Declared here, because that slice depends on this one.
 */
export interface FulfilledMoneyRequests {
  /**
   * Moves a money request to where its fulfilling operation goes, with its events and webhooks. One that agrees already stays
   * as it is. Failure: INVALID_TRANSITION when the money request has ended otherwise; then nothing is saved.
   */
  followOperation(moved: MovedOperation, unit: UnitOfWork): Promise<Result<void>>;
}

/** An operation that fulfils a money request, and where it goes. */
export interface MovedOperation {
  tenantId: string;
  /** Of the money request. */
  referenceId: string;
  status: OperationStatus;
  /** As given with the move; when absent, the money request has those of its own status. */
  statusDetails: string | undefined;
  at: Date;
}
