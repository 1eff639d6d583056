import { createEventSubscription, type FollowEvents, toStatusMove } from '../../graph/event-subscription.ts';
import type { RequestMoneyService } from '../service.ts';
import { RequestMoneyStatus, RequestMoneyStatusEvent, toRequestMoney } from './request-money.type.ts';

interface RequestMoneyStatusDeps {
  requestMoney: Pick<RequestMoneyService, 'findByReferences'>;
  follow: FollowEvents;
}

/** The resolver of `requestMoneyStatusChanged`. */
export function createStatusResolver({ requestMoney, follow }: RequestMoneyStatusDeps): object {
  return createEventSubscription<RequestMoneyStatusEvent, 'requestMoney'>(
    {
      name: 'requestMoneyStatusChanged',
      description:
        "Status changes of the partner's money requests, in order for each money request, without gaps or duplicates. The first event of a money request is its creation.",
      type: RequestMoneyStatusEvent,
      entity: 'requestMoney',
      arguments: {
        referenceId: {
          type: () => String,
          description: 'Only events of this money request; of all money requests when absent.',
          narrows: 'entity',
        },
      },
      toPayload: (event) => ({
        ...toStatusMove(RequestMoneyStatus, event),
        statusDetails: event.statusDetails ?? null,
      }),
      loaded: {
        requestMoney: async ({ entityId }, principal) => {
          const found = (await requestMoney.findByReferences(principal, [entityId])).get(entityId);
          return found ? toRequestMoney(found) : null;
        },
      },
    },
    follow,
  );
}
