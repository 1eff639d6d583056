import { createEventSubscription, type FollowEvents, toStatusMove } from '../../graph/event-subscription.ts';
import type { Deliveries } from '../../webhooks/deliveries.ts';
import { toPartnerError } from '../../webhooks/partner-error.ts';
import { presenterOf, WebhookDeliveryEvent, WebhookDeliveryStatus } from './delivery.type.ts';

interface DeliveryStatusDeps {
  deliveries: Pick<Deliveries, 'findByIds' | 'attempts'>;
  follow: FollowEvents;
}

/** The resolver of `webhookDeliveryChanged`. */
export function createDeliveryStatusResolver({ deliveries, follow }: DeliveryStatusDeps): object {
  return createEventSubscription<WebhookDeliveryEvent, 'delivery'>(
    {
      name: 'webhookDeliveryChanged',
      description:
        "Status changes of the partner's webhooks, in order for each webhook, without gaps or duplicates. The first event of a webhook is sent when it is stored.",
      type: WebhookDeliveryEvent,
      entity: 'webhookDelivery',
      arguments: {
        status: {
          type: () => WebhookDeliveryStatus,
          description: 'Only changes to this status; all when absent.',
          narrows: (event, status) => event.status === status,
        },
      },
      toPayload: (event) => ({
        ...toStatusMove(WebhookDeliveryStatus, event),
        statusDetails: event.statusDetails == null ? null : toPartnerError(event.statusDetails),
      }),
      loaded: {
        delivery: async ({ entityId }, { accountId }) => {
          const found = [...(await deliveries.findByIds(accountId, [entityId])).values()];
          const present = presenterOf(found, (ids) => deliveries.attempts(accountId, ids));
          return found.map(present)[0] ?? null;
        },
      },
    },
    follow,
  );
}
