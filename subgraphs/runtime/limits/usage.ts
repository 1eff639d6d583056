import type { Connection } from 'mongoose';
import { TOO_FAR_MS } from '../../kernel/clock/database-clock.ts';
import { createRateLimitModel, idOfUse } from './model.ts';
import type { RateLimit } from './rate-limiter.ts';

/** A caller's use of a limit. */
export interface LimitUse {
  readonly limit: RateLimit;
  /** As the limiter counts it: a key's id, or an account. */
  readonly caller: string;
}

/** Reads the calls of these callers within the windows of the limits, from the database, in one command. Other callers are absent. */
export type ReadUsage = (
  uses: readonly LimitUse[],
  now: Date,
) => Promise<(LimitUse & { readonly calls: number })[]>;

/**
 * Counts the calls that processes were granted: each process takes 1/250 of a limit at once, so a count is too high by a
 * fraction of the limit.
 */
export function createUsageReader(connection: Connection): ReadUsage {
  const model = createRateLimitModel(connection);
  return async (uses, now) => {
    const byId = new Map(uses.map((use) => [idOfUse(use.limit.name, use.caller), use]));
    const found = await model
      .find({ _id: { $in: [...byId.keys()] } })
      .select({ grants: 1 })
      .lean();
    return found.flatMap(({ _id, grants }) => {
      const use = byId.get(_id);
      if (use === undefined) {
        return [];
      }
      const opened = now.getTime() - use.limit.windowSeconds * 1000;
      const latest = now.getTime() + TOO_FAR_MS;
      const inWindow = grants.filter(({ at }) => at.getTime() > opened && at.getTime() <= latest);
      return { ...use, calls: inWindow.reduce((sum, { count }) => sum + count, 0) };
    });
  };
}
