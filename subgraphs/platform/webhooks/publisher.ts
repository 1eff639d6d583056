import { stringify } from 'lossless-json';
import type { Tenant } from '../tenants/service.ts';
import type { NewDelivery } from './queue.ts';

/** An event for a partner: its name and its data, keys in the order in which they are sent. */
export interface OutgoingEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Turns events into deliveries: those that the tenant subscribes to, in the envelope of document 2, each serialised
 * once to the bytes that every attempt sends, with the URL and secret in force now (document 2, "Delivery rules").
 * A tenant without a webhook URL gets none.
 */
export function toDeliveries(
  tenant: Pick<Tenant, 'tenantId' | 'webhookUrl' | 'webhookSecret' | 'webhookEvents'>,
  events: readonly OutgoingEvent[],
  at: Date,
): NewDelivery[] {
  const { tenantId, webhookUrl: url, webhookSecret: secret } = tenant;
  if (!url) {
    return [];
  }
  return events
    .filter(({ event }) => tenant.webhookEvents.includes(event))
    .map(({ event, data }) => ({
      tenantId,
      event,
      scheme: 'request_money',
      url,
      ...(secret === undefined ? {} : { secret }),
      body: serialize({ event, data, timestamp: at.toISOString() }),
      createdAt: at,
    }));
}

/** Compact JSON in which an amount keeps its digits. */
function serialize(envelope: Record<string, unknown>): string {
  const text = stringify(envelope);
  if (text === undefined) {
    throw new TypeError('An event envelope is always JSON');
  }
  return text;
}
