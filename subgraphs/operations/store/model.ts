import { type Connection, type Model, Schema } from 'mongoose';
import { FAILURE_CAUSES, type FailureCause } from '../../graph/verdict.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { setShardKey } from '../../kernel/database/shard-keys.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import { type Withdrawal, withdrawalSchema } from '../../providers/withdrawal.ts';
import { indexAsked } from '../../providers/withdrawal-figures.ts';
import type { Claimable } from '../../runtime/work/claim.ts';
import {
  OPERATION_STATUSES,
  type OperationStatus,
  REQUEST_STATUSES,
  type RequestStatus,
} from '../lifecycle.ts';
import { createQuoteModel, type QuoteDocument } from './quotes.ts';

/** The countries of an operation's money, ISO 3166-1 alpha-2. */
export interface Countries {
  readonly sourceCountry: string;
  readonly destinationCountry: string;
}

/**
 * An operation as stored. Amounts and rates are decimal strings. It has no names, phones or account numbers: it refers to
 * people and payout methods by id, and seals texts that people wrote.
 */
export interface OperationDocument extends Partial<Omit<Quote, 'recipientAmount' | 'recipientCurrency'>> {
  _id: string;
  accountId: AccountId;
  /** The id on every surface, of document 1 the correlation id; unique in the account only. */
  operationId: string;
  type: 'request';
  /** Short code for support, unique in the account. */
  code: string;
  platId: string;
  status: OperationStatus;
  statusDetails: string;
  /** The status before `OnHold`, while the operation is held. */
  heldFrom?: OperationStatus;
  /** Whether the payer ignored the request; absent for false. */
  isIgnored?: boolean;
  /** The number of moves; 1 is the creation. */
  version: number;
  userId: string;
  /** Document 1: the payer, and the user's payout method. */
  contactId?: string;
  paymentMethodId?: string;
  /** The link from which it began, if any. */
  linkId?: string;
  recipientAmount: string;
  recipientCurrency: string;
  /** The countries of the money, ISO 3166-1 alpha-2. */
  sourceCountry: string;
  destinationCountry: string;
  /** Document 1: why the money is requested, in the partner's words. Sealed; context `accountId|reason|_id`. */
  reason?: StoredBytes;
  /** Document 1: attribution and tracking URL. */
  attributionLink?: string;
  /** Document 2: the partner's id of the requester. */
  recipientReferenceId?: string;
  /** Document 2: the money request that this operation fulfils. */
  requestReferenceId?: string;
  /** The reason of its failure or rejection, if one was given. Sealed; context `accountId|failureReason|_id`. */
  failureReason?: StoredBytes;
  /** The cause of its failure or rejection. */
  failureCause?: FailureCause;
  completedAt?: Date;
  /** When it failed or was rejected. */
  failedAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** An operation in the form that the slice uses. */
export interface OperationRecord extends Omit<OperationDocument, 'reason' | 'failureReason'> {
  reason?: string;
  failureReason?: string;
}

/** One move of an operation. It is written with the move and never changes. */
export interface OperationHistoryDocument {
  accountId: AccountId;
  operationId: string;
  version: number;
  previousStatus: OperationStatus | null;
  status: OperationStatus;
  statusDetails: string;
  at: Date;
}

/** Why a call for a reservation had no answer. */
export interface ReservationError {
  message: string;
  occurredAt: Date;
  /** Set when the funding provider may have asked the payer. */
  payerMayHaveBeenAsked?: true;
}

/**
 * The reservation of a correlation id for one request by v2, from before its providers are called. It is `IN_PROGRESS` until
 * the operation is saved or the request has failed. A caller that has its lease calls the providers; a worker takes it when
 * the payer may have been asked and no caller comes back.
 */
export interface ReservationDocument extends Claimable {
  /** `accountId|operationId` */
  _id: string;
  /** The correlation id. */
  operationId: string;
  userId: string;
  /** Digest of the payer's phone number, as contacts have it; absent once the user is erased. */
  payerKey?: string;
  /** The keyed digest that recognises the request. */
  digest: string;
  /** The keyed digest that recognises it by the text that names the payer, also when contacts have changed since. */
  sentDigest: string;
  status: RequestStatus;
  /** Set while a caller has the lease, and while the payer may have been asked and a worker has something to do. */
  isOpen?: true;
  /** Set from before a call of the funding provider until its outcome is saved. */
  isAsking?: true;
  /** Set when a call of the funding provider ended without a readable answer (decisions, section 8). It stays. */
  payerMayHaveBeenAsked?: true;
  /** When a caller last came. */
  calledAt: Date;
  /** Calls without an answer. */
  attempts: number;
  /** Why they had none, oldest first, the newest 50. */
  failures?: ReservationError[];
  withdrawal?: Withdrawal;
  recipientAmount: string;
  recipientCurrency: string;
  /** Until the request has ended for certain: sealed JSON of `Terms` (reservations.ts); context `accountId|terms|operationId`. */
  terms?: StoredBytes;
  /** Why it has failed. Sealed JSON of a failure; context `accountId|refusal|operationId`. */
  refusal?: StoredBytes;
  createdAt: Date;
  updatedAt: Date;
}

const required = { type: String, required: true };
const time = { type: Date, required: true };

const operationSchema = new Schema<OperationDocument>(
  {
    _id: required,
    accountId: required,
    operationId: required,
    type: { type: String, required: true, enum: ['request'] },
    code: required,
    platId: required,
    status: { type: String, required: true, enum: OPERATION_STATUSES },
    statusDetails: required,
    heldFrom: { type: String, enum: OPERATION_STATUSES },
    isIgnored: Boolean,
    version: { type: Number, required: true },
    userId: required,
    contactId: String,
    paymentMethodId: String,
    linkId: String,
    recipientAmount: required,
    recipientCurrency: required,
    sourceCountry: required,
    destinationCountry: required,
    senderAmount: String,
    senderCurrency: String,
    exchangeRate: String,
    tenantFee: String,
    amount: String,
    reason: Buffer,
    attributionLink: String,
    recipientReferenceId: String,
    requestReferenceId: String,
    failureReason: Buffer,
    failureCause: { type: String, enum: FAILURE_CAUSES },
    completedAt: Date,
    failedAt: Date,
    createdAt: time,
    updatedAt: time,
  },
  { collection: 'operations', versionKey: false },
);
setShardKey(
  operationSchema,
  ['accountId', 'operationId'],
  'unique by operation; a large account may be divided; a claim makes the code unique',
);
// Serves: an operation by its id; one operation for each id of an account.
operationSchema.index({ accountId: 1, operationId: 1 }, { unique: true });
// Serves: an operation by its support code.
operationSchema.index({ accountId: 1, code: 1 });
// Serves: an operation by its platId.
operationSchema.index({ accountId: 1, platId: 1 });
for (const order of ['createdAt', 'updatedAt']) {
  // Serve: the list of an account's operations, whole, of a status or of a user (by creation: a user's history), by either
  // time, in both directions.
  for (const filter of [{}, { status: 1 }, { userId: 1 }] as const) {
    operationSchema.index({ accountId: 1, ...filter, [order]: -1, _id: -1 });
  }
  // Serve: the same lists by the partner's own id of the requester, which only operations of document 2 have.
  operationSchema.index(
    { accountId: 1, recipientReferenceId: 1, [order]: -1, _id: -1 },
    { partialFilterExpression: { recipientReferenceId: { $exists: true } } },
  );
}
// Serves: pages of a user's operations of a status.
operationSchema.index({ accountId: 1, userId: 1, status: 1, createdAt: -1, _id: -1 });
// Serves: a user's history with one contact.
operationSchema.index(
  { accountId: 1, userId: 1, contactId: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { contactId: { $exists: true } } },
);

const historySchema = new Schema<OperationHistoryDocument>(
  {
    accountId: required,
    operationId: required,
    version: { type: Number, required: true },
    previousStatus: { type: String, default: null },
    status: required,
    statusDetails: required,
    at: time,
  },
  { collection: 'operationHistory', versionKey: false },
);
setShardKey(historySchema, ['accountId', 'operationId'], 'read by operation; a large account may be divided');
// Serves: an operation's history in order; one entry for each version.
historySchema.index({ accountId: 1, operationId: 1, version: 1 }, { unique: true });

const reservationErrorSchema = new Schema<ReservationError>(
  { message: required, occurredAt: time, payerMayHaveBeenAsked: Boolean },
  { _id: false },
);
const reservationSchema = new Schema<ReservationDocument>(
  {
    _id: required,
    accountId: required,
    operationId: required,
    userId: required,
    payerKey: String,
    digest: required,
    sentDigest: required,
    status: { type: String, required: true, enum: REQUEST_STATUSES },
    isOpen: Boolean,
    isAsking: Boolean,
    payerMayHaveBeenAsked: Boolean,
    calledAt: time,
    attempts: { type: Number, required: true },
    failures: { type: [reservationErrorSchema], default: undefined },
    withdrawal: withdrawalSchema,
    recipientAmount: required,
    recipientCurrency: required,
    terms: Buffer,
    refusal: Buffer,
    claims: { type: Number, required: true },
    nextAttemptAt: time,
    waitMs: Number,
    leaseToken: String,
    createdAt: time,
    updatedAt: time,
  },
  { collection: 'reservations', versionKey: false },
);
setShardKey(
  reservationSchema,
  ['accountId', '_id'],
  'listed by account; its steps name account and id; a large account may be divided',
);
// Serves: those that are due, longest due first; has only what is open.
reservationSchema.index(
  { isOpen: 1, nextAttemptAt: 1, waitMs: 1 },
  { partialFilterExpression: { isOpen: true } },
);
indexAsked(reservationSchema);
// Serves: the reservations of a user: whether one is open, and their erasure.
reservationSchema.index({ accountId: 1, userId: 1, createdAt: -1, _id: -1 });
// Serves: the reservations of a payer without an operation, newest first.
reservationSchema.index(
  { accountId: 1, payerKey: 1, status: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { payerKey: { $exists: true } } },
);
// Serves: an account's reservations, newest first. Lists name their statuses, if need be all of them.
reservationSchema.index({ accountId: 1, status: 1, createdAt: -1, _id: -1 });
// Serves: those of an account whose payer may have been asked, newest first.
reservationSchema.index(
  { payerMayHaveBeenAsked: 1, accountId: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { payerMayHaveBeenAsked: true } },
);

export interface OperationModels {
  readonly operations: Model<OperationDocument>;
  readonly history: Model<OperationHistoryDocument>;
  readonly reservations: Model<ReservationDocument>;
  readonly quotes: Model<QuoteDocument>;
}

export function createOperationModels(connection: Connection): OperationModels {
  return {
    operations: connection.model<OperationDocument>('Operation', operationSchema),
    history: connection.model<OperationHistoryDocument>('OperationHistory', historySchema),
    reservations: connection.model<ReservationDocument>('Reservation', reservationSchema),
    quotes: createQuoteModel(connection),
  };
}
