import { type AccountId, environmentOf } from '../../kernel/account.ts';
import { type RunTransaction, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
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

/** Partners' control of their sandboxes. */
export interface Sandboxes {
  /** The sandbox of the account; undefined for an account of the live environment. */
  find(accountId: AccountId): Promise<Sandbox | undefined>;
  /**
   * Sets the clock of a sandbox ahead, and brings nearer what its webhooks wait for, in one transaction. Failures:
   * SANDBOX_ONLY, and those of {@link SandboxClocks.advance}.
   */
  advanceClock(accountId: AccountId, seconds: number): Promise<Result<Sandbox>>;
  /** Begins to remove all records of a sandbox ({@link SandboxResets}). Failure: SANDBOX_ONLY. */
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
    find: async (accountId) => (isSandbox(accountId) ? read(accountId) : undefined),
    advanceClock: async (accountId, seconds) => {
      if (!isSandbox(accountId)) {
        return fail('SANDBOX_ONLY');
      }
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
      if (!isSandbox(accountId)) {
        return fail('SANDBOX_ONLY');
      }
      await resets.start(accountId);
      return succeed(await read(accountId));
    },
  };
}

function isSandbox(accountId: AccountId): boolean {
  return environmentOf(accountId) === 'sandbox';
}
