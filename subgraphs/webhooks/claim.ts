import type { RunTransaction } from '../kernel/database/transaction.ts';
import {
  type Claims,
  createClaimsFrom,
  findCandidates,
  type LeaseDeps,
  type Claimed as WorkClaimed,
} from '../runtime/work/claim.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from '../runtime/work/concurrency-limiter.ts';
import { type Backlogs, createBacklogs, type LimitedDelivery } from './backlogs.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';

/** A delivery that only this process may try while its lease lasts. */
export type Claimed = WorkClaimed<DeliveryDocument>;

/** How many attempts run at once in this process. */
interface DeliveryBounds {
  readonly total: number;
  /** Attempts of an endpoint; 0 while its deliveries are held. */
  perEndpoint(item: LimitedDelivery): number;
  readonly perTenant: number;
}

type DeliveryLimiter = ConcurrencyLimiter<LimitedDelivery, 'endpoint' | 'tenant'>;

export function createDeliveryLimiter({ total, perEndpoint, perTenant }: DeliveryBounds): DeliveryLimiter {
  return createConcurrencyLimiter<LimitedDelivery, 'endpoint' | 'tenant'>({
    total,
    quotas: {
      endpoint: { most: perEndpoint, key: ({ endpoint }) => endpoint },
      tenant: { most: perTenant, key: ({ accountId }) => accountId },
    },
  });
}

/** Claims of deliveries, and what they know of endpoints. */
export function createDeliveryClaims({
  models,
  bounds,
  transaction,
  ...deps
}: {
  models: Pick<WebhookModels, 'deliveries'>;
  bounds: DeliveryBounds;
  transaction: RunTransaction;
  limiter: DeliveryLimiter;
  clock: () => Date;
  isClockRight: () => boolean;
  leaseMs: number;
}): { claims: Claims<DeliveryDocument>; backlogs: Backlogs } {
  const queue: LeaseDeps<DeliveryDocument, LimitedDelivery> = {
    ...deps,
    model: models.deliveries,
    open: { status: 'PENDING' },
    itemFields: ['accountId', 'endpoint', 'attempt'],
    // One commit for a batch: when each commit is synced to the disk, a batch of 48 took half a second one by one.
    writeAll: (documents, condition, update) =>
      transaction(async (unit) => {
        for (const { _id, accountId } of documents) {
          unit.update(models.deliveries, { filter: { _id, accountId, ...condition }, update });
        }
      }),
  };
  const backlogs = createBacklogs({
    ...deps,
    find: (...query) => findCandidates<DeliveryDocument, LimitedDelivery>(queue, ...query),
    most: bounds.perEndpoint,
  });
  return { claims: createClaimsFrom(queue, backlogs), backlogs };
}
