import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { Claimed, Claims } from './claim.ts';
import { allShards } from './queue.ts';
import type { Slots } from './slots.ts';

/** Delivers what is due, in this process. */
export interface WebhookWorker {
  /** From now on sweeps and nudges do their work. */
  start(): void;
  /**
   * Looks for all that is due. Resolves when as much is under way as slots allow; the rest follows by itself as
   * slots become free, without another sweep.
   * @throws when the store does not answer; what was not claimed stays due
   */
  sweep(): Promise<void>;
  /** Tries these at once; returns immediately. */
  nudge(deliveryIds: readonly string[]): void;
  /**
   * Claims nothing more, lets running attempts finish for the grace time and then gives the others up: such a
   * delivery is due again at once, its attempt not counted, though the receiver may have got it.
   */
  stop(): Promise<void>;
}

interface WorkerDeps {
  claims: Claims;
  slots: Slots;
  /** One attempt, outcome included; never throws. */
  attempt: (claimed: Claimed, signal: AbortSignal) => Promise<void>;
  log: Pick<Logger, 'error'>;
  stopGraceMs: number;
}

interface State {
  phase: 'new' | 'running' | 'stopped';
  /** Shards that may hold due deliveries that are not claimed yet. */
  readonly shards: Set<number>;
  /** Deliveries to try before all others. */
  readonly nudged: Set<string>;
  readonly running: Set<Promise<void>>;
  readonly giveUp: AbortController;
  pump: Promise<void> | undefined;
  pumpAgain: boolean;
}

/** Bound of the ids of one claim. */
const NUDGE_BATCH = 100;
const NO_LISTENER_LIMIT = 0;

export function createWorker(deps: WorkerDeps): WebhookWorker {
  const state: State = {
    phase: 'new',
    shards: new Set(),
    nudged: new Set(),
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
      for (const shard of allShards()) {
        state.shards.add(shard);
      }
      return pump(deps, state);
    },
    nudge: (deliveryIds) => {
      if (state.phase === 'running') {
        for (const id of deliveryIds) {
          state.nudged.add(id);
        }
        pumpAside(deps, state);
      }
    },
    stop: () => stop(deps, state),
  };
}

async function stop({ stopGraceMs }: WorkerDeps, state: State): Promise<void> {
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
function pump(deps: WorkerDeps, state: State): Promise<void> {
  state.pumpAgain = true;
  state.pump ??= turn(deps, state);
  return state.pump;
}

async function turn(deps: WorkerDeps, state: State): Promise<void> {
  try {
    while (state.pumpAgain) {
      state.pumpAgain = false;
      await claimNudged(deps, state);
      await claimShards(deps, state);
    }
  } finally {
    // In the same step as the last look at `pumpAgain`: a later request starts a new turn.
    state.pump = undefined;
  }
}

function pumpAside(deps: WorkerDeps, state: State): void {
  pump(deps, state).catch((error: unknown) => {
    deps.log.error({ err: error }, 'webhook.claim_failed');
  });
}

async function claimNudged(deps: WorkerDeps, state: State): Promise<void> {
  while (state.nudged.size > 0 && state.phase === 'running') {
    const ids = [...state.nudged].slice(0, NUDGE_BATCH);
    for (const id of ids) {
      state.nudged.delete(id);
    }
    const { claimed, left } = await deps.claims.claimIds(ids);
    for (const shard of left) {
      state.shards.add(shard);
    }
    launch(deps, state, claimed);
  }
}

async function claimShards(deps: WorkerDeps, state: State): Promise<void> {
  for (const shard of [...state.shards]) {
    let claimedSome = true;
    while (claimedSome && state.phase === 'running' && deps.slots.free() > 0 && state.shards.delete(shard)) {
      // Taken out before the look, put back after it: a sweep meanwhile puts it in again, and behind the others.
      const { claimed, more } = await claimShard(deps, state, shard);
      if (more) {
        state.shards.add(shard);
      }
      launch(deps, state, claimed);
      claimedSome = claimed.length > 0;
    }
  }
}

async function claimShard(deps: WorkerDeps, state: State, shard: number) {
  try {
    return await deps.claims.claimShard(shard);
  } catch (error) {
    state.shards.add(shard);
    throw error;
  }
}

function launch(deps: WorkerDeps, state: State, claimed: readonly Claimed[]): void {
  for (const one of claimed) {
    const run = deps.attempt(one, state.giveUp.signal).finally(() => {
      deps.slots.give(one.document);
      state.running.delete(run);
      if (state.phase === 'running' && (state.shards.size > 0 || state.nudged.size > 0)) {
        pumpAside(deps, state);
      }
    });
    state.running.add(run);
  }
}
