import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { StoredBytes } from '../kernel/binary.ts';
import { MOST_WEBHOOK_ATTEMPTS } from '../kernel/config/work-settings.ts';
import { setShardKey } from '../kernel/database/shard-keys.ts';
import { SIGNATURE_SCHEMES, type SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import type { AttemptTiming } from './attempt-timing.ts';
import { type BulkReplayModel, createBulkReplayModel } from './bulk-replay-model.ts';
import { createEndpointStateModel, type EndpointStateModel } from './endpoint-state.ts';
import { createOrderModel, type OrderModel } from './order-model.ts';
import type { ErrorClass } from './sender.ts';
import { SCHEMES, type Scheme } from './sign.ts';

/**
 * PENDING waits for its next attempt, or is being tried; the other three are not tried. DELIVERED had a 2xx answer,
 * DEAD_LETTERED has used up its attempts. PAUSED is how a PENDING one is shown while its endpoint is paused.
 */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'DEAD_LETTERED', 'PAUSED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why the last attempt failed; `poison`: its worker died each time before it recorded an outcome; `endpoint_deleted`: its
 * endpoint was deleted before it was sent.
 */
export type DeliveryError = ErrorClass | 'poison' | 'endpoint_deleted';

/**
 * One event for one receiver. URL, secret, scheme, headers and body are those of the moment of enqueueing, until somebody asks to send it to
 * the URL that its endpoint has now.
 */
export interface DeliveryDocument {
  /** UUID; `X-Webhook-Delivery-Id`. */
  _id: string;
  accountId: AccountId;
  event: string;
  scheme: Scheme;
  /** Id of the endpoint that it was made for, as {@link NewDelivery} has it. Absent: it is for the partner's status hook. */
  endpointId?: string;
  /** Keyed digest of account and URL. The limit of simultaneous attempts counts by it. */
  endpoint: string;
  status: DeliveryStatus;
  /**
   * When it is due. A claim moves it to the end of the lease. So a delivery whose worker died is due again by itself, and no
   * cleanup is needed.
   */
  nextAttemptAt: Date;
  /** The wait that the last failure has set `nextAttemptAt` by, milliseconds; absent before the first one. */
  waitMs?: number;
  /** Its version in the event log: 1 is the creation. */
  version: number;
  /** Recorded attempts since the last replay. */
  attempt: number;
  /** Attempts before the last replay: their traces are kept. */
  earlierAttempts: number;
  /** Claims since the last recorded outcome; a crashing worker leaves them. */
  claims: number;
  /** Its order: a keyed digest of endpoint and entity. Absent: it waits for no other delivery, and none waits for it. */
  order?: string;
  /**
   * The record whose failed call it reports, as {@link NewDelivery} has it. Absent in all others: the event of the change that
   * they report has their ids.
   */
  about?: string;
  /** Id of the delivery that must end first. Absent: none. Until then it is due {@link NOT_DUE}. */
  after?: string;
  /** The token of the worker that tries it; an outcome is only recorded under the token of its claim. */
  leaseToken?: string;
  /** Sealed; context `accountId|url|_id`. */
  url: StoredBytes;
  /** Sealed JSON; context `accountId|formerUrls|_id`. The URLs before it was sent to its endpoint's current one, oldest first. */
  formerUrls?: StoredBytes;
  /** Sealed; context `accountId|secret|_id`. Absent when the receiver had none. */
  secret?: StoredBytes;
  /** Sealed JSON; context `accountId|formerSecrets|_id`. Replaced secrets that sign beside it, each with its end. */
  formerSecrets?: StoredBytes;
  /** That of its endpoint. Absent: DOCUMENTED. */
  signatureScheme?: SignatureScheme;
  /** Sealed JSON; context `accountId|headers|_id`. The partner's own headers; absent: none. */
  headers?: StoredBytes;
  /**
   * Sealed, because it names people; context `accountId|body|_id`. Opened, it is the bytes that every attempt signs and sends.
   */
  body: StoredBytes;
  createdAt: Date;
  /** The trace of its creation, as W3C `traceparent`; absent without tracing. */
  traceparent?: string;
  /** When it was delivered or dead-lettered. */
  finishedAt?: Date;
  lastError?: DeliveryError;
  lastStatusCode?: number;
  /** Its user was erased: no answer to it is kept from then on. */
  erased?: true;
}

/**
 * The condition of waiting deliveries that have had `from` attempts or more. It names each number: MongoDB then merges the
 * deliveries of each, which the index has in the order of their due times, and does not sort a backlog.
 */
export function attemptsFrom(from: 0 | 1): { $in: number[] } {
  return { $in: Array.from({ length: MOST_WEBHOOK_ATTEMPTS - from }, (_, index) => from + index) };
}

/** The due time of a delivery that waits for another one's end: never. */
export const NOT_DUE = new Date('9999-12-31T00:00:00.000Z');

/** One attempt of a delivery. Kept for `WEBHOOK_RETENTION_DAYS`. */
export interface AttemptDocument {
  /** `deliveryId:number` */
  _id: string;
  deliveryId: string;
  accountId: AccountId;
  /** 1 is the first; replays continue the numbers. */
  number: number;
  /** When the attempt began, by the account's clock. */
  at: Date;
  /** How far this clock was ahead of the time that the attempt was signed with, milliseconds. Absent: not. */
  aheadMs?: number;
  ms: number;
  statusCode?: number;
  /** Absent for a 2xx. */
  errorClass?: ErrorClass;
  /** The first 16 KB of the answer's body. Sealed; context `accountId|answer|_id`. */
  answer: StoredBytes;
  /** Absent when the host has no address that webhooks may go to. */
  timing?: AttemptTiming;
}

const required = { type: String, required: true };
const number = { type: Number, required: true };
const time = { type: Date, required: true };

const deliverySchema = new Schema<DeliveryDocument>(
  {
    _id: required,
    accountId: required,
    event: required,
    scheme: { type: String, required: true, enum: SCHEMES },
    endpointId: String,
    endpoint: required,
    status: { type: String, required: true, enum: DELIVERY_STATUSES },
    nextAttemptAt: time,
    waitMs: Number,
    version: number,
    attempt: number,
    earlierAttempts: number,
    claims: number,
    order: String,
    about: String,
    after: String,
    leaseToken: String,
    url: { type: Buffer, required: true },
    formerUrls: Buffer,
    secret: Buffer,
    formerSecrets: Buffer,
    signatureScheme: { type: String, enum: SIGNATURE_SCHEMES },
    headers: Buffer,
    body: { type: Buffer, required: true },
    createdAt: time,
    traceparent: String,
    finishedAt: Date,
    lastError: String,
    lastStatusCode: Number,
    erased: Boolean,
  },
  { collection: 'webhookDeliveries', versionKey: false },
);
setShardKey(
  deliverySchema,
  ['accountId', '_id'],
  'listed by account; attempts name account and id; a large account may be divided',
);
// Serves: the endpoints with due deliveries, and the due deliveries of one, first attempts and later ones. The
// fields after them are those of the queue's figures, which are read from the index alone. It is not partial: a development
// store finds nothing by some pairs of fields when one has a partial index (`of-account.ts`).
deliverySchema.index({
  status: 1,
  endpoint: 1,
  attempt: 1,
  nextAttemptAt: 1,
  leaseToken: 1,
  waitMs: 1,
  createdAt: 1,
  accountId: 1,
});
// Serve: the list of an account's deliveries, newest first, of all events or one. Lists name their statuses, if need be all of
// them: that saves two indexes for each delivery. The endpoint is for replays to one, and for paused ones;
// its id is for lists of a short time by endpoint, and for replays of webhooks to former URLs.
deliverySchema.index({ accountId: 1, status: 1, createdAt: -1, _id: -1, endpoint: 1, endpointId: 1 });
deliverySchema.index({
  accountId: 1,
  event: 1,
  status: 1,
  createdAt: -1,
  _id: -1,
  endpoint: 1,
  endpointId: 1,
});
// Serves: deliveries about failed calls, by the record that the call named; has only those.
deliverySchema.index(
  { accountId: 1, about: 1, createdAt: -1 },
  { partialFilterExpression: { about: { $exists: true } } },
);
// Serves: the dead-lettered deliveries of an account since a time, for its operational events; has only those.
deliverySchema.index(
  { accountId: 1, finishedAt: 1, endpointId: 1 },
  { partialFilterExpression: { status: 'DEAD_LETTERED' } },
);
// Serves: retention; has only finished deliveries.
deliverySchema.index({ finishedAt: 1 }, { partialFilterExpression: { finishedAt: { $exists: true } } });
// Serves: deliveries that wait for another one's end; has only those.
deliverySchema.index({ after: 1 }, { partialFilterExpression: { after: { $exists: true } } });

const timingSchema = new Schema<AttemptTiming>(
  { reused: Boolean, dnsMs: Number, connectMs: Number, tlsMs: Number, firstByteMs: Number },
  { _id: false },
);

const attemptSchema = new Schema<AttemptDocument>(
  {
    _id: required,
    deliveryId: required,
    accountId: required,
    number,
    at: time,
    aheadMs: Number,
    ms: number,
    statusCode: Number,
    errorClass: String,
    answer: { type: Buffer, required: true },
    timing: { type: timingSchema },
  },
  { collection: 'webhookAttempts', versionKey: false },
);
setShardKey(attemptSchema, ['accountId', 'deliveryId'], 'read by delivery; a large account may be divided');
// Serves: the attempts of a delivery, in order.
attemptSchema.index({ deliveryId: 1, number: 1 });
// Serves: retention. The database's own removal would have its time in the index, which no setting could change.
attemptSchema.index({ at: 1, _id: 1 });

export interface WebhookModels {
  readonly deliveries: Model<DeliveryDocument>;
  readonly attempts: Model<AttemptDocument>;
  readonly endpointStates: EndpointStateModel;
  readonly replays: BulkReplayModel;
  readonly orders: OrderModel;
}

export function createWebhookModels(connection: Connection): WebhookModels {
  return {
    deliveries: connection.model<DeliveryDocument>('WebhookDelivery', deliverySchema),
    attempts: connection.model<AttemptDocument>('WebhookAttempt', attemptSchema),
    endpointStates: createEndpointStateModel(connection),
    replays: createBulkReplayModel(connection),
    orders: createOrderModel(connection),
  };
}
