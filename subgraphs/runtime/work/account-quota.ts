import type { AccountId } from '../../kernel/account.ts';
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency-limiter.ts';

/** The field of a document that decides by whose quota it counts. */
export interface AccountItem {
  readonly accountId: AccountId;
}

/** The part of a queue's claims that bounds the work of each account. */
interface AccountQuota {
  readonly limiter: ConcurrencyLimiter<AccountItem, 'account'>;
  readonly itemFields: readonly ['accountId'];
  withoutSaturated(): { readonly accountId: { readonly $nin: AccountId[] } } | undefined;
}

/**
 * Bounds the work of a queue in this process. A partner's sandbox has a quota of its own: its slow or failing work delays
 * nothing that is live (decisions, section 8, "Answers of providers").
 * @param bounds how much may run at once in all, and of an account
 */
export function createAccountQuota({ total, most }: { total: number; most: number }): AccountQuota {
  const limiter = createConcurrencyLimiter<AccountItem, 'account'>({
    total,
    quotas: { account: { most, key: ({ accountId }) => accountId } },
  });
  return {
    limiter,
    itemFields: ['accountId'],
    withoutSaturated: () => {
      const full = limiter.atQuota('account').map(({ accountId }) => accountId);
      return full.length === 0 ? undefined : { accountId: { $nin: full } };
    },
  };
}
