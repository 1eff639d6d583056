import type { FastifyBaseLogger } from 'fastify';
import { endOf, type Principal } from '../../subgraphs/kernel/principal.ts';
import type { Credential, Credentials } from './credentials.ts';

/**
 * Cached keys and tokens are at most 2 s old. With this interval, everything that a revoked key has open ends within the
 * promised 5 s.
 */
const RECHECK_MS = 2_000;

/** Watches the keys, browser tokens and console sessions with open streams. */
export interface Revocations {
  /**
   * Calls `revoked` once: when the key, token or session is revoked, loses a scope that it had, or when the token or session
   * expires. The returned function stops watching.
   */
  watch(credential: Credential, principal: Principal, revoked: () => void): () => void;
  close(): void;
}

interface Watched {
  readonly principal: Principal;
  revoked(): void;
}

/** Everything that one credential has open. */
interface Holder {
  readonly credential: Credential;
  readonly open: Set<Watched>;
}

/** Looks up every credential with open streams periodically: once per credential, for all of its streams. */
export function createRevocations(
  credentials: Credentials,
  log: Pick<FastifyBaseLogger, 'warn'>,
  clock: () => Date = () => new Date(),
): Revocations {
  const holders = new Map<string, Holder>();
  const timer = setInterval(async () => {
    const checks = [...holders.values()].map((holder) => endRevoked(holder, credentials));
    const failed = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') {
      // The database cannot be reached: the next round tries again.
      log.warn({ err: failed.reason }, 'revocations.check_failed');
    }
  }, RECHECK_MS).unref();
  return {
    watch(credential, principal, revoked) {
      const name = `${credential.kind} ${credential.text}`;
      const holder = holders.get(name) ?? { credential, open: new Set() };
      holders.set(name, holder);
      const watched: Watched = { principal, revoked };
      holder.open.add(watched);
      const stopClock = atExpiry(principal, clock(), () => end(holder, watched));
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
  // Thousands of streams began with a few principals.
  const isGood = new Map<Principal, boolean>();
  for (const watched of holder.open) {
    const known = isGood.get(watched.principal) ?? hasAllOf(principal, watched.principal);
    isGood.set(watched.principal, known);
    if (!known) {
      end(holder, watched);
    }
  }
}

function end({ open }: Holder, watched: Watched): void {
  if (open.delete(watched)) {
    watched.revoked();
  }
}

/**
 * The expiry of a token or session is known from the start, so a timer ends it without waiting for the next round. Returns a function
 * that stops the timer.
 */
function atExpiry(principal: Principal, now: Date, expire: () => void): () => void {
  const end = endOf(principal);
  if (end === undefined) {
    return () => undefined;
  }
  const timer = setTimeout(expire, Math.max(0, end - now.getTime())).unref();
  return () => clearTimeout(timer);
}

/** Whether a credential still has all the rights with which a stream was opened. */
function hasAllOf(now: Principal | null, before: Principal): boolean {
  return (
    now !== null &&
    now.accountId === before.accountId &&
    before.scopes.every((scope) => now.scopes.includes(scope))
  );
}
