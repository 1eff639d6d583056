import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { changeEach } from '../../kernel/database/change-each.ts';
import type { EventDocument, EventEntity, EventModels } from './model.ts';

/** The part of an event that an erasure reads. */
type StoredEvent = Pick<EventDocument, '_id' | 'statusDetails' | 'data'>;

/** Erases what people wrote in the events of some entities. */
export interface EventErasure {
  /**
   * Replaces `statusDetails` by their erased form. @returns the ids of the webhooks of these entities, as far back as the log
   * is kept
   */
  eraseTexts(
    accountId: AccountId,
    entity: EventEntity,
    entityIds: readonly string[],
    erased: (statusDetails: string) => string,
  ): Promise<string[]>;
}

export function createEventErasure({ events }: Pick<EventModels, 'events'>): EventErasure {
  return {
    eraseTexts: async (accountId, entity, entityIds, erased) => {
      const found = await events
        .find({ accountId, entity, entityId: { $in: entityIds } })
        .select(['statusDetails', 'data'])
        .lean<StoredEvent[]>();
      await eraseDetails(events, found, erased);
      return found.flatMap(deliveriesOf);
    },
  };
}

async function eraseDetails(
  model: Model<EventDocument>,
  events: readonly StoredEvent[],
  erased: (statusDetails: string) => string,
): Promise<void> {
  const changes = events.flatMap(({ _id, statusDetails }) => {
    const kept = statusDetails === undefined ? undefined : erased(statusDetails);
    return kept === statusDetails ? [] : [{ filter: { _id }, update: { $set: { statusDetails: kept } } }];
  });
  await changeEach(model, changes);
}

/** The ids of the webhooks of an event's change, see `deliveriesData`. */
export function deliveriesOf({ data: { deliveries } }: Pick<EventDocument, 'data'>): string[] {
  return Array.isArray(deliveries) ? deliveries.filter((id) => typeof id === 'string') : [];
}
