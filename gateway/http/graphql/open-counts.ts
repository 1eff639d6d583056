import type { Principal } from '../../../subgraphs/kernel/principal.ts';

/** Counts the open items of each owner in this process. */
interface OpenCounts<Owner> {
  /** Counts one more. Returns false and changes nothing if the owner has reached the limit. */
  take(owner: Owner): boolean;
  /** Counts one less. Call it once for each that was taken. */
  release(owner: Owner): void;
}

/** @param limit most of an owner */
export function countOpen<Owner>(limit: number): OpenCounts<Owner> {
  const counts = new Map<Owner, number>();
  return {
    take: (owner) => {
      const count = counts.get(owner) ?? 0;
      if (count >= limit) {
        return false;
      }
      counts.set(owner, count + 1);
      return true;
    },
    release: (owner) => {
      const left = (counts.get(owner) ?? 1) - 1;
      if (left === 0) {
        counts.delete(owner);
      } else {
        counts.set(owner, left);
      }
    },
  };
}

/** Limits the open items of each key, and of all keys of a partner together, in this process. */
export interface PartnerCounts {
  /** Counts one more of the principal. @returns a function that counts one less, the first time; undefined beyond a limit */
  open(principal: Pick<Principal, 'accountId' | 'keyId'>): (() => void) | undefined;
}

/**
 * @param limit most of a key
 * @param partnerFactor how many times as many all keys, browser tokens and sessions of a partner's environment have
 */
export function countOfPartners(limit: number, partnerFactor: number): PartnerCounts {
  const ofKeys = countOpen<string>(limit);
  const ofPartners = countOpen<string>(limit * partnerFactor);
  return {
    open: (principal) => {
      const { keyId, accountId: partner } = principal;
      if (!ofKeys.take(keyId)) {
        return undefined;
      }
      if (!ofPartners.take(partner)) {
        ofKeys.release(keyId);
        return undefined;
      }
      let isOpen = true;
      return () => {
        if (isOpen) {
          isOpen = false;
          ofKeys.release(keyId);
          ofPartners.release(partner);
        }
      };
    },
  };
}
