import type { AccountId } from '../../kernel/account.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import type { EventDocument, EventEntity, EventModels } from './model.ts';

/** An event as its entity's history has it. */
export type PastEvent = Pick<
  EventDocument,
  'entityId' | 'version' | 'type' | 'previousStatus' | 'status' | 'statusDetails' | 'data' | 'occurredAt'
>;

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
  };
}
