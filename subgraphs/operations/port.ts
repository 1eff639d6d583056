import type { ClientSession } from 'mongoose';
import type { Result } from '../platform/errors/result.ts';
import type { Quote } from '../platform/money/quote.ts';
import type { OperationStatus } from './lifecycle.ts';
import type { Fulfilment } from './use-cases/fulfil-money-request.ts';

/** What other slices may ask of operations; what takes a session is done inside their own transaction. */
export interface OperationsPort {
  /** Creates the operation that fulfils an ask, or moves it on. */
  fulfil(input: Fulfilment, session: ClientSession): Promise<Result<{ operationId: string }>>;
  /** Whether an operation of the tenant has this id, or will have it. */
  isIdTaken(tenantId: string, operationId: string): Promise<boolean>;
  /**
   * Keeps an id for an operation to come: an accepted atomic call has its correlation id from then on.
   * @throws a duplicate key error when the id is taken: the caller's transaction is over
   */
  reserveId(tenantId: string, operationId: string, session: ClientSession): Promise<void>;
  /** Creates a request for money in the status `Sent`, with its history and event, and counts it for the contact. */
  request(input: RequestedOperation, session: ClientSession): Promise<void>;
}

/** A request for money that is ready to be sent. */
export interface RequestedOperation {
  tenantId: string;
  /** The correlation id; reserved already or free. */
  operationId: string;
  userId: string;
  contactId: string;
  paymentMethodId: string;
  quote: Quote;
  reason?: string;
  /** Attribution and tracking URL. */
  attributionLink: string;
  at: Date;
}

/**
 * What this slice asks of the slice whose asks its operations fulfil; what takes a session is done inside this slice's
 * transaction. Declared here, because that slice stands on this one.
 */
export interface FulfilledMoneyRequests {
  /**
   * Moves an ask to where the status of its fulfilling operation takes it, with its events and webhooks; an ask that
   * agrees already stays as it is. Refusal: INVALID_TRANSITION, when the ask has ended otherwise; nothing is written then.
   * @returns the ids of the webhook deliveries, for {@link wake} after the commit
   */
  followOperation(moved: MovedOperation, session: ClientSession): Promise<Result<string[]>>;
  /** Has the webhooks of a move sent at once. */
  wake(deliveryIds: readonly string[]): void;
}

/** An operation that fulfils an ask, and where it goes. */
export interface MovedOperation {
  tenantId: string;
  /** Of the ask. */
  referenceId: string;
  status: OperationStatus;
  /** As given with the move; the ask has its own for its status when absent. */
  statusDetails: string | undefined;
  at: Date;
}
