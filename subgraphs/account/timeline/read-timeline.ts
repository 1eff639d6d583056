import {
  isUndelivered,
  type RequestEntry,
  type TimelineChapter,
  type TimelineDelivery,
  type TimelineEntry,
  type TimelineProblem,
  type TimelineRecord,
  type TimelineSource,
} from '../../graph/timeline.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { RequestDocument } from '../../partners/request-log/model.ts';
import type { RequestReader } from '../../partners/request-log/reader.ts';
import type { EventHistory } from '../../runtime/events/index.ts';
import type { Deliveries } from '../../webhooks/deliveries.ts';

/** Maximum number of changes of one record; of more, the newest are kept. */
const MOST = 1_000;
/** Maximum number of webhooks in a timeline; of more, the newest are kept. */
const MOST_DELIVERIES = 250;
/**
 * Most changes of these webhooks together, and most attempts: enough for eight each. Of more, those of some webhooks are
 * missing.
 */
const MOST_OF_DELIVERIES = 2_000;
/** Maximum number of calls in a timeline; of more, the newest are kept. */
const MOST_REQUESTS = 250;

export interface TimelineDeps {
  readonly sources: readonly TimelineSource[];
  readonly history: EventHistory;
  readonly deliveries: Pick<Deliveries, 'timeline'>;
  readonly requests: Pick<RequestReader, 'findAbout'>;
}

/** Everything that happened to a payment, in order of time. */
export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  readonly problems: readonly TimelineProblem[];
  /** Whether the oldest entries are missing. */
  readonly isCut: boolean;
}

/**
 * Reads a record of the account and those of the same payment, round by round: each round reads what the one before has found,
 * side by side. Then it reads their webhooks. Records that the account does not have add nothing.
 */
export async function readTimeline(
  deps: TimelineDeps,
  accountId: AccountId,
  start: TimelineRecord,
): Promise<Timeline> {
  const { chapters, ids: records } = await readChapters(deps, accountId, start);
  const { ids, isCut: lacksWebhooks } = newestOf(chapters.flatMap(({ deliveries }) => deliveries));
  const [webhooks, requests] = await Promise.all([
    deps.deliveries.timeline(deps.history, accountId, ids, MOST_OF_DELIVERIES),
    chapters.length === 0 ? [] : deps.requests.findAbout(accountId, records, MOST_REQUESTS),
  ]);
  return {
    entries: inOrder([
      ...requests.map(toRequestEntry),
      ...chapters.flatMap(({ entries }) => entries),
      ...webhooks.entries,
    ]),
    problems: [...chapters.flatMap(({ problems }) => problems), ...webhooks.problems],
    isCut:
      lacksWebhooks ||
      webhooks.isCut ||
      requests.length === MOST_REQUESTS ||
      chapters.some(({ isCut }) => isCut),
  };
}

/** The webhooks of a payment that were given up, or wait for a paused endpoint. */
export async function countUndelivered(
  deps: TimelineDeps,
  accountId: AccountId,
  record: TimelineRecord,
): Promise<number> {
  const { problems } = await readTimeline(deps, accountId, record);
  return problems.filter(isUndelivered).length;
}

/** Ids of the newest webhooks of all records, each once, because two records may name the same one. */
function newestOf(reported: readonly TimelineDelivery[]): { ids: string[]; isCut: boolean } {
  const byId = new Map(reported.map(({ id, at }) => [id, at.getTime()]));
  const newestFirst = [...byId].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
  return { ids: newestFirst.slice(0, MOST_DELIVERIES), isCut: byId.size > MOST_DELIVERIES };
}

async function readChapters(
  { sources }: TimelineDeps,
  accountId: AccountId,
  start: TimelineRecord,
): Promise<{ chapters: TimelineChapter[]; ids: string[] }> {
  const ids = new Set<string>();
  const seen = new Set<string>();
  const chapters: TimelineChapter[] = [];
  // An atomic call, and a request by v2, have the id of their operation: they are read at once.
  let round: readonly TimelineRecord[] = [start, ...twinOf(start)];
  while (round.length > 0) {
    const unread = round.filter(({ type, id }) => !seen.has(`${type}:${id}`));
    for (const { type, id } of unread) {
      seen.add(`${type}:${id}`);
    }
    const read = await Promise.all(
      unread.map(({ type, id }) => sources.find((source) => source.type === type)?.read(accountId, id, MOST)),
    );
    const found = read.filter((chapter) => chapter !== undefined);
    chapters.push(...found);
    unread.forEach(({ type, id }, index) => {
      // Calls about a link are about other things than the payment, too.
      if (read[index] && type !== 'Link') {
        ids.add(id);
      }
    });
    round = found.flatMap(({ related }) => related);
  }
  return { chapters, ids: [...ids] };
}

function twinOf({ type, id }: TimelineRecord): TimelineRecord[] {
  switch (type) {
    case 'Operation':
      return [
        { type: 'Remittance', id },
        { type: 'Reservation', id },
      ];
    case 'Remittance':
    case 'Reservation':
      return [{ type: 'Operation', id }];
    default:
      return [];
  }
}

function toRequestEntry(request: RequestDocument): RequestEntry {
  const { _id, createdAt: at, requestId, surface, ms } = request;
  return {
    __typename: 'TimelineRequest',
    id: _id,
    at,
    requestId,
    surface,
    method: request.method ?? null,
    path: request.path ?? null,
    operation: request.operation ?? null,
    status: request.status ?? null,
    code: request.code ?? null,
    ms,
  };
}

/** Of entries of the same moment, causes come before what they bring about. */
const RANKS: Readonly<Record<TimelineEntry['__typename'], number>> = {
  TimelineRequest: 0,
  TimelineLinkActivity: 1,
  TimelinePhaseFailure: 2,
  TimelinePhase: 3,
  TimelineStatusChange: 4,
  TimelineWebhook: 5,
  TimelineWebhookAttempt: 6,
};

/** The place of an entry among all: texts sort as entries do. */
export function placeOf({ __typename, id, at }: TimelineEntry): string {
  return `${String(at.getTime()).padStart(15, '0')}:${RANKS[__typename]}:${id}`;
}

function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const placed = entries.map((entry) => ({ place: placeOf(entry), entry }));
  return placed
    .sort((one, other) => (one.place < other.place ? -1 : Number(one.place > other.place)))
    .map(({ entry }) => entry);
}
