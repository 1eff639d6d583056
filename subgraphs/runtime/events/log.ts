import type { Model } from 'mongoose';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { EVENT_ENTITIES, type EventDocument, type NewEvent } from './model.ts';
import { partitionOf } from './partitions.ts';

/** The part of an event's `data` that names the webhooks of a change, so that its timeline finds them. */
export function deliveriesData(
  deliveries: readonly { readonly id: string }[],
): { deliveries: string[] } | Record<string, never> {
  return deliveries.length === 0 ? {} : { deliveries: deliveries.map(({ id }) => id) };
}

/** The writing side of the event log. */
export interface EventLog {
  /**
   * Writes events in the caller's transaction: they are in the log exactly when the change itself is. They
   * have no place in it yet; the sequencer gives them one at once after the commit.
   * Where a version of an entity was written before, the transaction ends with a duplicate key error.
   * @throws TypeError on what is no event
   */
  append(events: readonly NewEvent[], unit: UnitOfWork): void;
}

interface EventLogDeps {
  model: Model<EventDocument>;
  /** How many partitions the log has. */
  partitions: number;
  /** Makes the sequencer number new events of a partition at once instead of at the next poll. */
  wake(partition: number): void;
}

/**
 * There is no counter here on purpose: a counter in the caller's transaction would make all writes of all accounts wait for
 * each other (design, "Event log").
 */
export function createEventLog({ model, partitions, wake }: EventLogDeps): EventLog {
  // One listener for each partition: a unit that appends several times calls it once.
  const listeners = new Map<number, (committed: boolean) => void>();
  const listenerOf = (partition: number) => {
    const known = listeners.get(partition);
    if (known !== undefined) {
      return known;
    }
    const listener = (committed: boolean) => {
      if (committed) {
        wake(partition);
      }
    };
    listeners.set(partition, listener);
    return listener;
  };
  return {
    append: (events, unit) => {
      if (events.length > 0) {
        const documents = events.map((event) => toDocument(event, partitionOf(event.accountId, partitions)));
        unit.insert(model, documents);
        for (const { partition } of documents) {
          unit.onEnd(listenerOf(partition));
        }
      }
    },
  };
}

function toDocument({ data = {}, ...event }: NewEvent, partition: number): Omit<EventDocument, '_id'> {
  if (!EVENT_ENTITIES.includes(event.entity)) {
    throw new TypeError(`An event of no known entity: ${event.entity}`);
  }
  if (!(Number.isSafeInteger(event.version) && event.version >= 1)) {
    throw new TypeError(`An event without a version: ${event.version}`);
  }
  const { statusDetails, unclaimed, figure, ...rest } = event;
  return {
    partition,
    ...rest,
    ...(statusDetails === undefined ? {} : { statusDetails }),
    data,
    ...(figure && { figure }),
    ...(unclaimed && { unclaimed }),
    pending: true,
  };
}
