import type { AccountId } from '../../kernel/account.ts';
import { type RunTransaction, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import type { SandboxClocks } from './clocks.ts';
import type { SandboxModel, StoredReset } from './model.ts';
import type { SandboxResets } from './resets.ts';

/** The state of a partner's sandbox. */
export interface Sandbox {
  /** How far its clock is ahead of the real time, seconds. */
  readonly clockAheadSeconds: number;
  /** The time of its clock. */
  readonly now: Date;
  /** Its last reset; undefined when it never had one. */
  readonly reset?: StoredReset | undefined;
}

/** Partners' control of their sandboxes. The accounts are those of sandboxes. */
export interface Sandboxes {
  find(accountId: AccountId): Promise<Sandbox>;
  /**
   * Sets the clock of a sandbox ahead, and brings nearer what its webhooks wait for, in one transaction. Failures:
   * those of {@link SandboxClocks.advance}.
   */
  advanceClock(accountId: AccountId, seconds: number): Promise<Result<Sandbox>>;
  /** Begins to remove all records of a sandbox ({@link SandboxResets}). It does not fail. */
  reset(accountId: AccountId): Promise<Result<Sandbox>>;
}

interface SandboxesDeps {
  readonly model: SandboxModel;
  readonly clocks: Pick<SandboxClocks, 'advance'>;
  readonly resets: Pick<SandboxResets, 'start'>;
  readonly advanceWebhooks: (accountId: AccountId, ms: number, unit: UnitOfWork) => Promise<void>;
  readonly transaction: RunTransaction;
  /** The database's time. */
  readonly clock: () => Date;
}

export function createSandboxes(deps: SandboxesDeps): Sandboxes {
  const { model, clocks, resets, transaction, clock } = deps;
  const read = async (accountId: AccountId): Promise<Sandbox> => {
    const { aheadMs = 0, reset } = (await model.findById(accountId).lean()) ?? {};
    return { clockAheadSeconds: aheadMs / 1_000, now: new Date(clock().getTime() + aheadMs), reset };
  };
  return {
    find: read,
    advanceClock: async (accountId, seconds) => {
      // Two at once may both make the document: the later one finds it.
      const advanced = await retryOnConflict(() =>
        transaction(async (unit) => {
          const set = await clocks.advance(accountId, seconds, unit);
          if (set.ok) {
            await deps.advanceWebhooks(accountId, seconds * 1_000, unit);
          }
          return set;
        }),
      );
      return advanced.ok ? succeed(await read(accountId)) : advanced;
    },
    reset: async (accountId) => {
      await resets.start(accountId);
      return succeed(await read(accountId));
    },
  };
}
