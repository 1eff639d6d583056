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
  Pick<DeliveryDocument, 'finishedAt' | 'lastStatusCode' | 'createdAt'>;
type Attempt = Omit<AttemptDocument, 'answer' | 'timing' | 'accountId'>;

/** Urls, bodies, secrets and answers stay sealed. */
const DELIVERY_FIELDS = {
  event: 1,
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

/** Reads what happened to an account's deliveries: `most` changes of status, and as many attempts. Three reads in parallel. */
export async function readDeliveryTimeline(
  { deliveries, attempts }: Pick<WebhookModels, 'deliveries' | 'attempts'>,
  history: EventHistory,
  accountId: AccountId,
  ids: readonly string[],
  most: number,
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
  const byId = new Map(found.map((delivery) => [delivery._id, delivery]));
  const entries = [
    ...events.map(toEntry),
    ...tried.map((attempt) => toAttemptEntry(attempt, byId.get(attempt.deliveryId))),
  ];
  return {
    entries,
    problems: found.flatMap(problemsOf),
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
    nextAttemptAt: delivery && isLast(delivery, number) ? dueAgain(delivery) : null,
  };
}

function isLast({ attempt, earlierAttempts }: Delivery, number: number): boolean {
  return number === earlierAttempts + attempt;
}

/** When a delivery that has failed is tried again; null when it is not, or waits for another one. */
function dueAgain({ status, after, nextAttemptAt }: Delivery): Date | null {
  return status === 'PENDING' && after === undefined ? nextAttemptAt : null;
}

function problemsOf(delivery: Delivery): TimelineProblem[] {
  const { event: step, status, lastError, lastStatusCode, finishedAt, createdAt } = delivery;
  const isGivenUp = status === 'DEAD_LETTERED' || status === 'PAUSED';
  if (!(isGivenUp || (status === 'PENDING' && lastError !== undefined))) {
    return [];
  }
  const code = lastError === undefined ? null : toPartnerError(lastError);
  return [
    {
      step,
      code,
      message: wordsOf(code, lastStatusCode),
      nextAction: isGivenUp ? 'MEND_ENDPOINT_AND_REPLAY' : 'WAIT',
      at: finishedAt ?? createdAt,
      nextAttemptAt: dueAgain(delivery),
    },
  ];
}

function wordsOf(code: string | null, statusCode: number | undefined): string {
  if (code === null) {
    return 'The webhook was stopped before it was sent.';
  }
  return statusCode === undefined
    ? `The webhook got no answer: ${code}.`
    : `The webhook was answered with ${statusCode}.`;
}
