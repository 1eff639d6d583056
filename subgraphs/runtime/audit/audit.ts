import type { Model } from 'mongoose';
import { pause } from '../../kernel/abort.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';

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
  examine(accountId: AccountId, range: AuditRange, signal: AbortSignal): AsyncIterable<Audited>;
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
      for await (const { examined, found } of examine(accountId, rangeOf(accountId), signal)) {
        const violations = found.map(({ record, text }) => ({ check, accountId, record, text }));
        yield { check, accountId, done, accounts: accountIds.length, examined, violations };
        if (signal.aborted) {
          return;
        }
      }
    }
  }
}

/**
 * Records change while they are examined, and a record is read before what belongs to it. A broken rule is broken after this time,
 * too, in milliseconds.
 */
const CONFIRM_MS = 2_000;
/** Most records of a batch. */
const BATCH = 200;

/** Waits before something that was found is examined again. */
export function pauseToConfirm(signal: AbortSignal): Promise<void> {
  return pause(CONFIRM_MS, signal);
}

/** Examines again, a moment later, where something was found. */
export async function confirmed<Found>(
  examine: () => Promise<readonly Found[]>,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const found = await examine();
  if (found.length === 0) {
    return found;
  }
  await pauseToConfirm(signal);
  return examine();
}

/** The fields of every record that is found by time. */
interface Listed {
  readonly _id: string;
  readonly createdAt: Date;
  readonly updatedAt?: Date;
}

/** The records of a collection, and the rules for them. */
interface RecordRules<Stored extends Listed> {
  readonly name: string;
  readonly model: Model<Stored>;
  /** The time by which records are found; with the account it begins an index, and the id ends it. */
  readonly time: Stored extends { readonly updatedAt: Date } ? 'createdAt' | 'updatedAt' : 'createdAt';
  /** Conditions that the index needs. */
  readonly filter?: object;
  /** The id of a record that partners know. */
  labelOf(record: Stored): string;
  /** The broken rules of records, by `_id`. */
  judge(accountId: AccountId, records: readonly Stored[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** A check of the records of a collection by the time of their last change, oldest first. */
export function checkRecords<Stored extends Listed>(rules: RecordRules<Stored>): Check {
  const { name, model, time, filter = {}, labelOf, judge } = rules;
  const findings = async (accountId: AccountId, records: readonly Stored[]) => {
    const texts = await judge(accountId, records);
    return records.flatMap((record) =>
      (texts.get(record._id) ?? []).map((text) => ({ record: labelOf(record), text, id: record._id })),
    );
  };
  const again = (accountId: AccountId, ids: readonly string[]) =>
    findPlain<Stored>(model, toDocument({ accountId, _id: { $in: [...new Set(ids)] } }), {});
  return {
    name,
    async *examine(accountId, { from, before }, signal) {
      for (let last = { at: from, id: '' }; ; ) {
        const behind = [{ [time]: { $gt: last.at } }, { [time]: last.at, _id: { $gt: last.id } }];
        const read = { accountId, ...filter, [time]: { $gte: last.at, $lt: before }, $or: behind };
        const records = await findPlain<Stored>(model, toDocument(read), {
          sort: { [time]: 1, _id: 1 },
          limit: BATCH,
        });
        const end = records.at(-1);
        if (end === undefined) {
          return;
        }
        let suspects: readonly Stored[] = records;
        const found = await confirmed(async () => {
          const broken = await findings(accountId, suspects);
          suspects = await again(
            accountId,
            broken.map(({ id }) => id),
          );
          return broken;
        }, signal);
        yield { examined: records.length, found };
        last = { at: (time === 'updatedAt' && end.updatedAt) || end.createdAt, id: end._id };
      }
    },
  };
}
