import { setTimeout as delay } from 'node:timers/promises';
import type { Lease, Leases } from '../leases/leases.ts';

/** Thrown by a run that another process has taken over from. */
class MigrationLostError extends Error {
  override readonly name = 'MigrationLostError';
}

interface Held {
  readonly lease: Lease;
  readonly leases: Leases;
  readonly leaseMs: number;
}

/**
 * Renews a lease while work runs, and gives it back afterwards, whether the work fails or not. The signal of the work aborts
 * when the lease is lost, or cannot be renewed for as long as it holds.
 */
export async function holdLease<T>(held: Held, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const lost = new AbortController();
  const ended = new AbortController();
  const renewals = renew(held, lost, ended.signal);
  try {
    return await work(lost.signal);
  } finally {
    ended.abort();
    await renewals;
    await held.leases.release(held.lease);
  }
}

async function renew({ lease, leases, leaseMs }: Held, lost: AbortController, ended: AbortSignal) {
  let heldUntil = performance.now() + leaseMs;
  while (!ended.aborted) {
    await delay(leaseMs / 3, undefined, { signal: ended, ref: false }).catch(() => undefined);
    if (ended.aborted) {
      return;
    }
    const from = performance.now();
    // An outage is waited for: while it lasts, nobody else can take the lease either.
    const renewed = await leases.renew(lease, leaseMs).catch(() => 'unknown' as const);
    if (renewed === null || (renewed === 'unknown' && performance.now() > heldUntil)) {
      lost.abort(new MigrationLostError('Another process has taken over the migrations'));
      return;
    }
    if (renewed !== 'unknown') {
      heldUntil = from + leaseMs;
    }
  }
}
