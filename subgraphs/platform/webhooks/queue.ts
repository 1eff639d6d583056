import { createHash, randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import type { Box } from '../crypto/box.ts';
import type {
  AttemptDocument,
  DeliveryDocument,
  DeliveryError,
  DeliveryStatus,
  WebhookModels,
} from './model.ts';
import { openAnswer, openDelivery, sealedContext } from './sealed.ts';
import type { Scheme } from './sign.ts';

/** An event for one receiver, as the caller wants it delivered. */
export interface NewDelivery {
  readonly tenantId: string;
  readonly event: string;
  readonly scheme: Scheme;
  /** HTTPS URL in force now; kept for all attempts, as is the secret (document 2, "Delivery rules" 6). */
  readonly url: string;
  /** Absent or empty: attempts carry no signature. */
  readonly secret?: string;
  /** The exact bytes to send, serialised once; text is sent as UTF-8. */
  readonly body: Uint8Array | string;
  /** Time of the event. */
  readonly createdAt: Date;
}

/** What may be shown of a delivery. */
export interface Delivery {
  readonly id: string;
  readonly tenantId: string;
  readonly event: string;
  readonly scheme: Scheme;
  readonly status: DeliveryStatus;
  /** Attempts made so far. */
  readonly attempt: number;
  /** Of a PENDING one: when it is due, or, while it is being tried, when it would be taken up after a crash. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly lastError: DeliveryError | null;
  readonly lastStatusCode: number | null;
  /** What is sent, as text. */
  readonly body: string;
}

/** What may be shown of an attempt. */
export interface Attempt {
  readonly number: number;
  readonly at: Date;
  readonly ms: number;
  readonly statusCode: number | null;
  readonly errorClass: AttemptDocument['errorClass'] | null;
  /** The first 16 KB of the answer, as text. */
  readonly answer: string;
}

/** Where slices leave their webhooks, and where these are looked up. */
export interface WebhookQueue {
  /**
   * Stores deliveries, due now, in the caller's transaction; gives their ids (`X-Webhook-Delivery-Id`) in the same
   * order. An empty list writes nothing.
   */
  enqueue(deliveries: readonly NewDelivery[], session: ClientSession): Promise<string[]>;
  /**
   * Tries deliveries at once, in this process, without waiting for a sweep. Call it after the commit; it returns
   * immediately and never throws. Does nothing when `WEBHOOK_NUDGE` is off or the worker is not started.
   */
  nudge(deliveryIds: readonly string[]): void;
  /** A delivery of the tenant; undefined for another tenant's and for unknown ids alike. */
  find(tenantId: string, deliveryId: string): Promise<Delivery | undefined>;
  /** The attempts of a delivery of the tenant, first to last; kept for 30 days. */
  attempts(tenantId: string, deliveryId: string): Promise<Attempt[]>;
}

interface QueueDeps {
  models: WebhookModels;
  box: Box;
  clock: () => Date;
  nudge: (deliveryIds: readonly string[]) => void;
}

const SHARDS = 16;

export function createWebhookQueue(deps: QueueDeps): WebhookQueue {
  const { models, box } = deps;
  return {
    enqueue: (deliveries, session) => enqueue(deps, deliveries, session),
    nudge: deps.nudge,
    find: async (tenantId, _id) => {
      const found = await models.deliveries.findOne({ _id, tenantId }).lean();
      return found ? presentDelivery(box, found) : undefined;
    },
    attempts: async (tenantId, deliveryId) => {
      const found = await models.attempts.find({ deliveryId, tenantId }).sort({ number: 1 }).lean();
      return found.map((attempt) => presentAttempt(box, attempt));
    },
  };
}

/** All shards, in order. */
export function allShards(): number[] {
  return Array.from({ length: SHARDS }, (_, shard) => shard);
}

async function enqueue(
  { models, box, clock }: QueueDeps,
  deliveries: readonly NewDelivery[],
  session: ClientSession,
): Promise<string[]> {
  if (deliveries.length === 0) {
    return [];
  }
  const documents = deliveries.map((delivery) => toDocument(box, delivery, clock()));
  await models.deliveries.insertMany(documents, { session });
  return documents.map(({ _id }) => _id);
}

function toDocument(box: Box, delivery: NewDelivery, now: Date): DeliveryDocument {
  const { tenantId, event, scheme, url, secret, body, createdAt } = delivery;
  const _id = randomUUID();
  const context = sealedContext({ tenantId, _id });
  const digest = createHash('sha256').update(`${tenantId}\0${url}`).digest();
  return {
    _id,
    tenantId,
    event,
    scheme,
    endpoint: digest.toString('base64url', 0, 18),
    shard: digest.readUInt8(31) % SHARDS,
    status: 'PENDING',
    nextAttemptAt: now,
    attempt: 0,
    claims: 0,
    url: box.seal(url, context('url')),
    ...(secret ? { secret: box.seal(secret, context('secret')) } : {}),
    body: box.seal(body, context('body')),
    createdAt,
  };
}

function presentDelivery(box: Box, document: DeliveryDocument): Delivery {
  const { _id, tenantId, event, scheme, status, attempt, nextAttemptAt, createdAt } = document;
  return {
    id: _id,
    tenantId,
    event,
    scheme,
    status,
    attempt,
    nextAttemptAt: status === 'PENDING' ? nextAttemptAt : null,
    createdAt,
    finishedAt: document.finishedAt ?? null,
    lastError: document.lastError ?? null,
    lastStatusCode: document.lastStatusCode ?? null,
    body: openDelivery(box, document).body.toString(),
  };
}

function presentAttempt(box: Box, attempt: AttemptDocument): Attempt {
  const { number, at, ms, statusCode, errorClass } = attempt;
  return {
    number,
    at,
    ms,
    statusCode: statusCode ?? null,
    errorClass: errorClass ?? null,
    answer: openAnswer(box, attempt).toString(),
  };
}
