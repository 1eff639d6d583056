import type { AccountId } from '../account.ts';

/**
 * The time of an account: of its records' timestamps and of their expiry. In the live environment it is the database's time; a
 * partner can set the clock of its sandbox ahead. Queues, leases, keys and sessions go by the database's time in both.
 */
export type AccountClock = (accountId: AccountId) => Date;

/** The two times of a change to a record that waits in a queue. */
export interface Times {
  /** The database's time, for due times and leases. */
  readonly now: Date;
  /** The account's time, for timestamps. */
  readonly at: Date;
}

export function timesOf(
  { clock, accountClock }: { readonly clock: () => Date; readonly accountClock: AccountClock },
  accountId: AccountId,
): Times {
  return { now: clock(), at: accountClock(accountId) };
}

/** Which records have expired: those with an end up to `at`, of one account or of all. */
export interface Expired {
  readonly at: Date;
  readonly accountId?: AccountId;
}

/**
 * Which records have expired at present: of all accounts by the database's time, and of each sandbox that is ahead by its own.
 */
export type ListExpired = () => readonly Expired[];

/** The clocks of all accounts. */
export interface AccountClocks {
  readonly accountClock: AccountClock;
  readonly listExpired: ListExpired;
  /** How far the account's clock is ahead of the database's, milliseconds; 0 in the live environment. */
  aheadMs(accountId: AccountId): number;
}

/** Clocks of which none is ahead. */
export function clocksAt(clock: () => Date): AccountClocks {
  return { accountClock: clock, listExpired: () => [{ at: clock() }], aheadMs: () => 0 };
}
