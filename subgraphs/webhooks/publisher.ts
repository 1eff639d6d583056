import { serializeEnvelope } from '../webhook-events/declare.ts';
import type { NewDelivery } from './queue.ts';
import { orderOf, type Receivers, receiversOf } from './receivers.ts';

/** An event for a partner: its name and its data, keys in the order in which they are sent. */
export interface OutgoingEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** As {@link NewDelivery} has it. */
  readonly about?: string;
}

/**
 * Turns events into deliveries, one for each receiver that subscribes to them: in the envelope of document 2, each event
 * serialised once to the bytes that every attempt sends, with the URL and secret in force now (document 2, "Delivery
 * rules"). An account without a receiver gets none. Events with the same `referenceId` are in order, if the account wants it.
 */
export function toDeliveries(tenant: Receivers, events: readonly OutgoingEvent[], at: Date): NewDelivery[] {
  const { accountId } = tenant;
  return events.flatMap(({ event, data, about }) => {
    const receivers = receiversOf(tenant, event);
    if (receivers.length === 0) {
      return [];
    }
    const { referenceId } = data;
    const order = typeof referenceId === 'string' ? orderOf(tenant, `reference|${referenceId}`) : {};
    const body = serializeEnvelope({ event, data }, at);
    return receivers.map((receiver) => ({
      accountId,
      event,
      scheme: 'request_money' as const,
      ...receiver,
      ...order,
      ...(about === undefined ? {} : { about }),
      body,
      createdAt: at,
    }));
  });
}
