import type { Model, QueryFilter } from 'mongoose';
import { TOO_FAR_MS } from '../clock/database-clock.ts';
import { toDocument } from '../database/document.ts';
import type { Claimable } from './claim.ts';

interface BringBackDeps<Document extends Claimable> {
  model: Model<Document>;
  /** The condition of documents that are not finished, and have a due time. */
  open: QueryFilter<Document>;
  clock: () => Date;
  /** How long a claim lasts, milliseconds. */
  leaseMs: number;
  /** The waits of the schedule, seconds. */
  retrySeconds: readonly number[];
  /** The longest wait that an answer can ask for, milliseconds. */
  longestWaitMs: number;
}

/** A document of the queue, as far as it matters here. */
type Waiting = Pick<Claimable, '_id' | 'tenantId' | 'nextAttemptAt' | 'leaseToken' | 'waitMs'>;

/** Most documents of one round; the next round has the rest. */
const AT_ONCE = 1_000;

/**
 * Brings back due times that lie further ahead than the schedule allows: those of a lease, or of the wait after the last
 * failure. A clock that was ahead for a moment has set them.
 * @returns how many
 */
export async function bringBack<Document extends Claimable>(deps: BringBackDeps<Document>): Promise<number> {
  const { model, open, leaseMs } = deps;
  const now = deps.clock().getTime();
  const found = await model
    .find({ ...open, ...toDocument({ $or: conditions(deps, now) }) })
    .limit(AT_ONCE)
    .select(['tenantId', 'nextAttemptAt', 'leaseToken', 'waitMs'])
    .lean<Waiting[]>();
  const late = found
    .map((waiting) => ({ ...waiting, inMs: Math.max(waiting.waitMs ?? 0, waiting.leaseToken ? leaseMs : 0) }))
    .filter(({ nextAttemptAt, inMs }) => nextAttemptAt.getTime() > now + inMs + TOO_FAR_MS);
  for (const { _id, tenantId, nextAttemptAt, inMs } of late) {
    const nearer = { $set: { nextAttemptAt: new Date(now + inMs) } };
    // The cast: the types of mongoose cannot tell the fields of a document whose type is a parameter.
    await model.updateOne(toDocument({ _id, tenantId, nextAttemptAt }), nearer as object);
  }
  return late.length;
}

/**
 * A condition for each range of waits, whose documents are due by its longest. (An expression over two fields would say it at
 * once; SecantusDB in Rust has none in filters.)
 */
function conditions<Document extends Claimable>(
  { leaseMs, retrySeconds, longestWaitMs }: BringBackDeps<Document>,
  now: number,
): object[] {
  const waits = [...new Set([0, ...retrySeconds.map((seconds) => seconds * 1_000), longestWaitMs])];
  const ascending = waits.sort((one, other) => one - other);
  const due = (waitMs: number) => ({
    nextAttemptAt: { $gt: new Date(now + Math.max(waitMs, leaseMs) + TOO_FAR_MS) },
  });
  return [
    { waitMs: { $exists: false }, ...due(0) },
    ...ascending.map((waitMs, index) => ({
      waitMs: { $gt: ascending[index - 1] ?? -1, $lte: waitMs },
      ...due(waitMs),
    })),
  ];
}
