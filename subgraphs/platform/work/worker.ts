import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log/log.ts';
import type { Claimable, Claimed, Claims } from './claim.ts';

/** Works at what is due, in this process. */
export interface Worker {
  /** From now on sweeps and nudges do their work. */
  start(): void;
  /**
   * Looks for all that is due. Resolves when as much is under way as slots allow; the rest follows by itself as
   * slots become free, without another sweep.
   * @throws when the store does not answer; what was not claimed stays due
   */
  sweep(): Promise<void>;
  /** Tries these at once; returns immediately. */
  wake(ids: readonly string[]): void;
  /** Claims nothing more, lets running work finish for the grace time and then tells it to give up. */
  stop(): Promise<void>;
}

export interface WorkerDeps<Document extends Claimable> {
  claims: Claims<Document>;
  slots: { free(): number; give(user: Document): void };
  lanes: readonly number[];
  /** One piece of work, outcome included; never throws. */
  work: (claimed: Claimed<Document>, signal: AbortSignal) => Promise<void>;
  log: Pick<Logger, 'error'>;
  /** Begins the names of log lines, such as `webhook`. */
  name: string;
  stopGraceMs: number;
}

interface State {
  phase: 'new' | 'running' | 'stopped';
  /** Lanes that may hold due documents that are not claimed yet. */
  readonly lanes: Set<number>;
  /** Documents to work at before all others. */
  readonly woken: Set<string>;
  readonly running: Set<Promise<void>>;
  readonly giveUp: AbortController;
  pump: Promise<void> | undefined;
  pumpAgain: boolean;
}

/** Bound of the ids of one claim. */
const NUDGE_BATCH = 100;
const NO_LISTENER_LIMIT = 0;

export function createWorker<Document extends Claimable>(deps: WorkerDeps<Document>): Worker {
  const state: State = {
    phase: 'new',
    lanes: new Set(),
    woken: new Set(),
    running: new Set(),
    giveUp: new AbortController(),
    pump: undefined,
    pumpAgain: false,
  };
  setMaxListeners(NO_LISTENER_LIMIT, state.giveUp.signal);
  return {
    start: () => {
      state.phase = 'running';
    },
    sweep: () => {
      for (const lane of deps.lanes) {
        state.lanes.add(lane);
      }
      return pump(deps, state);
    },
    wake: (ids) => {
      if (state.phase === 'running') {
        for (const id of ids) {
          state.woken.add(id);
        }
        pumpAside(deps, state);
      }
    },
    stop: () => stop(deps, state),
  };
}

async function stop({ stopGraceMs }: { stopGraceMs: number }, state: State): Promise<void> {
  state.phase = 'stopped';
  await state.pump?.catch(() => undefined);
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

/** One claimer at a time: what is asked for while it runs makes it go round once more. */
function pump<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): Promise<void> {
  state.pumpAgain = true;
  state.pump ??= turn(deps, state);
  return state.pump;
}

async function turn<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): Promise<void> {
  try {
    while (state.pumpAgain) {
      state.pumpAgain = false;
      await claimNudged(deps, state);
      await claimLanes(deps, state);
    }
  } finally {
    // In the same step as the last look at `pumpAgain`: a later request starts a new turn.
    state.pump = undefined;
  }
}

function pumpAside<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): void {
  pump(deps, state).catch((error: unknown) => {
    deps.log.error({ err: error }, `${deps.name}.claim_failed`);
  });
}

async function claimNudged<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
): Promise<void> {
  while (state.woken.size > 0 && state.phase === 'running') {
    const ids = [...state.woken].slice(0, NUDGE_BATCH);
    for (const id of ids) {
      state.woken.delete(id);
    }
    const { claimed, left } = await claimIds(deps, state, ids);
    for (const lane of left) {
      state.lanes.add(lane);
    }
    launch(deps, state, claimed);
  }
}

async function claimLanes<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
): Promise<void> {
  for (const lane of [...state.lanes]) {
    let claimedSome = true;
    while (claimedSome && state.phase === 'running' && deps.slots.free() > 0 && state.lanes.delete(lane)) {
      // Taken out before the look, put back after it: a sweep meanwhile puts it in again, and behind the others.
      const { claimed, more, lost } = await claimLane(deps, state, lane);
      if (more || lost) {
        state.lanes.add(lane);
      }
      // Slots that were held for what was lost are free again: nothing that runs may be left to tell of them.
      state.pumpAgain ||= lost;
      launch(deps, state, claimed);
      claimedSome = claimed.length > 0;
    }
  }
}

async function claimLane<Document extends Claimable>(deps: WorkerDeps<Document>, state: State, lane: number) {
  try {
    return await deps.claims.claimLane(lane);
  } catch (error) {
    state.lanes.add(lane);
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
      deps.slots.give(one.document);
      state.running.delete(run);
      goOn(deps, state);
    });
    state.running.add(run);
  }
}

/**
 * A slot is free. A claimer that is under way looked before, so it goes round once more: the lane that it is looking at is
 * not among the others just now, and this may have been the last piece of work that tells of a free slot.
 */
function goOn<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): void {
  if (state.pump) {
    state.pumpAgain = true;
  } else if (state.phase === 'running' && (state.lanes.size > 0 || state.woken.size > 0)) {
    pumpAside(deps, state);
  }
}
