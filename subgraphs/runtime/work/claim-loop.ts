import { setMaxListeners } from 'node:events';
import type { Logger } from '../../kernel/log/log.ts';
import type { Claimable, Claimed, Claims } from './claim.ts';

/** The dependencies of a worker. */
export interface WorkerDeps<Document extends Claimable> {
  claims: Claims<Document>;
  limiter: { free(): number; release(item: Document): void };
  partitions: readonly number[];
  /** Does one piece of work, including its outcome. Never throws. See `createAttempts`. */
  work: (claimed: Claimed<Document>, signal: AbortSignal) => Promise<void>;
  log: Pick<Logger, 'error'>;
  /** The prefix of log line names, such as `webhook`. */
  name: string;
  stopGraceMs: number;
}

/** The state of one worker. */
export interface State {
  phase: 'new' | 'running' | 'stopped';
  /** Partitions that may hold due documents that are not claimed yet. */
  readonly partitions: Set<number>;
  /** The partitions that gave something at the last look: they may give more, without any work having ended. */
  readonly giving: Set<number>;
  /** Documents that come before all others. */
  readonly woken: Set<string>;
  readonly running: Set<Promise<void>>;
  readonly giveUp: AbortController;
  /** Sweeps that wait for their tick to begin. */
  readonly sweeps: Sweep[];
  /** Timers of woken documents that are due in a moment. */
  readonly soon: Set<NodeJS.Timeout>;
  claimLoop: Promise<void> | undefined;
  /** Whether the next tick looks into all partitions. */
  tickAgain: boolean;
}

/** Promises that wait for a sweep. */
interface Sweep {
  resolve(): void;
  reject(error: unknown): void;
}

/** Maximum number of ids in one claim. It is small, because other processes are notified of the same ids and claim some of them. */
const WAKE_BATCH = 16;
const NO_LISTENER_LIMIT = 0;

export function createState(): State {
  const giveUp = new AbortController();
  setMaxListeners(NO_LISTENER_LIMIT, giveUp.signal);
  return {
    phase: 'new',
    partitions: new Set(),
    giving: new Set(),
    woken: new Set(),
    running: new Set(),
    giveUp,
    sweeps: [],
    soon: new Set(),
    claimLoop: undefined,
    tickAgain: false,
  };
}

/** Claims these documents before all others. */
export function wake<Document extends Claimable>(
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

/** Runs the claim loop, one at a time. A request while it runs makes it tick once more. */
export function runClaimLoop<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): void {
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
  // In the same step as the last check for requests, so that a later request starts a new loop.
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
  const { claimed, left, soon } = await claimIds(deps, state, ids);
  for (const partition of left) {
    state.partitions.add(partition);
  }
  for (const { id, inMs } of soon) {
    wakeLater(deps, state, id, inMs);
  }
  state.tickAgain ||= state.woken.size > 0;
  launch(deps, state, claimed);
}

function wakeLater<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  id: string,
  inMs: number,
): void {
  if (state.phase === 'running') {
    const timer = setTimeout(() => {
      state.soon.delete(timer);
      wake(deps, state, [id]);
    }, inMs);
    state.soon.add(timer);
  }
}

async function lookInto<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  partition: number,
): Promise<void> {
  if (state.phase !== 'running' || deps.limiter.free() <= 0) {
    return;
  }
  // The partition is removed before the look and added after it: a sweep meanwhile adds it again, behind the others.
  state.partitions.delete(partition);
  const { claimed, more, lost } = await claimPartition(deps, state, partition);
  if (more || lost) {
    state.partitions.add(partition);
  }
  if (more && claimed.length > 0) {
    state.giving.add(partition);
  }
  // There is room again for documents that other processes took; perhaps no running work is left whose end would show it.
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

/** Works at the claimed documents, and claims more as work ends. */
export function launch<Document extends Claimable>(
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
 * There is room for one more. A running claim loop has looked before, so it must tick once more: the partition that it is
 * looking at is not among the others now, and this may have been the last work whose end shows room.
 */
export function goOn<Document extends Claimable>(deps: WorkerDeps<Document>, state: State): void {
  if (state.claimLoop) {
    state.tickAgain = true;
  } else if (state.phase === 'running' && (state.partitions.size > 0 || state.woken.size > 0)) {
    runClaimLoop(deps, state);
  }
}
