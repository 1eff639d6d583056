import { randomUUID } from 'node:crypto';
import type { Connection, Model, PipelineStage } from 'mongoose';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import { TOO_FAR_MS } from '../../kernel/clock/database-clock.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import { createRateLimitModel, idOfUse, type RateLimitDocument } from './model.ts';

/** At most `limit` calls of a caller within any `windowSeconds`. */
export interface RateLimit {
  /** The name of the limit. Calls under one name do not count for another. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Whether a call may go on, and how many more may follow it; otherwise the whole seconds to wait, at least 1. */
export type RateVerdict =
  | {
      readonly allowed: true;
      /**
       * Calls that are left within the next `resetSeconds`; more may be left after them. Exact for limits up to 250, an estimate of
       * this process above.
       */
      readonly remaining: number;
      /** Whole seconds until the oldest counted call leaves the window. */
      readonly resetSeconds: number;
    }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

export interface RateLimiter {
  /**
   * Counts a call of `caller` (a key's id). Limits up to 250 are exact in every process together; above, each process
   * takes 1/250 of the limit at once, so that ten of them keep it within 4 %. Without a promise where this process has calls
   * left. Rejects when the database cannot be reached.
   */
  take(limit: RateLimit, caller: string): RateVerdict | Promise<RateVerdict>;
  /** Whether this process knows that the database would reject the next call; it counts nothing, and reads nothing. */
  peek(limit: RateLimit, caller: string): RateVerdict;
}

interface RateLimiterDeps {
  connection: Connection;
  clock?: () => Date;
}

/** A limit has so many shares; each share costs one write. */
const SHARES = 250;
const MOST_CALLERS = 50_000;

interface LocalBudget {
  /** The limit that all of this is about. */
  readonly limit: number;
  /** Calls granted and not used yet; good until `until`. */
  left: number;
  until: number;
  /** Calls that the last grant left to all processes. */
  ungranted: number;
  /** When the oldest grant that the last one counted leaves the window. */
  restoredAt: number;
  /** Until then the database need not be queried: it would reject the call. */
  rejectedUntil: number;
  /** The query that is under way. */
  granting: Promise<void> | undefined;
}

/** Sliding windows that all processes share through the database, one small document a caller and limit. */
export function createRateLimiter({ connection, clock = () => new Date() }: RateLimiterDeps): RateLimiter {
  const model = createRateLimitModel(connection);
  const budgets = createBoundedCache<LocalBudget>(MOST_CALLERS);
  /** After a change of the limit nothing is known: a rejection by the former limit must not outlast it. */
  const knownOf = ({ limit }: RateLimit, id: string) => {
    const budget = budgets.get(id);
    return budget?.limit === limit ? budget : undefined;
  };
  return {
    take: (limit, caller) => {
      const id = idOfUse(limit.name, caller);
      const known = knownOf(limit, id);
      const budget = known ?? newBudget(limit);
      if (!known) {
        budgets.set(id, budget);
      }
      return takeFrom(budget, clock()) ?? takeLater(limit, id, budget);
    },
    peek: (limit, caller) => {
      const budget = knownOf(limit, idOfUse(limit.name, caller)) ?? newBudget(limit);
      const now = clock().getTime();
      return rejectionOf(budget, now) ?? allowedBy(budget, now);
    },
  };

  async function takeLater(limit: RateLimit, id: string, budget: LocalBudget): Promise<RateVerdict> {
    for (;;) {
      budget.granting ??= requestGrant(model, limit, id, budget, clock().getTime()).finally(() => {
        budget.granting = undefined;
      });
      await budget.granting;
      const verdict = takeFrom(budget, clock());
      if (verdict) {
        return verdict;
      }
    }
  }
}

/** The knowledge of a process about a caller before it has asked the database. */
function newBudget({ limit }: RateLimit): LocalBudget {
  return { limit, left: 0, until: 0, ungranted: limit, restoredAt: 0, rejectedUntil: 0, granting: undefined };
}

function allowedBy({ left, ungranted, restoredAt }: LocalBudget, now: number): RateVerdict {
  return {
    allowed: true,
    remaining: left + ungranted,
    resetSeconds: Math.max(0, Math.ceil((restoredAt - now) / 1000)),
  };
}

/** The verdict that this process can give; undefined when it must read the database. */
function takeFrom(budget: LocalBudget, time: Date): RateVerdict | undefined {
  const now = time.getTime();
  if (budget.left > 0 && now < budget.until) {
    budget.left -= 1;
    return allowedBy(budget, now);
  }
  return rejectionOf(budget, now);
}

function rejectionOf({ rejectedUntil }: LocalBudget, now: number): RateVerdict | undefined {
  return now < rejectedUntil
    ? { allowed: false, retryAfterSeconds: Math.ceil((rejectedUntil - now) / 1000) }
    : undefined;
}

async function requestGrant(
  model: Model<RateLimitDocument>,
  { limit, windowSeconds }: RateLimit,
  id: string,
  budget: LocalBudget,
  now: number,
): Promise<void> {
  const windowMs = windowSeconds * 1000;
  const share = Math.max(1, Math.floor(limit / SHARES));
  const { grants, granted } = await grant(model, id, { limit, share, windowMs, now });
  const oldest = grants[0]?.at.getTime() ?? now;
  // A rejection ends, whatever the clocks of the processes say.
  const restoredAt = Math.min(Math.max(oldest + windowMs, now + 1), now + windowMs);
  budget.left = granted;
  budget.ungranted = Math.max(0, limit - grants.reduce((sum, { count }) => sum + count, 0));
  budget.restoredAt = restoredAt;
  if (granted > 0) {
    budget.until = now + windowMs;
  } else {
    budget.rejectedUntil = restoredAt;
  }
}

/** The sum of the grants. (SecantusDB returns 0 for `$sum` over a path.) */
const USED = {
  $reduce: { input: '$grants', initialValue: 0, in: { $add: ['$$value', '$$this.count'] } },
};

/** One call as one write: drops the calls that have left the window, and grants a part of the calls that are left. */
async function grant(
  model: Model<RateLimitDocument>,
  id: string,
  wanted: { limit: number; share: number; windowMs: number; now: number },
): Promise<RateLimitDocument> {
  const now = new Date(wanted.now);
  const opened = new Date(wanted.now - wanted.windowMs);
  const latest = new Date(wanted.now + TOO_FAR_MS);
  const expireAt = new Date(wanted.now + wanted.windowMs);
  const token = randomUUID();
  const steps = [
    {
      $set: {
        grants: {
          $filter: {
            input: { $ifNull: ['$grants', []] },
            as: 'grant',
            // A clock that was ahead may have made grants of the future: they count for nobody.
            cond: { $and: [{ $gt: ['$$grant.at', opened] }, { $lte: ['$$grant.at', latest] }] },
          },
        },
      },
    },
    {
      $set: {
        token,
        expireAt,
        granted: {
          $max: [0, { $min: [wanted.share, { $subtract: [wanted.limit, USED] }] }],
        },
      },
    },
    {
      $set: {
        grants: {
          $cond: [
            { $gt: ['$granted', 0] },
            { $concatArrays: ['$grants', [{ at: now, count: '$granted' }]] },
            '$grants',
          ],
        },
      },
    },
  ];
  // Made by an insert, not by an upsert: of two upserts at once SecantusDB writes both and
  // answers only one.
  return retryOnConflict(async () => {
    const written = await update(model, id, steps);
    if (written) {
      return written;
    }
    await model.create({ _id: id, grants: [], granted: 0, token, expireAt });
    return grant(model, id, wanted);
  });
}

function update(model: Model<RateLimitDocument>, _id: string, steps: PipelineStage.Set[]) {
  return model
    .findOneAndUpdate({ _id }, steps, { returnDocument: 'after', updatePipeline: true })
    .lean()
    .exec();
}
