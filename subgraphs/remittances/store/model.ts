import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { setShardKey } from '../../kernel/database/shard-keys.ts';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import type { Countries } from '../../operations/index.ts';
import { type Withdrawal, withdrawalSchema } from '../../providers/withdrawal.ts';
import { indexAsked } from '../../providers/withdrawal-figures.ts';
import type { Claimable } from '../../runtime/work/claim.ts';
import { PHASES, type Phase, REMITTANCE_STATUSES, type RemittanceStatus } from '../lifecycle.ts';

/** The reason why an attempt at a phase, or the whole remittance, failed. */
export interface RemittanceError {
  code: ErrorCode;
  message: string;
  occurredAt: Date;
}

/** An attempt at a phase that failed. */
export interface FailedAttempt extends RemittanceError {
  phase: Phase;
  /** Of its phase; 1 is the first. */
  attempt: number;
  /** When the phase is tried again; absent when it is not. */
  nextAttemptAt?: Date;
  /** Set when the attempt ended without a readable answer of the funding provider. */
  payerMayHaveBeenAsked?: true;
}

/** An accepted atomic call as stored: its state, and its place in the queue of steps. */
export interface RemittanceDocument extends Claimable {
  /** `accountId|correlationId` */
  _id: string;
  accountId: AccountId;
  correlationId: string;
  userId: string;
  /** Digest of the payer's phone number, as contacts have it; absent once the user is erased. */
  payerKey?: string;
  status: RemittanceStatus;
  /** Set while a worker has something to do: it is in progress, or has failed while its request is being withdrawn. */
  isOpen?: true;
  /**
   * Set when a call of the funding provider ended without a readable answer, or the process died in it: the payer may have
   * been asked (decisions, section 8). It stays.
   */
  payerMayHaveBeenAsked?: true;
  /** Set from before a call of the funding provider until its outcome is saved. */
  isAsking?: true;
  /** The withdrawal of the request from the payer, when there was one. */
  withdrawal?: Withdrawal;
  /** The phase that it is in, or ended in. */
  phase: Phase;
  /** When it entered its phase. */
  phaseSince: Date;
  /** The number of moves; 1 is the acceptance. A step is conditional on the version that it began with. */
  version: number;
  /** Failed attempts of the phase. */
  attempts: number;
  /** The last error of the phase; removed when the phase is done. */
  lastError?: RemittanceError;
  /** Failed attempts of all phases, oldest first, the newest 50; absent without any. */
  failures?: FailedAttempt[];
  quote: Quote;
  /** The countries of the money. */
  countries: Countries;
  attributionLink: string;
  /** The trace of the call, as W3C `traceparent`: its phases and its outcome's webhook belong to it. Absent without tracing. */
  traceparent?: string;
  /** Created in `CONTACT` and `PAYMENT_METHOD`. */
  contactId?: string;
  paymentMethodId?: string;
  /**
   * Sealed JSON of the parts of the call that later steps need, the payment method only until it is stored; context
   * `accountId|private|_id`. Removed when the remittance has ended and
   * its payer holds no request that nobody knows of.
   */
  private?: StoredBytes;
  createdAt: Date;
  updatedAt: Date;
}

const required = { type: String, required: true };
const number = { type: Number, required: true };
const time = { type: Date, required: true };

const errorSchema = new Schema<RemittanceError>(
  { code: required, message: required, occurredAt: time },
  { _id: false },
);
const failedAttemptSchema = new Schema<FailedAttempt>(
  {
    phase: { type: String, required: true, enum: PHASES },
    attempt: number,
    code: required,
    message: required,
    occurredAt: time,
    nextAttemptAt: Date,
    payerMayHaveBeenAsked: Boolean,
  },
  { _id: false },
);
const quoteSchema = new Schema<Quote>(
  {
    recipientAmount: required,
    recipientCurrency: required,
    senderAmount: required,
    senderCurrency: required,
    exchangeRate: required,
    tenantFee: required,
    amount: required,
  },
  { _id: false },
);

const countriesSchema = new Schema<Countries>(
  { sourceCountry: required, destinationCountry: required },
  { _id: false },
);

const schema = new Schema<RemittanceDocument>(
  {
    _id: required,
    accountId: required,
    correlationId: required,
    userId: required,
    payerKey: String,
    status: { type: String, required: true, enum: REMITTANCE_STATUSES },
    isOpen: Boolean,
    payerMayHaveBeenAsked: Boolean,
    isAsking: Boolean,
    withdrawal: withdrawalSchema,
    phase: { type: String, required: true, enum: PHASES },
    phaseSince: time,
    version: number,
    attempts: number,
    claims: number,
    nextAttemptAt: time,
    waitMs: Number,
    leaseToken: String,
    lastError: errorSchema,
    failures: { type: [failedAttemptSchema], default: undefined },
    quote: { type: quoteSchema, required: true },
    countries: { type: countriesSchema, required: true },
    attributionLink: { type: String, default: '' },
    traceparent: String,
    contactId: String,
    paymentMethodId: String,
    private: Buffer,
    createdAt: time,
    updatedAt: time,
  },
  { collection: 'remittances', versionKey: false },
);
setShardKey(
  schema,
  ['accountId', '_id'],
  'listed by account; its steps name account and id; a large account may be divided',
);
const inProgress = { partialFilterExpression: { status: 'IN_PROGRESS' } };
// Serves: due steps, longest due first; has only what is open. The fields after the due time are those of figures, which are
// read from the index alone, and the account, so that steps of saturated accounts are passed over there.
schema.index(
  { isOpen: 1, nextAttemptAt: 1, status: 1, phase: 1, phaseSince: 1, leaseToken: 1, waitMs: 1, accountId: 1 },
  { partialFilterExpression: { isOpen: true } },
);
indexAsked(schema);
// Serves: an account's stuck remittances, newest first, and the figures of accounts. They are few, because all of them are read.
schema.index({ status: 1, accountId: 1, createdAt: -1, _id: -1, phaseSince: 1 }, inProgress);
// Serves: the stuck remittances of all accounts or of a partner, for operators.
schema.index({ status: 1, createdAt: 1, _id: 1, phaseSince: 1, isOpen: 1, accountId: 1 }, inProgress);
// Serves: the remittances of a user, newest first.
schema.index({ accountId: 1, userId: 1, createdAt: -1, _id: -1 });
// Serves: the remittances of a payer without an operation, newest first.
schema.index(
  { accountId: 1, payerKey: 1, status: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { payerKey: { $exists: true } } },
);
// Serve: the list of an account's remittances, whole or of a status, by either time, in both directions.
for (const filter of [{}, { status: 1 }] as const) {
  for (const at of ['createdAt', 'updatedAt']) {
    schema.index({ accountId: 1, ...filter, [at]: -1, _id: -1 });
  }
}

export function createRemittanceModel(connection: Connection): Model<RemittanceDocument> {
  return connection.model<RemittanceDocument>('Remittance', schema);
}
