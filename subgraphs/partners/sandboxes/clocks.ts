import type { AccountId, Environment } from '../../kernel/account.ts';
import type { AccountClocks } from '../../kernel/clock/account-clock.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { SandboxModel } from './model.ts';

/** How far ahead the clock of a sandbox can be: 60 days. */
const MOST_AHEAD_SECONDS = 60 * 86_400;
/** How often a process looks for changed clocks. */
const LOOK_MS = 1_000;
/** A change shows in the database at most this long after its `clockSetAt`: a transaction lives for a minute. */
const SETTLING_MS = 120_000;

/** The clocks of all accounts, as this process knows them. */
export interface SandboxClocks extends AccountClocks {
  /**
   * Sets the clock of a sandbox further ahead, in the caller's transaction. It is in force in this process once that has
   * committed, in others within 2 s. Failures: INVALID_REQUEST for a number of seconds that is not positive, or with which the
   * clock would be more than {@link MOST_AHEAD_SECONDS} ahead; SANDBOX_RESET_RUNNING.
   */
  advance(accountId: AccountId, seconds: number, unit: UnitOfWork): Promise<Result<number>>;
  /** Sets the clock of a sandbox to the database's time, in the same way. */
  setBack(accountId: AccountId, unit: UnitOfWork): void;
  /** Reads the clocks that have changed. @throws when the database cannot be reached */
  refresh(): Promise<void>;
  /** Refreshes now and then every second, until {@link stop}, in a deployment that serves sandboxes. */
  start(): Promise<void>;
  stop(): void;
}

interface SandboxClocksDeps {
  readonly model: SandboxModel;
  /** The database's time. */
  readonly clock: () => Date;
  readonly log: Pick<Logger, 'warn'>;
  /** Those that the deployment serves. */
  readonly environments: readonly Environment[];
}

export function createSandboxClocks(deps: SandboxClocksDeps): SandboxClocks {
  const { clock, model } = deps;
  /** Milliseconds by account, only those that are ahead. */
  const ahead = new Map<AccountId, number>();
  const aheadMs = (accountId: AccountId) => ahead.get(accountId) ?? 0;
  const set = (accountId: AccountId, ms: number) => {
    if (ms > 0) {
      ahead.set(accountId, ms);
    } else {
      ahead.delete(accountId);
    }
  };
  /** Set by this process since the read that is under way began: it may have the clocks before that. */
  const setHere = new Set<AccountId>();
  const setAfter = (unit: UnitOfWork, accountId: AccountId, ms: number) =>
    unit.onEnd((committed) => {
      if (committed) {
        set(accountId, ms);
        setHere.add(accountId);
      }
    });
  const accountClock: AccountClocks['accountClock'] = (accountId) =>
    new Date(clock().getTime() + aheadMs(accountId));
  let readUpTo: Date | undefined;
  const refresh = async () => {
    const at = clock();
    const changed = readUpTo ? { clockSetAt: { $gt: new Date(readUpTo.getTime() - SETTLING_MS) } } : {};
    setHere.clear();
    for (const { _id, aheadMs: ms } of await model.find(changed).select({ aheadMs: 1 }).lean()) {
      if (!setHere.has(_id)) {
        set(_id, ms);
      }
    }
    readUpTo = at;
  };
  return {
    accountClock,
    aheadMs,
    listExpired: () => [
      { at: clock() },
      ...[...ahead.keys()].map((accountId) => ({ accountId, at: accountClock(accountId) })),
    ],
    advance: async (accountId, seconds, unit) => {
      const advanced = await advance(deps, accountId, seconds, unit);
      if (advanced.ok) {
        setAfter(unit, accountId, advanced.value);
      }
      return advanced;
    },
    setBack: (accountId, unit) => {
      unit.update(model, {
        filter: { _id: accountId },
        update: { $set: { aheadMs: 0, clockSetAt: clock() } },
      });
      setAfter(unit, accountId, 0);
    },
    refresh,
    ...repeat(refresh, deps),
  };
}

/** @returns how far the clock is ahead then, milliseconds */
async function advance(
  { model, clock }: SandboxClocksDeps,
  accountId: AccountId,
  seconds: number,
  unit: UnitOfWork,
): Promise<Result<number>> {
  const found = await model.findById(accountId).session(unit.session).lean();
  if (found?.reset?.state === 'RUNNING') {
    return fail('SANDBOX_RESET_RUNNING');
  }
  const before = found?.aheadMs ?? 0;
  const most = MOST_AHEAD_SECONDS - before / 1_000;
  if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= most)) {
    const issue =
      most > 0
        ? `seconds must be 1 to ${most}: the clock can be at most 60 days ahead`
        : 'The clock is 60 days ahead, which is the most. Reset the sandbox to set it back.';
    return fail('INVALID_REQUEST', issue, ['seconds']);
  }
  const aheadMs = before + seconds * 1_000;
  const set = { aheadMs, clockSetAt: clock() };
  if (found) {
    const filter = { _id: accountId, aheadMs: before };
    const otherwise = () =>
      new Error(`The clock of ${accountId} changed within the transaction that read it`);
    unit.update(model, { filter, update: { $set: set }, otherwise });
  } else {
    unit.insert(model, [{ _id: accountId, ...set }]);
  }
  return succeed(aheadMs);
}

/** Without the database, the clocks stay as they were: this is logged once. */
function repeat(refresh: () => Promise<void>, { environments, log }: SandboxClocksDeps) {
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isFailing = false;
  const look = async () => {
    if (isReading) {
      return;
    }
    isReading = true;
    try {
      await refresh();
      isFailing = false;
    } catch (err) {
      if (!isFailing) {
        log.warn({ err }, 'sandbox.clocks_not_read');
      }
      isFailing = true;
    } finally {
      isReading = false;
    }
  };
  return {
    start: async () => {
      if (environments.includes('sandbox')) {
        await refresh();
        timer = setInterval(() => void look(), LOOK_MS).unref();
      }
    },
    stop: () => clearInterval(timer),
  };
}

/** The clocks of all accounts as they are now, for a command. @throws when the database cannot be reached */
export async function readAccountClocks(
  deps: Omit<SandboxClocksDeps, 'environments'>,
): Promise<AccountClocks> {
  const clocks = createSandboxClocks({ ...deps, environments: [] });
  await clocks.refresh();
  return clocks;
}
