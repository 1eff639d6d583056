import { hitsOf, type SearchSource } from '../../platform/graphql/search.ts';
import type { Deliveries } from '../../platform/webhooks/deliveries.ts';

/** Finds webhooks by their X-Webhook-Delivery-Id. */
export function searchDeliveries(deliveries: Pick<Deliveries, 'findByIds'>): SearchSource {
  return {
    type: 'WebhookDelivery',
    search: ({ tenantId }, text) =>
      hitsOf({ ID: deliveries.findByIds(tenantId, [text]).then((found) => found.keys()) }),
  };
}
