import { type Connection, type Model, Schema } from 'mongoose';
import { FAILURE_CAUSES, type FailureCause } from '../../graph/verdict.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { setShardKey } from '../../kernel/database/shard-keys.ts';
import type { PayoutMethod } from '../../kernel/money/payout-methods.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import type { RequestData } from '../commands/create-request-money.ts';
import { MONEY_REQUEST_STATUSES, type MoneyRequestStatus } from '../lifecycle.ts';

/** The effective corridor of a money request (document 2, "Create response fields", `resolved`). */
export interface ResolvedCorridor {
  sourceCountry: string;
  destinationCountry: string;
  sourceCurrency: string;
  destinationCurrency: string;
  payoutType: PayoutMethod;
  payerCode: string | null;
  /** The provider's name of the state; absent when the route needs none. */
  stateCode?: string;
}

/** A hint that does not fail a create. */
export interface Warning {
  code: 'ROUTE_NOT_OFFERABLE';
  message: string;
}

/** A money request without its personal part. Amounts are decimal strings. */
interface MoneyRequestBase {
  accountId: AccountId;
  /** The partner's 8 characters; unique in the account. */
  referenceId: string;
  userReferenceId: string;
  userId: string;
  amount: string;
  currency: string;
  status: MoneyRequestStatus;
  statusDetails: string;
  /** The number of moves; 1 is the creation. */
  version: number;
  landingLink: string;
  fundRequestLink: string;
  resolved: ResolvedCorridor;
  /** The price that its quote has locked; without it the price is that of the time when the payer begins. */
  price?: Quote;
  /** The fulfilling operation, once there is one. */
  operationId?: string;
  /** The cause of its rejection: that of its operation, if it has one. */
  failureCause?: FailureCause;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** The personal part of a money request; sealed at rest. */
export interface MoneyRequestPrivate {
  /** Once the money request has ended, `card` has the token in `number`, and no expiration date. */
  requestData: RequestData;
  /** Its text has the requester's name. */
  waLink: string;
}

/** A money request as stored. */
export interface MoneyRequestDocument extends MoneyRequestBase {
  /** The requestId of the API. */
  _id: string;
  /** Sealed JSON of {@link MoneyRequestPrivate}; context `accountId|private|requestId`. */
  private: StoredBytes;
}

/** A money request in the form that the slice uses. */
export interface MoneyRequest extends MoneyRequestBase, MoneyRequestPrivate {
  requestId: string;
}

/** The stored result of a create with an `Idempotency-Key`. It is kept for 48 h; the contract needs 24. */
export interface IdempotencyDocument {
  /** `accountId|key` */
  _id: string;
  /** Keyed digest of the canonical JSON of the body as sent. */
  bodyHash: string;
  /** Keyed digest of the meaning of the body, to compare a REST body with a GraphQL input. */
  commandHash: string;
  surface: 'rest' | 'graphql';
  /** Sealed JSON of {@link CreateResult}; context `accountId|result|key`. */
  result: StoredBytes;
  createdAt: Date;
}

/** The result of a create, also for its retries: without the payout data, which no answer has. */
export interface CreateResult {
  moneyRequest: Omit<MoneyRequest, 'requestData'>;
  warnings: Warning[];
}

const IDEMPOTENCY_KEPT_SECONDS = 48 * 3600;

const required = { type: String, required: true };
const time = { type: Date, required: true };

const moneyRequestSchema = new Schema<MoneyRequestDocument>(
  {
    _id: required,
    accountId: required,
    referenceId: required,
    userReferenceId: required,
    userId: required,
    amount: required,
    currency: required,
    status: { type: String, required: true, enum: MONEY_REQUEST_STATUSES },
    statusDetails: required,
    version: { type: Number, required: true },
    landingLink: { type: String, default: '' },
    fundRequestLink: { type: String, default: '' },
    resolved: { type: Schema.Types.Mixed, required: true },
    price: { type: Schema.Types.Mixed },
    operationId: String,
    failureCause: { type: String, enum: FAILURE_CAUSES },
    private: { type: Buffer, required: true },
    expiresAt: time,
    createdAt: time,
    updatedAt: time,
  },
  { collection: 'moneyRequests', versionKey: false },
);
setShardKey(
  moneyRequestSchema,
  ['accountId', 'referenceId'],
  'unique by reference; a large account may be divided',
);
// Serves: a money request by the partner's reference; there is one for each.
moneyRequestSchema.index({ accountId: 1, referenceId: 1 }, { unique: true });
// Serve: the list of an account's money requests, whole, of a status or of a requester, by either time, in both directions.
for (const filter of [{}, { status: 1 }, { userReferenceId: 1 }] as const) {
  for (const time of ['createdAt', 'updatedAt']) {
    moneyRequestSchema.index({ accountId: 1, ...filter, [time]: -1, _id: -1 });
  }
}
// Serves: the money requests of a user, newest first.
moneyRequestSchema.index({ accountId: 1, userId: 1, createdAt: -1, _id: -1 });
// Serves: the search by the payer's URL.
moneyRequestSchema.index({ accountId: 1, fundRequestLink: 1, createdAt: -1, _id: -1 });
// Serves: the expiry of money requests that nobody paid.
moneyRequestSchema.index({ expiresAt: 1 }, { partialFilterExpression: { status: 'pending' } });
const idempotencySchema = new Schema<IdempotencyDocument>(
  {
    _id: required,
    bodyHash: required,
    commandHash: required,
    surface: required,
    result: { type: Buffer, required: true },
    createdAt: time,
  },
  { collection: 'idempotencyKeys', versionKey: false },
);
setShardKey(idempotencySchema, ['_id'], 'an id begins with its account, and every statement names it');
idempotencySchema.index({ createdAt: 1 }, { expireAfterSeconds: IDEMPOTENCY_KEPT_SECONDS });

export interface MoneyRequestModels {
  readonly moneyRequests: Model<MoneyRequestDocument>;
  readonly idempotency: Model<IdempotencyDocument>;
}

export function createMoneyRequestModels(connection: Connection): MoneyRequestModels {
  return {
    moneyRequests: connection.model<MoneyRequestDocument>('MoneyRequest', moneyRequestSchema),
    idempotency: connection.model<IdempotencyDocument>('IdempotencyKey', idempotencySchema),
  };
}
