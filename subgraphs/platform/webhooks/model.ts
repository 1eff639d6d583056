import { type Connection, type Model, Schema } from 'mongoose';
import type { StoredBytes } from '../binary.ts';
import { setFormerIndexes } from '../database/indexes.ts';
import type { AttemptTiming } from './attempt-timing.ts';
import { type BulkReplayModel, createBulkReplayModel } from './bulk-replay-model.ts';
import { createEndpointStateModel, type EndpointStateModel } from './endpoint-state.ts';
import { createOrderModel, type OrderModel } from './order-model.ts';
import type { ErrorClass } from './sender.ts';
import { SCHEMES, type Scheme } from './sign.ts';

/**
 * PENDING awaits its next attempt, or is being tried; the other three are not tried. DELIVERED had a 2xx answer,
 * DEAD_LETTERED used up its attempts, PAUSED was stopped by an operator.
 */
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'DEAD_LETTERED', 'PAUSED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why a delivery was last not accepted; `poison`: its worker died each time before an outcome was recorded. */
export type DeliveryError = ErrorClass | 'poison';

/** One event on its way to one receiver. URL, secret and body are those of the moment of enqueueing. */
export interface DeliveryDocument {
  /** UUID; `X-Webhook-Delivery-Id`. */
  _id: string;
  tenantId: string;
  event: string;
  scheme: Scheme;
  /** Keyed digest of tenant and URL: what the bound of simultaneous attempts counts by. */
  endpoint: string;
  status: DeliveryStatus;
  /**
   * When it is due. A claim moves it to the end of the lease, so that a delivery whose worker died is due again by
   * itself and no step has to collect it.
   */
  nextAttemptAt: Date;
  /** Counts its statuses, for the event log: 1 is the creation. */
  version: number;
  /** Attempts whose outcome is recorded, since the last replay. */
  attempt: number;
  /** Attempts before the last replay: their traces are kept. */
  earlierAttempts: number;
  /** Claims since the last recorded outcome: what a crashing worker leaves behind. */
  claims: number;
  /** What it is in order with: a keyed digest of endpoint and entity. Absent: it waits for no other, and none for it. */
  order?: string;
  /** Id of the delivery whose end it waits for. Absent: none. Until then it is due {@link NOT_DUE}. */
  after?: string;
  /** Of the worker that is trying it; an outcome is recorded only under the token that it was claimed with. */
  leaseToken?: string;
  /** Sealed; context `tenantId|url|_id`. */
  url: StoredBytes;
  /** Sealed; context `tenantId|secret|_id`. Absent when the receiver had none. */
  secret?: StoredBytes;
  /** Sealed JSON; context `tenantId|formerSecrets|_id`. Replaced secrets that sign beside it, each with its end. */
  formerSecrets?: StoredBytes;
  /** Sealed, for it names people; context `tenantId|body|_id`. Opened, the bytes that every attempt signs and sends. */
  body: StoredBytes;
  createdAt: Date;
  /** The trace that it was stored in, as W3C `traceparent`; absent where nothing was traced. */
  traceparent?: string;
  /** When it was delivered or dead-lettered. */
  finishedAt?: Date;
  lastError?: DeliveryError;
  lastStatusCode?: number;
}

/** When a delivery is due that waits for the end of another: never. */
export const NOT_DUE = new Date('9999-12-31T00:00:00.000Z');

/** One attempt of a delivery. Kept for `WEBHOOK_RETENTION_DAYS`. */
export interface AttemptDocument {
  /** `deliveryId:number` */
  _id: string;
  deliveryId: string;
  tenantId: string;
  /** 1 is the first; a replay goes on counting. */
  number: number;
  /** When it began. */
  at: Date;
  ms: number;
  statusCode?: number;
  /** Absent for a 2xx. */
  errorClass?: ErrorClass;
  /** The first 16 KB of the answer's body. Sealed; context `tenantId|answer|_id`. */
  answer: StoredBytes;
  /** Absent where no address was found to connect to, and of attempts of former versions. */
  timing?: AttemptTiming;
}

const required = { type: String, required: true };
const number = { type: Number, required: true };
const time = { type: Date, required: true };

const deliverySchema = new Schema<DeliveryDocument>(
  {
    _id: required,
    tenantId: required,
    event: required,
    scheme: { type: String, required: true, enum: SCHEMES },
    endpoint: required,
    status: { type: String, required: true, enum: DELIVERY_STATUSES },
    nextAttemptAt: time,
    version: number,
    attempt: number,
    earlierAttempts: number,
    claims: number,
    order: String,
    after: String,
    leaseToken: String,
    url: { type: Buffer, required: true },
    secret: Buffer,
    formerSecrets: Buffer,
    body: { type: Buffer, required: true },
    createdAt: time,
    traceparent: String,
    finishedAt: Date,
    lastError: String,
    lastStatusCode: Number,
  },
  { collection: 'webhookDeliveries', versionKey: false },
);
// Serves: the endpoints that have something due, and what is due at one of them, first attempts and later ones. Not partial:
// within a partial index MongoDB does not use the range of the last field to step over what is not due yet.
deliverySchema.index({ status: 1, endpoint: 1, attempt: 1, nextAttemptAt: 1 });
// Serve: the list of a tenant's deliveries, newest first, of all events or one. Lists name their statuses, all of them
// where none is asked for: two indexes less to keep up with each delivery.
deliverySchema.index({ tenantId: 1, status: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ tenantId: 1, event: 1, status: 1, createdAt: -1, _id: -1 });
// Serves: retention; holds what is finished only.
deliverySchema.index({ finishedAt: 1 }, { partialFilterExpression: { finishedAt: { $exists: true } } });
// Serves: who waits for a delivery's end; holds what waits only.
deliverySchema.index({ after: 1 }, { partialFilterExpression: { after: { $exists: true } } });
// By which a former version claimed.
setFormerIndexes(deliverySchema, ['shard_1_nextAttemptAt_1']);

const timingSchema = new Schema<AttemptTiming>(
  { reused: Boolean, dnsMs: Number, connectMs: Number, tlsMs: Number, firstByteMs: Number },
  { _id: false },
);

const attemptSchema = new Schema<AttemptDocument>(
  {
    _id: required,
    deliveryId: required,
    tenantId: required,
    number,
    at: time,
    ms: number,
    statusCode: Number,
    errorClass: String,
    answer: { type: Buffer, required: true },
    timing: { type: timingSchema },
  },
  { collection: 'webhookAttempts', versionKey: false },
);
// Serves: the attempts of a delivery, in order.
attemptSchema.index({ deliveryId: 1, number: 1 });
// Serves: retention. Not the database's own removal: its time is part of the index, which no setting could change.
attemptSchema.index({ at: 1, _id: 1 });
// By which a former version had the database remove attempts: after 30 days, whatever is configured.
setFormerIndexes(attemptSchema, ['at_1']);

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
