import type { AccountId } from '../../kernel/account.ts';
import {
  EVENT_ENTITIES,
  type EventDocument,
  type EventEntity,
  type EventModels,
  type NumberedEvent,
} from './model.ts';
import { partitionOf } from './partitions.ts';

/** A topic to follow: one account's events of one kind, or of one entity. */
export interface Topic {
  readonly accountId: AccountId;
  readonly entity: EventEntity;
  readonly entityId?: string | undefined;
}

/** The description of unclaimed work: enough to find its document. */
export type UnclaimedWork = Pick<EventDocument, 'accountId' | 'entity' | 'entityId'>;

/** A place in a partition of the log. */
export interface Place {
  readonly partition: number;
  /** A number that was given there; 0 for the beginning. */
  readonly seq: number;
}

/** The reading side of the numbered log. Numbers are visible without gaps up to the head, so reading in their order is enough. */
export interface EventReader {
  /**
   * The last number of an account's partition that a majority of the database has, which no failover takes back. On a database
   * whose primary has just changed it may be lower than one seen before.
   */
  head(accountId: AccountId): Promise<number>;
  /** The heads of partitions, as {@link head}; without those that have no number yet. */
  heads(partitions: readonly number[]): Promise<readonly Place[]>;
  /** The last number of an account's partition that the primary has: never lower than one that any reader was given. */
  newest(accountId: AccountId): Promise<number>;
  /** The first `limit` events of a partition after a number; only such as a majority of the database has. */
  after(place: Place, limit: number): Promise<NumberedEvent[]>;
  /** The first `limit` events of a topic with `from` < number <= `to`, where `to` is not past {@link head}. */
  between(topic: Topic, from: number, to: number, limit: number): Promise<NumberedEvent[]>;
  /** The last event of an account up to a number that is not past {@link head}; undefined when the log has none. */
  lastOf(accountId: AccountId, head: number): Promise<NumberedEvent | undefined>;
  /** The work without a lease among the events of partitions with `from` < number <= `to`, where `to` is not past their heads. */
  unclaimed(spans: readonly Span[]): Promise<UnclaimedWork[]>;
  /** The partitions among these that have the oldest events without a number, {@link MOST_UNNUMBERED} events together. */
  unnumbered(partitions: readonly number[]): Promise<readonly number[]>;
}

const MOST_UNNUMBERED = 100;

/** A part of a partition: the events after `from` up to `to`. */
interface Span {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

const UNCLAIMED_WORK = { _id: 0, accountId: 1, entity: 1, entityId: 1 } as const;

export function createEventReader(
  { events, heads }: Pick<EventModels, 'events' | 'heads'>,
  partitions: number,
): EventReader {
  const lastSeq = async (accountId: AccountId, level: 'local' | 'majority'): Promise<number> => {
    const _id = partitionOf(accountId, partitions);
    const found = await heads.findOne({ _id }).read('primary').readConcern(level).lean();
    return found?.lastSeq ?? 0;
  };
  return {
    head: (accountId) => lastSeq(accountId, 'majority'),
    newest: (accountId) => lastSeq(accountId, 'local'),
    heads: async (of) => {
      const found = await heads
        .find({ _id: { $in: of } })
        .read('primary')
        .readConcern('majority')
        .lean();
      return found.map(({ _id, lastSeq: seq }) => ({ partition: _id, seq }));
    },
    after: ({ partition, seq }, limit) =>
      events
        .find({ partition, seq: { $gt: seq } })
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
    unclaimed: (spans) =>
      events
        .find(
          {
            $or: spans.map(({ partition, from, to }) => ({ partition, seq: { $gt: from, $lte: to } })),
            unclaimed: true,
          },
          UNCLAIMED_WORK,
        )
        .read('primary')
        .readConcern('local')
        .lean<UnclaimedWork[]>(),
    unnumbered: async (of) => {
      const found = await events
        .find({ pending: true, partition: { $in: of } }, { _id: 0, partition: 1 })
        .sort({ occurredAt: 1, _id: 1 })
        .limit(MOST_UNNUMBERED)
        .lean();
      return [...new Set(found.map(({ partition }) => partition))];
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
