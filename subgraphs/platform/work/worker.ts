import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log/log.ts';
import type { Claimable, Claimed, Claims } from './claim.ts';

/** Works at what is due, in this process. */
export interface Worker {
  /** From now on sweeps and wakes do their work. */
  start(): void;
  /**
   * Looks for all that is due. Resolves when as much is under way as the limiter allows; the rest follows by itself
   * as work ends, without another sweep.
   * @throws when the database does not answer; what was not claimed stays due
   */
  sweep(): Promise<void>;
  /** Tries these at once; returns immediately. */
  wake(ids: readonly string[]): void;
  /** Claims nothing more, lets running work finish for the grace time and then aborts it. */
  stop(): Promise<void>;
}

export interface WorkerDeps<Document extends Claimable> {
  claims: Claims<Document>;
  limiter: { free(): number; release(item: Document): void };
  partitions: readonly number[];
  /** One piece of work, outcome included; never throws. See `createAttempts`. */
  work: (claimed: Claimed<Document>, signal: AbortSignal) => Promise<void>;
  log: Pick<Logger, 'error'>;
  /** Begins the names of log lines, such as `webhook`. */
  name: string;
  stopGraceMs: number;
}

interface State {
  phase: 'new' | 'running' | 'stopped';
  /** Partitions that may hold due documents that are not claimed yet. */
  readonly partitions: Set<number>;
  /** Documents to work at before all others. */
  readonly woken: Set<string>;
  readonly running: Set<Promise<void>>;
  readonly giveUp: AbortController;
  claimLoop: Promise<void> | undefined;
  tickAgain: boolean;
}

/** Bound of the ids of one claim. */
const WAKE_BATCH = 100;
const NO_LISTENER_LIMIT = 0;

export function createWorker<Document extends Claimable>(deps: WorkerDeps<Document>): Worker {
  const state: State = {
    phase: 'new',
    partitions: new Set(),
    woken: new Set(),
    running: new Set(),
    giveUp: new AbortController(),
    claimLoop: undefined,
    tickAgain: false,
  };
  setMaxListeners(NO_LISTENER_LIMIT, state.giveUp.signal);
  return {
    start: () => {
      state.phase = 'running';
    },
    sweep: () => {
      for (const partition of deps.partitions) {
        state.partitions.add(partition);
      }
      return runClaimLoop(deps, state);
    },
    wake: (ids) => {
      if (state.phase === 'running') {
        for (const id of ids) {
          state.woken.add(id);
        }
        claimAside(deps, state);
      }
    },
    stop: () => stop(deps, state),
  };
}

async function stop({ stopGraceMs }: { stopGraceMs: number }, state: State): Promise<void> {
  state.phase = 'stopped';
  await state.claimLoop?.catch(() => undefined);
  const settled = Promise.all(state.running);
  const graceOver = new AbortController();
  await Promise.race([
    settled,
    delay(stopGraceMs, undefined, { signal: graceOver.signal }).catch(() => undefined),
  ]);
  graceOver.abort();
  state.giveUp.abort();
  await settled;
}

/** Runs the claim loop, one at a time: what is wanted while it runs makes it tick once more. */
function runClaimLoop<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): Promise<void> {
  state.tickAgain = true;
  state.claimLoop ??= tickUntilIdle(deps, state);
  return state.claimLoop;
}

async function tickUntilIdle<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
): Promise<void> {
  try {
    while (state.tickAgain) {
      state.tickAgain = false;
      await claimWoken(deps, state);
      await claimPartitions(deps, state);
    }
  } finally {
    // In the same step as the last look at `tickAgain`: a later request starts a new loop.
    state.claimLoop = undefined;
  }
}

function claimAside<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): void {
  runClaimLoop(deps, state).catch((error: unknown) => {
    deps.log.error({ err: error }, `${deps.name}.claim_failed`);
  });
}

async function claimWoken<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
): Promise<void> {
  while (state.woken.size > 0 && state.phase === 'running') {
    const ids = [...state.woken].slice(0, WAKE_BATCH);
    for (const id of ids) {
      state.woken.delete(id);
    }
    const { claimed, left } = await claimIds(deps, state, ids);
    for (const partition of left) {
      state.partitions.add(partition);
    }
    launch(deps, state, claimed);
  }
}

async function claimPartitions<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
): Promise<void> {
  for (const partition of [...state.partitions]) {
    let claimedSome = true;
    while (
      claimedSome &&
      state.phase === 'running' &&
      deps.limiter.free() > 0 &&
      state.partitions.delete(partition)
    ) {
      // Taken out before the look, put back after it: a sweep meanwhile puts it in again, and behind the others.
      const { claimed, more, lost } = await claimPartition(deps, state, partition);
      if (more || lost) {
        state.partitions.add(partition);
      }
      // There is room again that was kept for what was lost, and perhaps nothing runs any more whose end would tell of it.
      state.tickAgain ||= lost;
      launch(deps, state, claimed);
      claimedSome = claimed.length > 0;
    }
  }
}

async function claimPartition<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  partition: number,
) {
  try {
    return await deps.claims.claimPartition(partition);
  } catch (error) {
    state.partitions.add(partition);
    throw error;
  }
}

async function claimIds<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  ids: readonly string[],
) {
  try {
    return await deps.claims.claimIds(ids);
  } catch (error) {
    for (const id of ids) {
      state.woken.add(id);
    }
    throw error;
  }
}

function launch<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  claimed: readonly Claimed<Document>[],
): void {
  for (const one of claimed) {
    const run = deps.work(one, state.giveUp.signal).finally(() => {
      deps.limiter.release(one.document);
      state.running.delete(run);
      goOn(deps, state);
    });
    state.running.add(run);
  }
}

/**
 * There is room for one more. A claim loop that runs looked before, so it ticks once more: the partition that it is looking
 * at is not among the others just now, and this may have been the last piece of work that tells of its end.
 */
function goOn<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): void {
  if (state.claimLoop) {
    state.tickAgain = true;
  } else if (state.phase === 'running' && (state.partitions.size > 0 || state.woken.size > 0)) {
    claimAside(deps, state);
  }
}
