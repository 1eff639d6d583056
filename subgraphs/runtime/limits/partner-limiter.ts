import type { Principal } from '../../kernel/principal.ts';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limiter.ts';

/** Limits what the keys of partners do, and what all keys of a partner do together. */
export interface PartnerLimiter {
  /**
   * Counts a call of the principal for its key, and for its partner in its environment, whose keys, browser tokens and console
   * sessions share `factor` times the limit: a partner makes keys at will. Returns a promise only when it must read the
   * database. Rejects when the database cannot be reached.
   */
  take(
    limit: RateLimit,
    principal: Pick<Principal, 'accountId' | 'keyId'>,
  ): RateVerdict | Promise<RateVerdict>;
}

/** @param factor how many times the limit of a key its partner has */
export function limitPartners(limiter: Pick<RateLimiter, 'take'>, factor: number): PartnerLimiter {
  return {
    take: (limit, principal) => {
      const ofPartner = (verdict: RateVerdict) =>
        verdict.allowed
          ? limiter.take(
              { ...limit, name: `${limit.name} of partner`, limit: limit.limit * factor },
              principal.accountId,
            )
          : verdict;
      const ofKey = limiter.take(limit, principal.keyId);
      return ofKey instanceof Promise ? ofKey.then(ofPartner) : ofPartner(ofKey);
    },
  };
}
