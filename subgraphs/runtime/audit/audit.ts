import type { AccountId } from '../../kernel/account.ts';

/** A rule that records of an account break. */
export interface Violation {
  /** The name of the check. */
  readonly check: string;
  readonly accountId: AccountId;
  /** The record, by the id that partners know. */
  readonly record: string;
  readonly text: string;
}

/** A time of an account's records. */
interface AuditRange {
  readonly from: Date;
  readonly before: Date;
}

/** The findings of a check in a batch of records. */
export interface Audited {
  readonly examined: number;
  readonly found: readonly Pick<Violation, 'record' | 'text'>[];
}

/** A rule that holds for all records of an account at any time. */
export interface Check {
  readonly name: string;
  /** Examines the records that changed in a time, in bounded batches. */
  examine(accountId: AccountId, range: AuditRange): AsyncIterable<Audited>;
}

/** A batch of an audit that was done. */
export interface AuditProgress {
  readonly check: string;
  readonly accountId: AccountId;
  /** The accounts that are done, and all of them. */
  readonly done: number;
  readonly accounts: number;
  readonly examined: number;
  readonly violations: readonly Violation[];
}

/** Runs all checks over accounts, one after the other, until the signal aborts. It only reads. */
export async function* runAudit(
  checks: readonly Check[],
  accountIds: readonly AccountId[],
  rangeOf: (accountId: AccountId) => AuditRange,
  signal: AbortSignal,
): AsyncGenerator<AuditProgress> {
  for (const [done, accountId] of accountIds.entries()) {
    for (const { name: check, examine } of checks) {
      for await (const { examined, found } of examine(accountId, rangeOf(accountId))) {
        const violations = found.map(({ record, text }) => ({ check, accountId, record, text }));
        yield { check, accountId, done, accounts: accountIds.length, examined, violations };
        if (signal.aborted) {
          return;
        }
      }
    }
  }
}
