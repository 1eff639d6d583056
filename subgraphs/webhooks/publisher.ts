import { webhookEventNamed } from '../webhook-events/catalogue.ts';
import type { EventData, WebhookEvent } from '../webhook-events/declare.ts';
import { bodiesOf } from '../webhook-events/versions.ts';
import type { NewDelivery } from './queue.ts';
import { orderOf, type Receivers, receiversOf } from './receivers.ts';

/** An event for a partner: its name and its newest data, keys in the order in which they are sent. */
export interface OutgoingEvent {
  readonly event: string;
  readonly data: EventData;
  /** As {@link NewDelivery} has it. */
  readonly about?: string;
}

/**
 * Turns events into deliveries, one for each receiver that subscribes to them: in the envelope of document 2, each event
 * serialised once for each version of its receivers to the bytes that every attempt sends, with the URL and secret in force now
 * (document 2, "Delivery rules"). An account without a receiver gets none. Events with the same `referenceId` are in order, if
 * the account wants it.
 * @throws TypeError for an event that is not in the catalogue
 */
export function toDeliveries(
  tenant: Receivers,
  events: readonly OutgoingEvent[],
  at: Date,
  catalogue?: readonly WebhookEvent[],
): NewDelivery[] {
  const { accountId } = tenant;
  return events.flatMap(({ event, data, about }) => {
    const receivers = receiversOf(tenant, event);
    if (receivers.length === 0) {
      return [];
    }
    const { referenceId } = data;
    const order = typeof referenceId === 'string' ? orderOf(tenant, `reference|${referenceId}`) : {};
    const described = webhookEventNamed(event, catalogue);
    if (!described) {
      throw new TypeError(`The catalogue has no event ${event}`);
    }
    const bodyFor = bodiesOf(described, { event, data }, at);
    return receivers.map(({ eventVersion, ...receiver }) => ({
      accountId,
      event,
      scheme: 'request_money' as const,
      ...receiver,
      ...order,
      ...(about === undefined ? {} : { about }),
      body: bodyFor(eventVersion),
      createdAt: at,
    }));
  });
}
