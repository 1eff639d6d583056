import { ID } from 'type-graphql';
import {
  createEventSubscription,
  type FollowEvents,
  toEnumValue,
  toStatusMove,
} from '../../graph/event-subscription.ts';
import type { RemittanceService } from '../service.ts';
import { RemittanceEvent, RemittancePhase, RemittanceStatus, toRemittance } from './remittance.type.ts';

interface RemittanceSubscriptionDeps {
  remittances: Pick<RemittanceService, 'findByIds' | 'now'>;
  follow: FollowEvents;
}

/** The resolver of `remittanceChanged`. */
export function createRemittanceSubscription({ remittances, follow }: RemittanceSubscriptionDeps): object {
  return createEventSubscription<RemittanceEvent, 'remittance'>(
    {
      name: 'remittanceChanged',
      description:
        "Changes of the partner's atomic calls, in order for each call, without gaps or duplicates: acceptance, new phases, and end.",
      type: RemittanceEvent,
      entity: 'remittance',
      arguments: {
        correlationId: {
          type: () => ID,
          description: 'Only events of this call; of all calls when absent.',
          narrows: 'entity',
        },
      },
      toPayload: (event) => ({
        ...toStatusMove(RemittanceStatus, event),
        phase: toEnumValue(RemittancePhase, event.statusDetails),
      }),
      loaded: {
        remittance: async ({ entityId }, principal) => {
          const remittance = (await remittances.findByIds(principal, [entityId])).get(entityId);
          return remittance ? toRemittance(remittance, remittances.now()) : null;
        },
      },
    },
    follow,
  );
}
