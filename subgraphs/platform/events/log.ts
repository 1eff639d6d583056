import type { ClientSession, Model } from 'mongoose';
import type { EventDocument, NewEvent } from './model.ts';

/** The writing side of the event log. */
export interface EventLog {
  /**
   * Writes events in the caller's transaction: they are in the log exactly when the change itself is. They
   * have no place in it yet; the sequencer gives them one soon after the commit.
   * @throws when the session is in no transaction, when a version of an entity was written before, or on invalid events
   */
  append(events: NewEvent[], session: ClientSession): Promise<void>;
  /** To be called after the commit: has the events numbered and followed at once instead of at the next poll. */
  wake(): void;
}

interface EventLogDeps {
  model: Model<EventDocument>;
  wake(): void;
}

/**
 * There is no counter here on purpose: one in the caller's transaction would make all writes of all tenants wait for
 * each other (design, "Event log").
 */
export function createEventLog({ model, wake }: EventLogDeps): EventLog {
  return {
    wake,
    append: async (events, session) => {
      if (!session.inTransaction()) {
        throw new Error('Events are appended in the transaction of the change that they tell of');
      }
      await model.insertMany(
        events.map((event) => ({ ...event, pending: true as const })),
        { session },
      );
    },
  };
}
