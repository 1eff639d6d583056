import {
  recordName,
  type TimelineDelivery,
  type TimelineProblem,
  type TimelineRecord,
  type WebhookAttemptEntry,
  type WebhookEntry,
} from '../graph/timeline.ts';
import type { AccountId } from '../kernel/account.ts';
import type { EventHistory, PastEvent } from '../runtime/events/index.ts';
import type { AttemptDocument, DeliveryDocument, WebhookModels } from './model.ts';
import { toPartnerError } from './partner-error.ts';

/** Webhooks about these events. */
export function deliveriesOf(events: readonly Pick<PastEvent, 'data' | 'occurredAt'>[]): TimelineDelivery[] {
  return events.flatMap(({ data: { deliveries }, occurredAt: at }) =>
    Array.isArray(deliveries)
      ? deliveries.filter((id) => typeof id === 'string').map((id) => ({ id, at }))
      : [],
  );
}

/** The newest `most` webhooks about failed calls that named a record of the account. */
export async function findAboutFailures(
  { deliveries }: Pick<WebhookModels, 'deliveries'>,
  accountId: AccountId,
  record: TimelineRecord,
  most: number,
): Promise<TimelineDelivery[]> {
  const found = await deliveries
    .find({ accountId, about: recordName(record) }, { createdAt: 1 })
    .sort({ createdAt: -1 })
    .limit(most)
    .lean<Pick<DeliveryDocument, '_id' | 'createdAt'>[]>();
  return found.map(({ _id: id, createdAt: at }) => ({ id, at }));
}

/** The history of deliveries. */
export interface DeliveryStory {
  readonly entries: readonly (WebhookEntry | WebhookAttemptEntry)[];
  readonly problems: readonly TimelineProblem[];
  /** Whether there was more than was to be read. */
  readonly isCut: boolean;
}

type Delivery = Pick<
  DeliveryDocument,
  '_id' | 'event' | 'status' | 'nextAttemptAt' | 'after' | 'attempt' | 'earlierAttempts' | 'lastError'
> &
  Pick<DeliveryDocument, 'endpoint' | 'finishedAt' | 'lastStatusCode' | 'createdAt'>;
type Attempt = Omit<AttemptDocument, 'answer' | 'timing' | 'accountId'>;

/** Urls, bodies, secrets and answers stay sealed. */
const DELIVERY_FIELDS = {
  event: 1,
  endpoint: 1,
  status: 1,
  nextAttemptAt: 1,
  after: 1,
  attempt: 1,
  earlierAttempts: 1,
  lastError: 1,
  lastStatusCode: 1,
  finishedAt: 1,
  createdAt: 1,
} as const;
const ATTEMPT_FIELDS = { deliveryId: 1, number: 1, at: 1, ms: 1, statusCode: 1, errorClass: 1 } as const;

/** The state of an account that its deliveries are shown by. */
interface Around {
  /** Its paused endpoints, as deliveries name them. */
  readonly paused: ReadonlySet<string>;
  /** How far its clock is ahead, milliseconds. */
  readonly aheadMs: number;
}

/**
 * Reads what happened to an account's deliveries: `most` changes of status, and as many attempts. Three reads in parallel, and one more
 * while a delivery waits. Due times are of the database; they are shown as the account's clock has them.
 */
export async function readDeliveryTimeline(
  { deliveries, attempts }: Pick<WebhookModels, 'deliveries' | 'attempts'>,
  history: EventHistory,
  accountId: AccountId,
  ids: readonly string[],
  most: number,
  { findPaused, aheadMs }: Pick<Around, 'aheadMs'> & { findPaused: () => Promise<Around['paused']> },
): Promise<DeliveryStory> {
  if (ids.length === 0) {
    return { entries: [], problems: [], isCut: false };
  }
  const [found, tried, events] = await Promise.all([
    deliveries.find({ _id: { $in: ids }, accountId }, DELIVERY_FIELDS).lean<Delivery[]>(),
    attempts
      .find({ deliveryId: { $in: ids }, accountId }, ATTEMPT_FIELDS)
      .sort({ deliveryId: 1, number: 1 })
      .limit(most)
      .lean<Attempt[]>(),
    history.ofMany(accountId, 'webhookDelivery', ids, most),
  ]);
  // Only a waiting delivery can be kept for a paused endpoint.
  const isWaiting = found.some(({ status }) => status === 'PENDING');
  const around = { paused: isWaiting ? await findPaused() : new Set<string>(), aheadMs };
  const byId = new Map(found.map((delivery) => [delivery._id, delivery]));
  const entries = [
    ...events.map(toEntry),
    ...tried.map((attempt) => toAttemptEntry(attempt, byId.get(attempt.deliveryId), around)),
  ];
  return {
    entries,
    problems: found.flatMap((delivery) => problemsOf(delivery, around)),
    isCut: tried.length === most || events.length === most,
  };
}

function toEntry(event: PastEvent): WebhookEntry {
  const { entityId, version, previousStatus, status, statusDetails, data, occurredAt: at } = event;
  return {
    __typename: 'TimelineWebhook',
    id: `WebhookDelivery:${entityId}:${String(version).padStart(9, '0')}:change`,
    at,
    deliveryId: entityId,
    event: String(data.event),
    previousStatus,
    status,
    errorClass: statusDetails === undefined ? null : toPartnerError(statusDetails),
  };
}

function toAttemptEntry(
  { deliveryId, number, at, ms, statusCode, errorClass }: Attempt,
  delivery: Delivery | undefined,
  around: Around,
): WebhookAttemptEntry {
  return {
    __typename: 'TimelineWebhookAttempt',
    id: `WebhookDelivery:${deliveryId}:attempt:${String(number).padStart(6, '0')}`,
    at,
    deliveryId,
    event: delivery?.event ?? null,
    number,
    ms,
    statusCode: statusCode ?? null,
    errorClass: errorClass ? toPartnerError(errorClass) : null,
    nextAttemptAt: delivery && isLast(delivery, number) ? dueAgain(delivery, around) : null,
  };
}

function isLast({ attempt, earlierAttempts }: Delivery, number: number): boolean {
  return number === earlierAttempts + attempt;
}

/** When a delivery that has failed is tried again; null when it is not, waits for another one, or is kept for a paused endpoint. */
function dueAgain(delivery: Delivery, around: Around): Date | null {
  const { status, after, nextAttemptAt } = delivery;
  return status === 'PENDING' && after === undefined && !isPaused(delivery, around)
    ? new Date(nextAttemptAt.getTime() + around.aheadMs)
    : null;
}

function isPaused({ status, endpoint }: Delivery, { paused }: Around): boolean {
  return status === 'PENDING' && paused.has(endpoint);
}

function problemsOf(delivery: Delivery, around: Around): TimelineProblem[] {
  const { event: step, status, lastError, lastStatusCode, finishedAt, createdAt } = delivery;
  const at = finishedAt ?? createdAt;
  if (isPaused(delivery, around)) {
    const message = 'The endpoint of the webhook is paused.';
    return [{ step, code: null, message, nextAction: 'RESUME_ENDPOINT', at, nextAttemptAt: null }];
  }
  const isGivenUp = status === 'DEAD_LETTERED';
  if (lastError === undefined || !(isGivenUp || status === 'PENDING')) {
    return [];
  }
  const code = toPartnerError(lastError);
  return [
    {
      step,
      code,
      message:
        lastStatusCode === undefined
          ? `The webhook got no answer: ${code}.`
          : `The webhook was answered with ${lastStatusCode}.`,
      nextAction: isGivenUp ? 'MEND_ENDPOINT_AND_REPLAY' : 'WAIT',
      at,
      nextAttemptAt: dueAgain(delivery, around),
    },
  ];
}
