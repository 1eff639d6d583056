import type { Model, QueryFilter } from 'mongoose';
import { TOO_FAR_MS } from '../../kernel/clock/database-clock.ts';
import { toDocument } from '../../kernel/database/document.ts';
import type { Claimable } from './claim.ts';

interface BringBackDeps<Document extends Claimable> {
  model: Model<Document>;
  /** The condition of documents that are not finished. */
  open: QueryFilter<Document>;
  /** The order of the index that has them with their due times: the search follows it. */
  order: Readonly<Record<string, 1 | -1>>;
  /** The due time of documents that wait for something else than a time; absent where none does. */
  never?: Date;
  clock: () => Date;
  /** How long a claim lasts, milliseconds. */
  leaseMs: number;
  /** The waits of the schedule, seconds. */
  retrySeconds: readonly number[];
  /** The longest wait that an answer can ask for, milliseconds. */
  longestWaitMs: number;
}

/** A document of the queue, as far as it matters here. */
type Waiting = Pick<Claimable, '_id' | 'accountId' | 'nextAttemptAt' | 'leaseToken' | 'waitMs'>;

/** Most documents of one round; the next round has the rest. */
const AT_ONCE = 1_000;

/**
 * Brings back due times that lie further ahead than the schedule allows: those of a lease, or of the wait after the last
 * failure. A clock that was ahead for a moment has set them.
 * @returns how many
 */
export async function bringBack<Document extends Claimable>(deps: BringBackDeps<Document>): Promise<number> {
  const { model, open, order, never, leaseMs } = deps;
  const now = deps.clock().getTime();
  // Every wait is judged as if it were at least a lease. So the index leaves out all documents that are due before that.
  const nextAttemptAt = { ...dueAfter(now + leaseMs), ...(never ? { $lt: never } : {}) };
  const found = await model
    .find({ ...open, ...toDocument({ nextAttemptAt, $or: conditions(deps, now) }) })
    .sort(order)
    .limit(AT_ONCE)
    .select(['accountId', 'nextAttemptAt', 'leaseToken', 'waitMs'])
    .lean<Waiting[]>();
  const late = found
    .map((waiting) => ({ ...waiting, inMs: Math.max(waiting.waitMs ?? 0, waiting.leaseToken ? leaseMs : 0) }))
    .filter(({ nextAttemptAt, inMs }) => nextAttemptAt.getTime() > now + inMs + TOO_FAR_MS);
  for (const { _id, accountId, nextAttemptAt, inMs } of late) {
    const nearer = { $set: { nextAttemptAt: new Date(now + inMs) } };
    // The cast: the types of mongoose cannot express the fields of a document whose type is a parameter.
    await model.updateOne(toDocument({ _id, accountId, nextAttemptAt }), nearer as object);
  }
  return late.length;
}

/**
 * A condition for each range of waits, whose documents are due by its longest. (An expression over two fields would say it at
 * once; SecantusDB in Rust rejects a filter that computes with times.)
 */
function conditions<Document extends Claimable>(
  { leaseMs, retrySeconds, longestWaitMs }: BringBackDeps<Document>,
  now: number,
): object[] {
  const waits = [...new Set([0, ...retrySeconds.map((seconds) => seconds * 1_000), longestWaitMs])];
  const ascending = waits.sort((one, other) => one - other);
  const due = (waitMs: number) => ({ nextAttemptAt: dueAfter(now + Math.max(waitMs, leaseMs)) });
  return [
    { waitMs: { $exists: false }, ...due(0) },
    ...ascending.map((waitMs, index) => ({
      waitMs: { $gt: ascending[index - 1] ?? -1, $lte: waitMs },
      ...due(waitMs),
    })),
  ];
}

function dueAfter(time: number): { $gt: Date } {
  return { $gt: new Date(time + TOO_FAR_MS) };
}
