import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { UnitOfWork } from '../database/unit-of-work.ts';
import type { Logger } from '../log/log.ts';
import type { Claimable, Claimed, Claims } from './claim.ts';

/** Works at what is due, in this process. */
export interface Worker<Document extends Claimable> {
  /** From now on sweeps and wakes do their work. */
  start(): void;
  /**
   * Looks for all that is due. Resolves when it has looked into every partition, or there is no more room; the rest
   * follows by itself as work ends, without another sweep. It does not wait for that: while work keeps coming, a job that
   * waited would miss its alarms and hold up the stop of the process.
   * @throws when the database does not answer; what was not claimed stays due
   */
  sweep(): Promise<void>;
  /** Tries these at once; returns immediately. */
  wake(ids: readonly string[]): void;
  /**
   * Works at a document as soon as the transaction that stores it is committed: without a claim where there is room for
   * it now, for its lease is stored with it, and by {@link wake} otherwise. Should the process die in between, it is due
   * when the lease is over.
   * @returns the document as it is to be stored
   */
  admit(document: Document, unit: Pick<UnitOfWork, 'onEnd'>): Document;
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
  /** Those of them of which the last look claimed something: the next one may too, without anything having ended. */
  readonly giving: Set<number>;
  /** Documents to work at before all others. */
  readonly woken: Set<string>;
  readonly running: Set<Promise<void>>;
  readonly giveUp: AbortController;
  /** Sweeps whose tick has not begun. */
  readonly sweeps: Sweep[];
  claimLoop: Promise<void> | undefined;
  /** Whether the next tick is to look into all partitions. */
  tickAgain: boolean;
}

/** Who waits for a sweep. */
interface Sweep {
  resolve(): void;
  reject(error: unknown): void;
}

/** Bound of the ids of one claim. */
const WAKE_BATCH = 100;
const NO_LISTENER_LIMIT = 0;

export function createWorker<Document extends Claimable>(deps: WorkerDeps<Document>): Worker<Document> {
  const state: State = {
    phase: 'new',
    partitions: new Set(),
    giving: new Set(),
    woken: new Set(),
    running: new Set(),
    giveUp: new AbortController(),
    sweeps: [],
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
      return new Promise<void>((resolve, reject) => {
        state.sweeps.push({ resolve, reject });
        runClaimLoop(deps, state);
      });
    },
    wake: (ids) => wake(deps, state, ids),
    admit: (document, unit) => admit(deps, state, document, unit),
    stop: () => stop(deps, state),
  };
}

function wake<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  ids: readonly string[],
): void {
  if (state.phase === 'running') {
    for (const id of ids) {
      state.woken.add(id);
    }
    runClaimLoop(deps, state);
  }
}

function admit<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  document: Document,
  unit: Pick<UnitOfWork, 'onEnd'>,
): Document {
  const leased = state.phase === 'running' ? deps.claims.leaseNew(document) : undefined;
  unit.onEnd((committed) => {
    if (leased && committed) {
      launch(deps, state, [leased]);
    } else if (leased) {
      deps.limiter.release(document);
      goOn(deps, state);
    } else if (committed) {
      wake(deps, state, [document._id]);
    }
  });
  return leased ? leased.document : document;
}

async function stop({ stopGraceMs }: { stopGraceMs: number }, state: State): Promise<void> {
  state.phase = 'stopped';
  await state.claimLoop;
  const settled = drain(state);
  const graceOver = new AbortController();
  await Promise.race([
    settled,
    delay(stopGraceMs, undefined, { signal: graceOver.signal }).catch(() => undefined),
  ]);
  graceOver.abort();
  state.giveUp.abort();
  await settled;
}

/** Until nothing runs, what is admitted meanwhile included. */
async function drain({ running }: State): Promise<void> {
  while (running.size > 0) {
    await Promise.all(running);
  }
}

/** Runs the claim loop, one at a time: what is wanted while it runs makes it tick once more. */
function runClaimLoop<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): void {
  state.tickAgain = true;
  state.claimLoop ??= tickUntilIdle(deps, state);
}

/** Never throws: an error ends the loop and goes to the sweeps that wait, or else to the log. */
async function tickUntilIdle<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
): Promise<void> {
  while (state.tickAgain || state.giving.size > 0) {
    const sweeps = state.sweeps.splice(0);
    try {
      await tick(deps, state);
      for (const { resolve } of sweeps) {
        resolve();
      }
    } catch (error) {
      state.tickAgain = false;
      state.giving.clear();
      reportFailure(deps, [...sweeps, ...state.sweeps.splice(0)], error);
    }
  }
  // In the same step as the last look at what is wanted: a later request starts a new loop.
  state.claimLoop = undefined;
}

function reportFailure<Document extends Claimable>(
  { log, name }: WorkerDeps<Document>,
  sweeps: readonly Sweep[],
  error: unknown,
): void {
  for (const { reject } of sweeps) {
    reject(error);
  }
  if (sweeps.length === 0) {
    log.error({ err: error }, `${name}.claim_failed`);
  }
}

/**
 * Looks for what was woken, and once into each partition, or into each that gave something at the last tick. Only once: a
 * partition whose work ends as quickly as it is claimed would hold up the other partitions, and what is woken, for as long
 * as it has a backlog.
 */
async function tick<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): Promise<void> {
  const wanted = state.tickAgain ? state.partitions : state.giving;
  state.tickAgain = false;
  await claimWoken(deps, state);
  const partitions = [...wanted];
  state.giving.clear();
  for (const partition of partitions) {
    await lookInto(deps, state, partition);
    await claimWoken(deps, state);
  }
}

async function claimWoken<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
): Promise<void> {
  if (state.woken.size === 0 || state.phase !== 'running') {
    return;
  }
  const ids = [...state.woken].slice(0, WAKE_BATCH);
  for (const id of ids) {
    state.woken.delete(id);
  }
  const { claimed, left } = await claimIds(deps, state, ids);
  for (const partition of left) {
    state.partitions.add(partition);
  }
  state.tickAgain ||= state.woken.size > 0;
  launch(deps, state, claimed);
}

async function lookInto<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  partition: number,
): Promise<void> {
  if (state.phase !== 'running' || deps.limiter.free() <= 0) {
    return;
  }
  // Taken out before the look, put back after it: a sweep meanwhile puts it in again, and behind the others.
  state.partitions.delete(partition);
  const { claimed, more, lost } = await claimPartition(deps, state, partition);
  if (more || lost) {
    state.partitions.add(partition);
  }
  if (more && claimed.length > 0) {
    state.giving.add(partition);
  }
  // There is room again that was kept for what was lost, and perhaps nothing runs any more whose end would tell of it.
  state.tickAgain ||= lost;
  launch(deps, state, claimed);
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
    runClaimLoop(deps, state);
  }
}
