import { authorize } from '../../graph/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../../graph/subgraph.ts';
import type { Deliveries } from '../../webhooks/deliveries.ts';
import { presenterOf } from './delivery.type.ts';

/** `WebhookDelivery @key(id)`: all deliveries of a batch in one read. */
export function resolveWebhookDeliveries(
  deliveries: Pick<Deliveries, 'findByIds' | 'attempts'>,
): ReferenceResolver {
  return referenceBy(
    'id',
    async (ids, context) => {
      const { accountId } = authorize(context);
      const found = [...(await deliveries.findByIds(accountId, ids)).values()];
      const present = presenterOf(found, (each) => deliveries.attempts(accountId, each));
      return new Map(found.map((delivery) => [delivery.id, present(delivery)]));
    },
    (delivery) => delivery,
  );
}
