import type { AccountId } from '../../kernel/account.ts';
import {
  EVENT_ENTITIES,
  EVENT_HEAD,
  type EventDocument,
  type EventEntity,
  type EventModels,
  type NumberedEvent,
} from './model.ts';

/** A topic to follow: one account's events of one kind, or of one entity. */
export interface Topic {
  readonly accountId: AccountId;
  readonly entity: EventEntity;
  readonly entityId?: string | undefined;
}

/** The description of unclaimed work: enough to find its document. */
export type UnclaimedWork = Pick<EventDocument, 'accountId' | 'entity' | 'entityId'>;

/** The reading side of the numbered log. Numbers are visible without gaps up to the head, so reading in their order is enough. */
export interface EventReader {
  /**
   * The last number that a majority of the database has, which no failover takes back. On a database whose primary has just
   * changed it may be lower than one seen before.
   */
  head(): Promise<number>;
  /** The last number that the primary has: never lower than one that any reader was given. */
  newest(): Promise<number>;
  /** The first `limit` events after a number, of all accounts; only such as a majority of the database has. */
  after(seq: number, limit: number): Promise<NumberedEvent[]>;
  /** The first `limit` events of a topic with `from` < number <= `to`, where `to` is not past {@link head}. */
  between(topic: Topic, from: number, to: number, limit: number): Promise<NumberedEvent[]>;
  /** The last event of an account up to a number that is not past {@link head}; undefined when the log has none. */
  lastOf(accountId: AccountId, head: number): Promise<NumberedEvent | undefined>;
  /** The work without a lease among the events with `from` < number <= `to`, where `to` is not past {@link head}. */
  unclaimed(from: number, to: number): Promise<UnclaimedWork[]>;
  /** Age in milliseconds of the oldest event without a number; 0 when there is none. */
  lagMs(now: Date): Promise<number>;
}

const UNCLAIMED_WORK = { _id: 0, accountId: 1, entity: 1, entityId: 1 } as const;

export function createEventReader({ events, head }: EventModels): EventReader {
  const lastSeq = async (level: 'local' | 'majority'): Promise<number> => {
    const found = await head.findOne({ _id: EVENT_HEAD }).read('primary').readConcern(level).lean();
    return found?.lastSeq ?? 0;
  };
  return {
    head: () => lastSeq('majority'),
    newest: () => lastSeq('local'),
    after: (seq, limit) =>
      events
        .find({ seq: { $gt: seq } })
        .sort({ seq: 1 })
        .limit(limit)
        .batchSize(limit)
        .read('primary')
        .readConcern('majority')
        .lean<NumberedEvent[]>(),
    // From the primary's own state, not the majority's: right after a failover that may lag behind the head given, and
    // what is missing then would be passed over. Up to the head the two are the same otherwise.
    between: ({ accountId, entity, entityId }, from, to, limit) =>
      events
        .find({
          accountId,
          entity,
          ...(entityId === undefined ? {} : { entityId }),
          seq: { $gt: from, $lte: to },
        })
        .sort({ seq: 1 })
        .limit(limit)
        .read('primary')
        .readConcern('local')
        .lean<NumberedEvent[]>(),
    lastOf: (accountId, head) => findLast(events, accountId, head),
    unclaimed: (from, to) =>
      events
        .find({ seq: { $gt: from, $lte: to }, unclaimed: true }, UNCLAIMED_WORK)
        .sort({ seq: 1 })
        .read('primary')
        .readConcern('local')
        .lean<UnclaimedWork[]>(),
    lagMs: async (now) => {
      const oldest = await events
        .findOne({ pending: true }, { occurredAt: 1 })
        .sort({ occurredAt: 1, _id: 1 })
        .lean();
      return oldest ? Math.max(0, now.getTime() - oldest.occurredAt.getTime()) : 0;
    },
  };
}

const FIRST_SPAN = 256;

/**
 * Goes back in spans of numbers, each four times as long as the one before: SecantusDB takes time in proportion
 * to all that a query matches, and the index has the numbers by kind of entity.
 */
async function findLast(
  events: EventModels['events'],
  accountId: AccountId,
  head: number,
): Promise<NumberedEvent | undefined> {
  for (let to = head, span = FIRST_SPAN; to > 0; to -= span, span *= 4) {
    const seq = { $gt: to - span, $lte: to };
    const last = await events
      .findOne({ $or: EVENT_ENTITIES.map((entity) => ({ accountId, entity, seq })) })
      .sort({ seq: -1 })
      .read('primary')
      .readConcern('local')
      .lean<NumberedEvent>();
    if (last) {
      return last;
    }
  }
  return undefined;
}
