import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { Deliveries } from '../../webhooks/deliveries.ts';

/** A failed call makes two webhooks for each endpoint: these are of the latest calls. */
const MOST_ABOUT_FAILURES = 4;

/** Finds webhooks by their X-Webhook-Delivery-Id, and the newest about failed calls by the reference that these named. */
export function searchDeliveries(deliveries: Pick<Deliveries, 'findByIds' | 'aboutFailures'>): SearchSource {
  return {
    type: 'WebhookDelivery',
    search: ({ accountId }, text) =>
      hitsOf({
        ID: deliveries.findByIds(accountId, [text]).then((found) => found.keys()),
        REFERENCE_ID: deliveries
          .aboutFailures(accountId, { type: 'RequestMoney', id: text }, MOST_ABOUT_FAILURES)
          .then((found) => found.map(({ id }) => id)),
      }),
  };
}
