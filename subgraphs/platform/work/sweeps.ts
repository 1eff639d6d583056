import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log/log.ts';
import type { Claimable } from './claim.ts';
import type { Worker } from './worker.ts';

/** Has a worker look for all that is due, again and again: what no wake signal tells of, or what was told and not heard. */
export interface Sweeps {
  /** The first one comes at once. */
  start(): void;
  /** Begins no other one, and waits for the one that is under way. */
  stop(): Promise<void>;
}

interface SweepsDeps {
  readonly worker: Pick<Worker<Claimable>, 'sweep'>;
  /** The longest time between two. */
  readonly everyMs: number;
  readonly log: Pick<Logger, 'error'>;
  /** Begins the names of log lines, such as `pipeline`. */
  readonly name: string;
}

/** Pauses differ by up to this part, so that processes that were started together do not look together. */
const SPREAD = 0.25;

/** Each process sweeps by itself: what a process has missed must not wait for the turn of another one. */
export function createSweeps(deps: SweepsDeps): Sweeps {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  return {
    start: () => {
      running ??= run(deps, stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Never throws. */
async function run({ worker, everyMs, log, name }: SweepsDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await worker.sweep();
    } catch (error) {
      // What was not claimed stays due.
      log.error({ err: error }, `${name}.sweep_failed`);
    }
    await delay(everyMs * (1 - SPREAD * Math.random()), undefined, { signal }).catch(() => undefined);
  }
}
