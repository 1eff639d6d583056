import type { Events } from '../subgraphs/platform/events/index.ts';
import { EventCursorResolver } from '../subgraphs/platform/events/resolver.ts';
import type { RateLimiter } from '../subgraphs/platform/limits/rate-limiter.ts';
import { PartnerResolver } from '../subgraphs/platform/partner/resolver.ts';
import { createPartnerService } from '../subgraphs/platform/partner/service.ts';
import type { Tenants } from '../subgraphs/platform/tenants/service.ts';
import type { RunTransaction } from '../subgraphs/platform/transaction.ts';
import { resolveWebhookDeliveries } from '../subgraphs/platform/webhooks/graphql/reference.ts';
import { WebhookDeliveryResolver } from '../subgraphs/platform/webhooks/graphql/resolver.ts';
import { createDeliveryStatusResolver } from '../subgraphs/platform/webhooks/graphql/status-subscription.ts';
import { sendTest } from '../subgraphs/platform/webhooks/send-test.ts';
import type { Webhooks } from '../subgraphs/platform/webhooks/webhooks.ts';
import type { Hosted } from './host-platform.ts';

interface PlatformGraphDeps {
  tenants: Tenants;
  limiter: RateLimiter;
  events: Pick<Events, 'log' | 'follow' | 'latestCursor'>;
  webhooks: Pick<Webhooks, 'queue' | 'deliveries'>;
  transaction: RunTransaction;
}

/** The partner's account and its webhooks, as a part of the graph. */
export function platformGraph(deps: PlatformGraphDeps): Hosted {
  const { tenants, limiter, events, webhooks, transaction } = deps;
  const { queue, deliveries } = webhooks;
  const testing = { tenants, queue, deliveries, events: events.log, transaction, clock: () => new Date() };
  return {
    resolvers: [
      new EventCursorResolver(events),
      new PartnerResolver(createPartnerService({ tenants, limiter })),
      new WebhookDeliveryResolver({
        deliveries,
        sendTest: (tenantId, event) => sendTest(testing, tenantId, event),
      }),
      createDeliveryStatusResolver({ deliveries, follow: events.follow }),
    ],
    references: { WebhookDelivery: resolveWebhookDeliveries(deliveries) },
  };
}
