import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import { groupItems } from '../../kernel/objects.ts';
import type { EventDocument, EventEntity } from '../events/model.ts';

/** A record whose changes are events. */
interface State {
  /** The id that its events have. */
  readonly id: string;
  /** The number of its changes. */
  readonly version: number;
  readonly status: string;
  /** When it last changed, or earlier. */
  readonly changedAt: Date;
}

export interface StateRules {
  readonly events: Model<EventDocument>;
  readonly entity: EventEntity;
  /** The time since which an account's events are kept for certain. */
  readonly keptSince: (accountId: AccountId) => Date;
  /** Which of these ids of webhook deliveries are there. Default: the events' deliveries are not looked for. */
  readonly findDeliveries?: (accountId: AccountId, ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * The differences between records and their events, by the ids that the events have: the last event has the record's status, each
 * event continues the one before it, and the webhooks that it names exist. Events behind a record's version are left out.
 */
export async function compareWithEvents(
  { events, entity, keptSince, findDeliveries }: StateRules,
  accountId: AccountId,
  states: readonly State[],
): Promise<Map<string, string[]>> {
  const ids = states.map(({ id }) => id);
  const found = await findPlain(events, withAnyOf(events, { accountId, entity }, 'entityId', ids), {
    projection: { entityId: 1, version: 1, previousStatus: 1, status: 1, occurredAt: 1, data: 1 },
    sort: { entityId: 1, version: 1 },
  });
  const since = keptSince(accountId);
  const recent = found.filter(({ occurredAt }) => occurredAt > since);
  const deliveries = await findDeliveries?.(accountId, recent.flatMap(deliveriesOf));
  const byId = new Map(groupItems(found, ({ entityId }) => entityId));
  return new Map(
    states.map((state) => {
      const own = (byId.get(state.id) ?? []).filter(({ version }) => version <= state.version);
      const lost = deliveries
        ? own
            .filter((event) => event.occurredAt > since)
            .flatMap(deliveriesOf)
            .filter((id) => !deliveries.has(id))
        : [];
      return [
        state.id,
        [
          ...differences(state, own, state.changedAt > since),
          ...lost.map((id) => `The webhook ${id} of one of its events is missing`),
        ],
      ];
    }),
  );
}

type PastEvent = Pick<EventDocument, 'version' | 'status' | 'previousStatus'>;

function differences(state: State, events: readonly PastEvent[], isRecent: boolean): string[] {
  const last = events.at(-1);
  if (last === undefined) {
    return isRecent ? ['It has no events'] : [];
  }
  const gaps = events.slice(1).flatMap((event, index) => {
    const before = events[index];
    return before?.version === event.version - 1 && before.status === event.previousStatus
      ? []
      : [`The event of version ${event.version} does not continue the event before it`];
  });
  return last.version === state.version && last.status === state.status
    ? gaps
    : [
        ...gaps,
        `It is ${state.status} in version ${state.version}, and its last event says ${last.status} in version ${last.version}`,
      ];
}

function deliveriesOf({ data }: Pick<EventDocument, 'data'>): string[] {
  const { deliveries } = data;
  return Array.isArray(deliveries) ? deliveries.map(String) : [];
}
