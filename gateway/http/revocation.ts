import type { FastifyBaseLogger } from 'fastify';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import type { Principal } from '../../subgraphs/platform/principal.ts';

/** Keys themselves are at most 2 s old: with this, what a revoked key has open ends within the 5 s that are promised. */
const RECHECK_MS = 2_000;

/** Looks after what keys have open. */
export interface Revocations {
  /**
   * Calls `revoked` once, when the key is revoked or loses a scope that it had. The function that it returns ends the
   * watch.
   */
  watch(key: string, principal: Principal, revoked: () => void): () => void;
  close(): void;
}

interface Watched {
  readonly principal: Principal;
  revoked(): void;
}

/** Looks every key up that has something open, over and over; one look-up a key, however much it has open. */
export function createRevocations(
  apiKeys: Pick<ApiKeys, 'authenticate'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Revocations {
  const byKey = new Map<string, Set<Watched>>();
  const timer = setInterval(async () => {
    const checks = [...byKey].map(async ([key, open]) => {
      const principal = await apiKeys.authenticate(key);
      for (const watched of open) {
        if (!hasAllOf(principal, watched.principal)) {
          open.delete(watched);
          watched.revoked();
        }
      }
    });
    const failed = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') {
      // The store is away: the next round looks again.
      log.warn({ err: failed.reason }, 'revocations.check failed');
    }
  }, RECHECK_MS).unref();
  return {
    watch(key, principal, revoked) {
      const open = byKey.get(key) ?? new Set();
      byKey.set(key, open);
      const watched: Watched = { principal, revoked };
      open.add(watched);
      return () => {
        open.delete(watched);
        if (open.size === 0 && byKey.get(key) === open) {
          byKey.delete(key);
        }
      };
    },
    close: () => clearInterval(timer),
  };
}

/** Whether a key is still what it was when something was opened with it. */
function hasAllOf(now: Principal | null, before: Principal): boolean {
  return (
    now !== null &&
    now.tenantId === before.tenantId &&
    before.scopes.every((scope) => now.scopes.includes(scope))
  );
}
