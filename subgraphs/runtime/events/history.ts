import type { ClientSession } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import type { EventDocument, EventEntity, EventModels } from './model.ts';

/** An event as its entity's history has it. */
export type PastEvent = Pick<
  EventDocument,
  'entityId' | 'version' | 'type' | 'previousStatus' | 'status' | 'statusDetails' | 'data' | 'occurredAt'
>;

/** The change that an event of a number stands for. */
type NumberedChange = Pick<EventDocument, 'entityId' | 'version'> & { readonly seq: number };

/** Reads the events of single entities, numbered or not, as far back as the log is kept. */
export interface EventHistory {
  /** The newest `most` events of an entity, oldest first. */
  of(accountId: AccountId, entity: EventEntity, entityId: string, most: number): Promise<PastEvent[]>;
  /** `most` events of several entities, each entity's in the order of its versions. */
  ofMany(
    accountId: AccountId,
    entity: EventEntity,
    entityIds: readonly string[],
    most: number,
  ): Promise<PastEvent[]>;
  /**
   * The changes of an account's entities of one kind after a number, in the order of the log, at most `most`. Changes without a number
   * are not among them. @param session of the caller's transaction
   */
  changesAfter(
    accountId: AccountId,
    entity: EventEntity,
    seq: number,
    most: number,
    session: ClientSession,
  ): Promise<NumberedChange[]>;
}

export function createEventHistory({ events }: Pick<EventModels, 'events'>): EventHistory {
  return {
    of: async (accountId, entity, entityId, most) => {
      const found = await events
        .find({ accountId, entity, entityId })
        .sort({ version: -1 })
        .limit(most)
        .lean();
      return found.reverse();
    },
    ofMany: async (accountId, entity, entityIds, most) =>
      entityIds.length === 0
        ? []
        : events
            .find(withAnyOf(events, { accountId, entity }, 'entityId', entityIds))
            .sort({ entityId: 1, version: 1 })
            .limit(most)
            .lean(),
    changesAfter: (accountId, entity, seq, most, session) =>
      events
        .find({ accountId, entity, seq: { $gt: seq } })
        .sort({ seq: 1 })
        .limit(most)
        .session(session)
        .select({ _id: 0, entityId: 1, version: 1, seq: 1 })
        .lean<NumberedChange[]>(),
  };
}
