import type { Types } from 'mongoose';
import type { Logger } from '../../kernel/log/log.ts';
import { groupItems } from '../../kernel/objects.ts';
import { createLoop, type Loop, NO_POLL_MS, untilNextLook, withinStop } from './loop.ts';
import type { Numbering } from './numbering.ts';
import { createOutage, type Outage } from './outage.ts';
import type { Place } from './reader.ts';
import { HEARTBEAT_MS, type Shares } from './shares.ts';
import type { Watcher } from './watcher.ts';

/** An event that a change stream reported. */
export interface ReportedEvent {
  readonly id: Types.ObjectId;
  readonly partition: number;
}

export interface Sequencer {
  /** Numbers the events of the partitions that are this process's share. Does nothing when started already. */
  start(): void;
  /** Ends the turns and gives the partitions back, so that other processes go on within their heartbeat. */
  stop(): Promise<void>;
  /** Says that there may be something to number in a partition. */
  wake(partition: number): void;
  /** Says that there may be something to number in any partition. */
  poll(): void;
  /** The same for events of any process that a change stream reported. Has no effect when all events have numbers. */
  onUnnumbered(events: readonly ReportedEvent[]): void;
  /** How many partitions this process numbers, as far as it knows. */
  partitions(): number;
}

interface SequencerDeps {
  shares: Shares;
  /** Makes the numbering of a partition, when this process takes it. */
  numberingOf(partition: number): Numbering;
  /** Those of the partitions that have the oldest events without a number. */
  findUnnumbered(partitions: readonly number[]): Promise<readonly number[]>;
  /** Calls {@link Sequencer.onUnnumbered} on new events; open only while this process has partitions. */
  watcher: Watcher;
  log: Logger;
  /** How often to look without a wake signal, in milliseconds; a quarter as often while the change stream is open. */
  pollMs: number;
  onNumbered(place: Place): void;
}

/** A partition while this process numbers it. */
interface OwnPartition {
  readonly numbering: Numbering;
  readonly loop: Loop;
  /** Whether it waits for events: its last turn left nothing to do, or it had none yet. The poll looks for them. */
  isIdle: boolean;
  /** Begins a turn, or has another one follow the present one. */
  wake(): void;
}

/**
 * Each partition is numbered by a loop of its own, with a pace of its own: a busy account delays no other partition's events.
 * Two more loops serve all of them: one renews the process's share every second, and one polls for events of which no signal
 * came.
 */
export function createSequencer(deps: SequencerDeps): Sequencer {
  const own = new Map<number, OwnPartition>();
  const outage = createOutage(deps.log, 'sequencer');
  const heartbeat = createLoop({
    outage,
    step: async (signal) => {
      const shares = await deps.shares.renew();
      if (!signal.aborted && (await followShares(deps, outage, own, shares))) {
        poll.wake();
      }
      return HEARTBEAT_MS;
    },
  });
  const poll = createLoop({
    outage,
    step: async () => {
      const idle = [...own].filter(([, { isIdle }]) => isIdle).map(([partition]) => partition);
      const found = idle.length > 0 ? await deps.findUnnumbered(idle) : [];
      for (const partition of found) {
        own.get(partition)?.wake();
      }
      return untilNextLook(deps.pollMs, deps.watcher);
    },
  });
  let isStarted = false;
  return {
    start: () => {
      isStarted = true;
      heartbeat.start();
      poll.start();
    },
    wake: (partition) => own.get(partition)?.wake(),
    poll: () => poll.wake(),
    onUnnumbered: (events) => {
      for (const [partition, reported] of groupItems(events, (event) => event.partition)) {
        const reportedIn = own.get(partition);
        // A turn knows this process's own events already, and may be numbering them.
        reportedIn?.loop.afterStep(() => {
          if (!reported.every(({ id }) => reportedIn.numbering.isNumbered(id))) {
            reportedIn.wake();
          }
        });
      }
    },
    partitions: () => own.size,
    stop: async () => {
      await Promise.all([heartbeat.stop(), poll.stop(), deps.watcher.stop()]);
      await Promise.all([...own.values()].map(({ loop }) => loop.stop()));
      own.clear();
      if (isStarted) {
        isStarted = false;
        await withinStop(leave(deps));
      }
    },
  };
}

/**
 * Adds partitions that have become this process's own, and stops the loops of lost ones.
 * @returns whether it has added any: they may have events without a number
 */
async function followShares(
  deps: SequencerDeps,
  outage: Outage,
  own: Map<number, OwnPartition>,
  shares: ReadonlyMap<number, number>,
): Promise<boolean> {
  const [before, lost] = [own.size, [...own.keys()].filter((partition) => !shares.has(partition))];
  for (const partition of lost) {
    void own.get(partition)?.loop.stop();
    own.delete(partition);
  }
  const taken = [...shares.keys()].filter((partition) => !own.has(partition));
  for (const partition of taken) {
    own.set(partition, createOwn(deps, outage, partition));
  }
  if (lost.length + taken.length > 0) {
    deps.log.info({ partitions: own.size, before }, 'sequencer.partitions_changed');
  }
  if (own.size === 0) {
    await deps.watcher.stop();
  } else {
    deps.watcher.start();
  }
  return taken.length > 0;
}

function createOwn(deps: SequencerDeps, outage: Outage, partition: number): OwnPartition {
  const numbering = deps.numberingOf(partition);
  const loop = createLoop({
    outage,
    step: async () => {
      own.isIdle = false;
      const term = deps.shares.termOf(partition);
      if (term === undefined) {
        // The next heartbeat takes it again, or ends this loop.
        return HEARTBEAT_MS;
      }
      const turn = await numbering.next(term);
      if (turn.kind === 'fenced') {
        deps.log.warn({ partition, term }, 'sequencer.fenced');
        return HEARTBEAT_MS;
      }
      if (turn.count > 0) {
        deps.onNumbered({ partition, seq: turn.lastSeq });
      }
      if (turn.more || turn.holds) {
        return turn.more ? 0 : deps.pollMs;
      }
      own.isIdle = true;
      return NO_POLL_MS;
    },
  });
  let isRunning = false;
  const own: OwnPartition = {
    numbering,
    loop,
    isIdle: true,
    wake: () => {
      if (isRunning) {
        loop.wake();
      } else {
        // A start takes a turn at once.
        isRunning = true;
        loop.start();
      }
    },
  };
  return own;
}

async function leave({ shares, log }: SequencerDeps): Promise<void> {
  try {
    await shares.leave();
  } catch (error) {
    // The lease ends by itself; the next holders only wait a little.
    log.warn({ err: error }, 'sequencer.partitions_not_given_back');
  }
}
