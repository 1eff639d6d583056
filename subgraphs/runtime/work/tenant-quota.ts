import type { Environment } from '../../kernel/principal.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency-limiter.ts';

/** The fields of a document that decide by whose quota it counts. */
export interface TenantItem {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** The part of a queue's claims that bounds the work of each tenant in each environment. */
export interface TenantQuota {
  readonly limiter: ConcurrencyLimiter<TenantItem, 'tenant'>;
  readonly itemFields: readonly ['tenantId', 'environment'];
  withoutSaturated(): { readonly $nor: TenantItem[] } | undefined;
}

/**
 * Bounds the work of a queue in this process. A tenant's sandbox has a quota of its own: its slow or failing work delays
 * nothing that is live (decisions, section 8, "Answers of providers").
 * @param bounds how much may run at once in all, and of a tenant in an environment
 */
export function createTenantQuota({ total, most }: { total: number; most: number }): TenantQuota {
  const key = ({ tenantId, environment }: TenantItem) => `${tenantId}|${environment}`;
  const limiter = createConcurrencyLimiter<TenantItem, 'tenant'>({
    total,
    quotas: { tenant: { most, key } },
  });
  return {
    limiter,
    itemFields: ['tenantId', 'environment'],
    withoutSaturated: () => {
      const full = limiter.atQuota('tenant').map(({ tenantId, environment }) => ({ tenantId, environment }));
      return full.length === 0 ? undefined : { $nor: full };
    },
  };
}
