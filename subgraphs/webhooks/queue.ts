import { randomUUID } from 'node:crypto';
import type { AccountId } from '../kernel/account.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Tracing } from '../kernel/tracing/tracing.ts';
import { type FormerSecret, sealFormerSecrets, stillValid } from '../partners/tenants/former-secrets.ts';
import type { SignatureScheme } from '../partners/tenants/signature-scheme.ts';
import { type StaticHeader, sealHeaders } from '../partners/tenants/static-headers.ts';
import { appendDeliveryEvents, type DeliveryChange, type DeliveryEvents } from './delivery-events.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';
import { type DeliveryOrder, isOrdered, type OrderedDelivery } from './order.ts';
import { sealedContext } from './sealed.ts';
import type { Scheme } from './sign.ts';

/** An event to deliver to one receiver. */
export interface NewDelivery {
  /** Its `X-Webhook-Delivery-Id`; a new UUID when absent. */
  readonly id?: string;
  readonly accountId: AccountId;
  readonly event: string;
  readonly scheme: Scheme;
  /** Id of the endpoint: `first` or that of a further one. Absent: it is for the partner's `operationStatusHook`. */
  readonly endpointId?: string;
  /** The present HTTPS URL. All attempts keep it, and the secret (document 2, "Delivery rules" 6). */
  readonly url: string;
  /** Absent or empty: attempts carry no signature. */
  readonly secret?: string;
  /** Replaced secrets that sign beside it until they expire; all attempts keep them, too. */
  readonly formerSecrets?: readonly FormerSecret[];
  /** How all attempts are signed; default: DOCUMENTED. */
  readonly signatureScheme?: SignatureScheme;
  /** The partner's own headers, which all attempts have; default: none. */
  readonly headers?: readonly StaticHeader[];
  /** The exact bytes to send, serialised once; text is sent as UTF-8. */
  readonly body: Uint8Array | string;
  /**
   * The entity of the event, such as `reference|ABC-1`: earlier deliveries of the same entity to the same URL must end first.
   * Absent: it has no order.
   */
  readonly entity?: string;
  /**
   * The record whose failed call it reports, by {@link recordName}: its timeline finds the delivery by it. Absent: a change in
   * the event log names the delivery, or it is about no record.
   */
  readonly about?: string;
  /**
   * The trace that caused it, as W3C `traceparent`: it is stored, or the current span where that is of the same trace.
   * Absent: the current span, if any.
   */
  readonly traceparent?: string;
  /** Time of the event. */
  readonly createdAt: Date;
}

/** Gives deliveries their ids, for callers that record them with the change that they are about. */
export function identify(deliveries: readonly NewDelivery[]): (NewDelivery & { readonly id: string })[] {
  return deliveries.map((delivery) => ({ ...delivery, id: delivery.id ?? randomUUID() }));
}

/** The queue to which slices add their webhooks. */
export interface WebhookQueue {
  /**
   * Stores deliveries, due now, in the caller's transaction, and the event of each. They are tried as soon as it is
   * committed, in this process, unless `WEBHOOK_NUDGE` is off or the worker is not started: then at the next sweep.
   * One that has an order is due when the one before it has ended.
   * @returns them as they are stored, in the same order; the ids are `X-Webhook-Delivery-Id`. The deliveries that those with an order wait
   *   for is known at the end of the transaction only
   */
  enqueue(deliveries: readonly NewDelivery[], unit: UnitOfWork): DeliveryDocument[];
}

interface QueueDeps {
  models: Pick<WebhookModels, 'deliveries'>;
  box: Box;
  /** Addresses are sealed: without the key nobody can test which address an endpoint has. */
  blindIndex: BlindIndex;
  events: Pick<DeliveryEvents, 'append'>;
  clock: () => Date;
  order: Pick<DeliveryOrder, 'chain'>;
  traceparent: Tracing['traceparent'];
  /** Makes the worker try a delivery after the commit; returns the delivery to store. */
  admit: (delivery: DeliveryDocument, unit: UnitOfWork) => DeliveryDocument;
}

export function createWebhookQueue(deps: QueueDeps): WebhookQueue {
  const inOrder: InOrder = new WeakMap();
  return {
    enqueue: (deliveries, unit) => enqueue(deps, inOrder, deliveries, unit),
  };
}

/** The ordered deliveries of a transaction so far; they are stored together at its end. */
type InOrder = WeakMap<UnitOfWork, OrderedDelivery[]>;

/** The name by which deliveries of an account to a URL know their endpoint. */
export function identifyEndpoint(blindIndex: BlindIndex, accountId: AccountId, url: string): string {
  const digest = Buffer.from(blindIndex.digest(accountId, 'endpoint', url), 'base64url');
  return digest.toString('base64url', 0, 18);
}

function enqueue(
  deps: QueueDeps,
  inOrder: InOrder,
  deliveries: readonly NewDelivery[],
  unit: UnitOfWork,
): DeliveryDocument[] {
  const documents = deliveries.map((delivery): DeliveryDocument => {
    const traceparent = deps.traceparent(delivery.traceparent);
    const document = {
      ...toDocument(deps, delivery, deps.clock()),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    return isOrdered(document) ? document : deps.admit(document, unit);
  });
  const unordered = documents.filter((document) => !isOrdered(document));
  store(deps, unordered, unit);
  storeInOrder(deps, inOrder, documents.filter(isOrdered), unit);
  return documents;
}

/** At the end of the transaction: a unit cannot read what it has added, and a caller that only writes does not wait. */
function storeInOrder(
  deps: QueueDeps,
  inOrder: InOrder,
  ordered: readonly OrderedDelivery[],
  unit: UnitOfWork,
): void {
  const earlier = inOrder.get(unit);
  if (earlier) {
    earlier.push(...ordered);
  } else if (ordered.length > 0) {
    const all = [...ordered];
    inOrder.set(unit, all);
    unit.beforeEnd(() => chainAndStore(deps, all, unit));
  }
}

async function chainAndStore(
  deps: QueueDeps,
  ordered: readonly OrderedDelivery[],
  unit: UnitOfWork,
): Promise<void> {
  const chained = await deps.order.chain(ordered, unit);
  const documents = chained.map((document) =>
    document.after === undefined ? deps.admit(document, unit) : document,
  );
  store(deps, documents, unit);
}

function store(
  { models, events }: QueueDeps,
  documents: readonly DeliveryDocument[],
  unit: UnitOfWork,
): void {
  unit.insert(models.deliveries, documents);
  appendDeliveryEvents(events, documents.map(toCreation), unit);
}

function toCreation(document: DeliveryDocument): DeliveryChange {
  const { _id: deliveryId, accountId, event, status, version, attempt, nextAttemptAt, createdAt } = document;
  return {
    deliveryId,
    accountId,
    event,
    previousStatus: null,
    status,
    version,
    attempt,
    nextAttemptAt,
    occurredAt: createdAt,
    createdAt,
    unclaimed: document.leaseToken === undefined && document.after === undefined ? true : undefined,
  };
}

function toDocument(
  { box, blindIndex }: Pick<QueueDeps, 'box' | 'blindIndex'>,
  delivery: NewDelivery,
  now: Date,
): DeliveryDocument {
  const {
    accountId,
    event,
    scheme,
    endpointId,
    url,
    secret,
    formerSecrets = [],
    signatureScheme,
    headers = [],
    body,
    entity,
    about,
    createdAt,
  } = delivery;
  const { id: _id = randomUUID() } = delivery;
  const context = sealedContext({ accountId, _id });
  const endpoint = identifyEndpoint(blindIndex, accountId, url);
  const former = sealFormerSecrets(box, stillValid(formerSecrets, now), context('formerSecrets'));
  const sealedHeaders = sealHeaders(box, headers, context('headers'));
  return {
    _id,
    accountId,
    event,
    scheme,
    ...(endpointId === undefined ? {} : { endpointId }),
    endpoint,
    status: 'PENDING',
    nextAttemptAt: now,
    version: 1,
    attempt: 0,
    earlierAttempts: 0,
    claims: 0,
    ...(entity === undefined
      ? {}
      : { order: blindIndex.digest(accountId, 'order', `${endpoint}|${entity}`) }),
    ...(about === undefined ? {} : { about }),
    url: box.seal(url, context('url')),
    ...(secret ? { secret: box.seal(secret, context('secret')) } : {}),
    ...(former && { formerSecrets: former }),
    ...(signatureScheme && { signatureScheme }),
    ...(sealedHeaders && { headers: sealedHeaders }),
    body: box.seal(body, context('body')),
    createdAt,
  };
}
