import type { Principal } from '../../kernel/principal.ts';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limiter.ts';

/** A limit that a call counts for. */
export interface Quota {
  readonly limit: RateLimit;
  /** The rest of it; absent for a limit that did not count the call, because another one has rejected it. */
  readonly left?: {
    /** Calls that may follow within `resetSeconds`. */
    readonly remaining: number;
    /** Whole seconds until more calls are left. */
    readonly resetSeconds: number;
  };
}

/** Whether a call may go on, otherwise the whole seconds to wait, at least 1; and the limits that it counts for. */
export type PartnerVerdict = { readonly quotas: readonly Quota[] } & (
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number }
);

/** The verdict on a call that counts for no limit. */
export const UNLIMITED: PartnerVerdict = { allowed: true, quotas: [] };

/** Limits what the keys of partners do, and what all keys of a partner do together. */
export interface PartnerLimiter {
  /**
   * Counts a call of the principal for its key, and for its partner in its environment, whose keys, browser tokens and console
   * sessions share `factor` times the limit: a partner makes keys at will. A limit of 0 is no limit. Returns a promise only when it
   * must read the database. Rejects when the database cannot be reached.
   */
  take(
    limit: RateLimit,
    principal: Pick<Principal, 'accountId' | 'keyId'>,
  ): PartnerVerdict | Promise<PartnerVerdict>;
}

/** The limit of all keys of a partner together. @param factor how many times the limit of a key it is */
export function ofAllKeys(limit: RateLimit, factor: number): RateLimit {
  return { ...limit, name: `${limit.name}-all-keys`, limit: limit.limit * factor };
}

/** @param factor how many times the limit of a key its partner has */
export function limitPartners(limiter: Pick<RateLimiter, 'take'>, factor: number): PartnerLimiter {
  return {
    take: (limit, principal) => {
      if (limit.limit === 0) {
        return UNLIMITED;
      }
      const ofAll = ofAllKeys(limit, factor);
      const askAll = (ofKey: RateVerdict): PartnerVerdict | Promise<PartnerVerdict> => {
        if (!ofKey.allowed) {
          return { ...ofKey, quotas: [quotaOf(limit, ofKey), { limit: ofAll }] };
        }
        const decide = (verdict: RateVerdict): PartnerVerdict => {
          const quotas = [quotaOf(limit, ofKey), quotaOf(ofAll, verdict)];
          return verdict.allowed ? { allowed: true, quotas } : { ...verdict, quotas };
        };
        const verdict = limiter.take(ofAll, principal.accountId);
        return verdict instanceof Promise ? verdict.then(decide) : decide(verdict);
      };
      const ofKey = limiter.take(limit, principal.keyId);
      return ofKey instanceof Promise ? ofKey.then(askAll) : askAll(ofKey);
    },
  };
}

function quotaOf(limit: RateLimit, verdict: RateVerdict): Quota {
  const left = verdict.allowed
    ? { remaining: verdict.remaining, resetSeconds: verdict.resetSeconds }
    : { remaining: 0, resetSeconds: verdict.retryAfterSeconds };
  return { limit, left };
}
