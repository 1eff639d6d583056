import type { AccountId } from '../../kernel/account.ts';
import { newId } from '../../kernel/database/ids.ts';
import { removeInRounds } from '../../kernel/database/remove-expired.ts';
import { type RunTransaction, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { mapAtOnce } from '../../kernel/map-at-once.ts';
import type { SandboxClocks } from './clocks.ts';
import type { SandboxModel, StoredReset } from './model.ts';

/** Records of accounts that a reset removes. */
export interface ResetSource {
  /** The collections that it empties. */
  readonly collections: readonly string[];
  /** How many the account has. */
  count(accountId: AccountId): Promise<number>;
  /** Removes at most `most` of them, in the unit's transaction. @returns how many */
  remove(accountId: AccountId, most: number, unit: UnitOfWork): Promise<number>;
}

/** Removes all records of a sandbox, in the background. */
export interface SandboxResets {
  /** Begins a reset. While one is running, the call has no effect. @returns the running reset */
  start(accountId: AccountId): Promise<StoredReset>;
  /**
   * Works at all running resets until none is left or the signal aborts. It may run in several processes, and be killed: each
   * transaction removes some records and counts them. At the end it sets the clock back.
   * @throws the first error, after the other resets had their turn
   */
  work(signal: AbortSignal): Promise<void>;
}

interface SandboxResetsDeps {
  readonly model: SandboxModel;
  /** In the order of removal. */
  readonly sources: readonly ResetSource[];
  readonly clocks: Pick<SandboxClocks, 'setBack'>;
  readonly transaction: RunTransaction;
  /** The database's time. */
  readonly clock: () => Date;
}

/** Resets beside each other in a process: a large sandbox does not keep the others waiting. */
const AT_ONCE = 4;

export function createSandboxResets(deps: SandboxResetsDeps): SandboxResets {
  return {
    start: (accountId) => retryOnConflict(() => start(deps, accountId)),
    work: (signal) => work(deps, signal),
  };
}

async function start(deps: SandboxResetsDeps, accountId: AccountId): Promise<StoredReset> {
  const { model, sources, transaction, clock } = deps;
  const counts = await Promise.all(sources.map((source) => source.count(accountId)));
  return transaction(async (unit) => {
    const found = await model.findById(accountId).session(unit.session).lean();
    if (found?.reset?.state === 'RUNNING') {
      return found.reset;
    }
    const now = clock();
    const reset: StoredReset = {
      ...{ id: newId('sr_'), state: 'RUNNING', removed: 0, startedAt: now },
      found: counts.reduce((sum, count) => sum + count, 0),
    };
    if (found) {
      unit.update(model, { filter: { _id: accountId }, update: { $set: { reset } } });
    } else {
      unit.insert(model, [{ _id: accountId, aheadMs: 0, clockSetAt: now, reset }]);
    }
    return reset;
  });
}

async function work(deps: SandboxResetsDeps, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const running = await deps.model.find({ 'reset.state': 'RUNNING' }).lean();
  await mapAtOnce(AT_ONCE, running, async ({ _id, reset }) => {
    try {
      await (reset && removeAll(deps, { accountId: _id, id: reset.id }, signal));
    } catch (error) {
      if (!(error instanceof ResetEndedError)) {
        failures.push(error);
      }
    }
  });
  if (failures.length > 0) {
    throw failures[0];
  }
}

interface Running {
  readonly accountId: AccountId;
  readonly id: string;
}

/** Another process has finished the reset: records that are there now are new. */
class ResetEndedError extends Error {
  override readonly name = 'ResetEndedError';
}

/**
 * Goes over all sources until none has anything left. Calls and workers that had begun before may add records behind it, so it
 * ends with a whole round that finds nothing.
 */
async function removeAll(deps: SandboxResetsDeps, running: Running, signal: AbortSignal): Promise<void> {
  for (let removed = -1; removed !== 0; ) {
    removed = 0;
    for (const source of deps.sources) {
      removed += await removeInRounds((most) => removeSome(deps, running, source, most), signal);
    }
    if (signal.aborted) {
      return;
    }
  }
  await deps.transaction((unit) => {
    change(deps, running, { $set: { 'reset.state': 'DONE', 'reset.finishedAt': deps.clock() } }, unit);
    deps.clocks.setBack(running.accountId, unit);
  });
}

function removeSome(
  deps: SandboxResetsDeps,
  running: Running,
  source: ResetSource,
  most: number,
): Promise<number> {
  return deps.transaction(async (unit) => {
    const removed = await source.remove(running.accountId, most, unit);
    change(deps, running, { $inc: { 'reset.removed': removed } }, unit);
    return removed;
  });
}

function change(
  { model }: SandboxResetsDeps,
  { accountId, id }: Running,
  update: object,
  unit: UnitOfWork,
): void {
  unit.update(model, {
    filter: { _id: accountId, 'reset.id': id, 'reset.state': 'RUNNING' },
    update,
    otherwise: () => new ResetEndedError(),
  });
}
