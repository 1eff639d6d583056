import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import type { BlindIndex } from '../crypto/blind-index.ts';
import type { Box } from '../crypto/box.ts';
import type { NewEvent } from '../events/model.ts';
import { appendDeliveryEvents, type DeliveryChange, type DeliveryEvents } from './delivery-events.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';
import { sealedContext } from './sealed.ts';
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

/** Where slices leave their webhooks. */
export interface WebhookQueue {
  /**
   * Stores deliveries, due now, in the caller's transaction, and the event of each; gives their ids
   * (`X-Webhook-Delivery-Id`) in the same order. An empty list writes nothing of its own.
   * @param also events of the caller's, written in the same round trip
   */
  enqueue(
    deliveries: readonly NewDelivery[],
    session: ClientSession,
    also?: readonly NewEvent[],
  ): Promise<string[]>;
  /**
   * Tries deliveries at once, in this process, without waiting for a sweep. Call it after the commit; it returns
   * immediately and never throws. Does nothing when `WEBHOOK_NUDGE` is off or the worker is not started.
   */
  wake(deliveryIds: readonly string[]): void;
}

interface QueueDeps {
  models: Pick<WebhookModels, 'deliveries'>;
  box: Box;
  /** Addresses are sealed: without its key nobody can try which one stands behind an endpoint. */
  blindIndex: BlindIndex;
  events: Pick<DeliveryEvents, 'append'>;
  clock: () => Date;
  wake: (deliveryIds: readonly string[]) => void;
}

const SHARDS = 16;

export function createWebhookQueue(deps: QueueDeps): WebhookQueue {
  return {
    enqueue: (deliveries, session, also = []) => enqueue(deps, deliveries, session, also),
    wake: deps.wake,
  };
}

/** All shards, in order. */
export function allShards(): number[] {
  return Array.from({ length: SHARDS }, (_, shard) => shard);
}

async function enqueue(
  { models, box, blindIndex, events, clock }: QueueDeps,
  deliveries: readonly NewDelivery[],
  session: ClientSession,
  also: readonly NewEvent[],
): Promise<string[]> {
  const documents = deliveries.map((delivery) => toDocument({ box, blindIndex }, delivery, clock()));
  if (documents.length > 0) {
    await models.deliveries.insertMany(documents, { session });
  }
  await appendDeliveryEvents(events, documents.map(toCreation), session, also);
  return documents.map(({ _id }) => _id);
}

function toCreation(document: DeliveryDocument): DeliveryChange {
  const { _id: deliveryId, tenantId, event, status, version, attempt, nextAttemptAt, createdAt } = document;
  return {
    deliveryId,
    tenantId,
    event,
    previousStatus: null,
    status,
    version,
    attempt,
    nextAttemptAt,
    occurredAt: createdAt,
  };
}

function toDocument(
  { box, blindIndex }: Pick<QueueDeps, 'box' | 'blindIndex'>,
  delivery: NewDelivery,
  now: Date,
): DeliveryDocument {
  const { tenantId, event, scheme, url, secret, body, createdAt } = delivery;
  const _id = randomUUID();
  const context = sealedContext({ tenantId, _id });
  const digest = Buffer.from(blindIndex.digest(tenantId, 'endpoint', url), 'base64url');
  return {
    _id,
    tenantId,
    event,
    scheme,
    endpoint: digest.toString('base64url', 0, 18),
    shard: digest.readUInt8(31) % SHARDS,
    status: 'PENDING',
    nextAttemptAt: now,
    version: 1,
    attempt: 0,
    earlierAttempts: 0,
    claims: 0,
    url: box.seal(url, context('url')),
    ...(secret ? { secret: box.seal(secret, context('secret')) } : {}),
    body: box.seal(body, context('body')),
    createdAt,
  };
}
