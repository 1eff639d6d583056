import { type Claims, createClaims, type Claimed as WorkClaimed } from '../work/claim.ts';
import { createSlots, type Slots } from '../work/slots.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';

/** A delivery that this process alone may try while its lease lasts. */
export type Claimed = WorkClaimed<DeliveryDocument>;

/** Who takes a slot. */
export type SlotUser = Pick<DeliveryDocument, 'tenantId' | 'endpoint' | 'shard'>;

/** How many attempts run at once in this process. */
export interface SlotBounds {
  readonly total: number;
  readonly perEndpoint: number;
  readonly perTenant: number;
}

export type DeliverySlots = Slots<SlotUser, 'endpoint' | 'tenant'>;

export function createDeliverySlots({ total, perEndpoint, perTenant }: SlotBounds): DeliverySlots {
  return createSlots<SlotUser, 'endpoint' | 'tenant'>({
    total,
    shares: {
      endpoint: { most: perEndpoint, key: ({ endpoint }) => endpoint },
      tenant: { most: perTenant, key: ({ tenantId }) => tenantId },
    },
  });
}

/** Claims of deliveries: a shard is a lane. */
export function createDeliveryClaims({
  models,
  slots,
  ...deps
}: {
  models: Pick<WebhookModels, 'deliveries'>;
  slots: DeliverySlots;
  clock: () => Date;
  leaseMs: number;
}): Claims<DeliveryDocument> {
  return createClaims<DeliveryDocument, SlotUser>({
    ...deps,
    model: models.deliveries,
    open: { status: 'PENDING' },
    userFields: ['tenantId', 'endpoint', 'shard'],
    inLane: (shard) => ({ shard }),
    laneOf: ({ shard }) => shard,
    withoutSaturated: (shard) => withoutSaturated(slots, shard),
    slots,
  });
}

function withoutSaturated(slots: DeliverySlots, shard: number) {
  const endpoints = slots.saturated('endpoint').filter((user) => user.shard === shard);
  const tenants = slots.saturated('tenant');
  return endpoints.length === 0 && tenants.length === 0
    ? undefined
    : {
        ...(endpoints.length > 0 ? { endpoint: { $nin: endpoints.map(({ endpoint }) => endpoint) } } : {}),
        ...(tenants.length > 0 ? { tenantId: { $nin: tenants.map(({ tenantId }) => tenantId) } } : {}),
      };
}
