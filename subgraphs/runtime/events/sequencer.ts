import type { Types } from 'mongoose';
import type { Logger } from '../../kernel/log/log.ts';
import type { Lease, Leases } from '../leases/leases.ts';
import { createLoop, untilNextLook, withinStop } from './loop.ts';
import type { Numbering } from './numbering.ts';
import { createOutage } from './outage.ts';
import type { Watcher } from './watcher.ts';

/** Name of the lease that makes one process the sequencer. */
export const SEQUENCER_LEASE = 'events.sequencer';

export interface Sequencer {
  /** Numbers events whenever this process has the lease. Does nothing when started already. */
  start(): void;
  /** Ends the turn, gives the lease back, so that another process goes on within its standby time. */
  stop(): Promise<void>;
  /** Says that there may be something to number. */
  wake(): void;
  /** Does the same for events of any process that a change stream reported. Has no effect when all events have numbers. */
  onUnnumbered(ids: readonly Types.ObjectId[]): void;
  /** Whether this process has the lease, as far as it knows. */
  isLeading(): boolean;
}

interface SequencerDeps {
  leases: Leases;
  numbering: Numbering;
  /** Calls {@link Sequencer.received} on new events; open only while this process leads. */
  watcher: Watcher;
  log: Logger;
  clock(): Date;
  /** How often to look without a wake signal, in milliseconds; a quarter as often while the change stream is open. */
  pollMs: number;
  onNumbered(): void;
}

/** After a process dies with the lease, numbering stops for this long. */
const LEASE_MS = 5_000;
const RENEW_BEFORE_MS = LEASE_MS / 2;
/** How often a process without the lease tries to get it. */
const STANDBY_MS = 1_000;

export function createSequencer(deps: SequencerDeps): Sequencer {
  let lease: Lease | null = null;
  const step = async (signal: AbortSignal): Promise<number> => {
    lease = await holdLease(deps, lease);
    if (signal.aborted) {
      return 0;
    }
    if (lease === null) {
      await deps.watcher.stop();
      return STANDBY_MS;
    }
    deps.watcher.start();
    const turn = await deps.numbering.next(lease.term);
    if (turn.kind === 'fenced') {
      deps.log.warn({ term: lease.term }, 'sequencer.fenced');
      lease = null;
      await deps.watcher.stop();
      return STANDBY_MS;
    }
    if (turn.count > 0) {
      deps.onNumbered();
    }
    return turn.more ? 0 : untilNextLook(deps.pollMs, deps.watcher);
  };
  const loop = createLoop({ step, outage: createOutage(deps.log, 'sequencer') });
  const wake = () => {
    // Without the lease, every commit of this process would only make another try to get it.
    if (lease !== null) {
      loop.wake();
    }
  };
  return {
    start: () => loop.start(),
    wake,
    onUnnumbered: (ids) =>
      // A turn knows this process's own events already, and may be numbering them.
      loop.afterStep(() => {
        if (!ids.every(deps.numbering.isNumbered)) {
          wake();
        }
      }),
    isLeading: () => lease !== null,
    stop: async () => {
      await loop.stop();
      await deps.watcher.stop();
      const held = lease;
      lease = null;
      if (held !== null) {
        await withinStop(giveBack(deps, held));
      }
    },
  };
}

async function holdLease({ leases, log, clock }: SequencerDeps, lease: Lease | null): Promise<Lease | null> {
  if (lease === null) {
    const acquired = await leases.acquire(SEQUENCER_LEASE, LEASE_MS);
    if (acquired !== null) {
      log.info({ term: acquired.term }, 'sequencer.leading');
    }
    return acquired;
  }
  if (lease.until.getTime() - clock().getTime() > RENEW_BEFORE_MS) {
    return lease;
  }
  const renewed = await leases.renew(lease, LEASE_MS);
  if (renewed === null) {
    log.warn({ term: lease.term }, 'sequencer.lease_lost');
  }
  return renewed;
}

async function giveBack({ leases, log }: SequencerDeps, lease: Lease): Promise<void> {
  try {
    await leases.release(lease);
  } catch (error) {
    // The lease ends by itself; the next holder only waits a little.
    log.warn({ err: error }, 'sequencer.lease_not_released');
  }
}
