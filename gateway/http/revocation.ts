import type { FastifyBaseLogger } from 'fastify';
import type { Principal } from '../../subgraphs/platform/principal.ts';
import type { Credential, Credentials } from './credentials.ts';

/** What is known of keys and tokens is at most 2 s old: with this, what a revoked key has open ends within the 5 s that are promised. */
const RECHECK_MS = 2_000;

/** Looks after what keys and browser tokens have open. */
export interface Revocations {
  /**
   * Calls `revoked` once: when the key or the token is revoked or loses a scope that it had, or when the token ends. The
   * function that it returns ends the watch.
   */
  watch(credential: Credential, principal: Principal, revoked: () => void): () => void;
  close(): void;
}

interface Watched {
  readonly principal: Principal;
  revoked(): void;
}

/** All that one credential has open. */
interface Holder {
  readonly credential: Credential;
  readonly open: Set<Watched>;
}

/** Looks every credential up that has something open, over and over; one look-up each, however much it has open. */
export function createRevocations(
  credentials: Credentials,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Revocations {
  const holders = new Map<string, Holder>();
  const timer = setInterval(async () => {
    const checks = [...holders.values()].map((holder) => endRevoked(holder, credentials));
    const failed = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') {
      // The store is away: the next round looks again.
      log.warn({ err: failed.reason }, 'revocations.check failed');
    }
  }, RECHECK_MS).unref();
  return {
    watch(credential, principal, revoked) {
      const name = `${credential.kind} ${credential.text}`;
      const holder = holders.get(name) ?? { credential, open: new Set() };
      holders.set(name, holder);
      const watched: Watched = { principal, revoked };
      holder.open.add(watched);
      const stopClock = atExpiry(principal, () => end(holder, watched));
      return () => {
        stopClock();
        holder.open.delete(watched);
        if (holder.open.size === 0 && holders.get(name) === holder) {
          holders.delete(name);
        }
      };
    },
    close: () => clearInterval(timer),
  };
}

async function endRevoked(holder: Holder, credentials: Credentials): Promise<void> {
  const principal = await credentials.authenticate(holder.credential);
  for (const watched of holder.open) {
    if (!hasAllOf(principal, watched.principal)) {
      end(holder, watched);
    }
  }
}

function end({ open }: Holder, watched: Watched): void {
  if (open.delete(watched)) {
    watched.revoked();
  }
}

/** A token's end is known from the start: nothing waits for the next round. Returns what stops the clock. */
function atExpiry({ browserToken }: Principal, expire: () => void): () => void {
  if (browserToken === undefined) {
    return () => undefined;
  }
  const timer = setTimeout(expire, Math.max(0, browserToken.expiresAt - Date.now())).unref();
  return () => clearTimeout(timer);
}

/** Whether a credential is still what it was when something was opened with it. */
function hasAllOf(now: Principal | null, before: Principal): boolean {
  return (
    now !== null &&
    now.tenantId === before.tenantId &&
    before.scopes.every((scope) => now.scopes.includes(scope))
  );
}
