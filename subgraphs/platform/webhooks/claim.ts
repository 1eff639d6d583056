import { type Claims, createClaims, type Claimed as WorkClaimed } from '../work/claim.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../work/concurrency-limiter.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';

/** A delivery that this process alone may try while its lease lasts. */
export type Claimed = WorkClaimed<DeliveryDocument>;

/** What quotas and partitions know a delivery by. */
export type LimitedDelivery = Pick<DeliveryDocument, 'tenantId' | 'endpoint' | 'shard'>;

/** How many attempts run at once in this process. */
export interface DeliveryBounds {
  readonly total: number;
  readonly perEndpoint: number;
  readonly perTenant: number;
}

export type DeliveryLimiter = ConcurrencyLimiter<LimitedDelivery, 'endpoint' | 'tenant'>;

export function createDeliveryLimiter({ total, perEndpoint, perTenant }: DeliveryBounds): DeliveryLimiter {
  return createConcurrencyLimiter<LimitedDelivery, 'endpoint' | 'tenant'>({
    total,
    quotas: {
      endpoint: { most: perEndpoint, key: ({ endpoint }) => endpoint },
      tenant: { most: perTenant, key: ({ tenantId }) => tenantId },
    },
  });
}

/** Claims of deliveries: a shard is a partition. */
export function createDeliveryClaims({
  models,
  limiter,
  ...deps
}: {
  models: Pick<WebhookModels, 'deliveries'>;
  limiter: DeliveryLimiter;
  clock: () => Date;
  leaseMs: number;
}): Claims<DeliveryDocument> {
  return createClaims<DeliveryDocument, LimitedDelivery>({
    ...deps,
    model: models.deliveries,
    open: { status: 'PENDING' },
    itemFields: ['tenantId', 'endpoint', 'shard'],
    inPartition: (shard) => ({ shard }),
    partitionOf: ({ shard }) => shard,
    withoutSaturated: (shard) => withoutSaturated(limiter, shard),
    limiter,
  });
}

function withoutSaturated(limiter: DeliveryLimiter, shard: number) {
  const endpoints = limiter.atQuota('endpoint').filter((delivery) => delivery.shard === shard);
  const tenants = limiter.atQuota('tenant');
  return endpoints.length === 0 && tenants.length === 0
    ? undefined
    : {
        ...(endpoints.length > 0 ? { endpoint: { $nin: endpoints.map(({ endpoint }) => endpoint) } } : {}),
        ...(tenants.length > 0 ? { tenantId: { $nin: tenants.map(({ tenantId }) => tenantId) } } : {}),
      };
}
