import type { RequestContext } from '../../../subgraphs/platform/principal.ts';
import { type Engine, failRequest, onStreamEnd } from '../../engine/index.ts';

/** Why a subscription is not opened. */
export const tooManySubscriptions = (limit: number, where: string) =>
  failRequest('SUBSCRIPTION_LIMIT_EXCEEDED', `At most ${limit} subscriptions may be open ${where}.`);

/** So many open subscriptions, and who has them. */
export interface SubscriptionCount {
  /** Counts one more; the function that it returns counts it off again. Undefined when there are too many. */
  take(owner: object | string): (() => void) | undefined;
}

/** Counts up to `limit` for each owner, in this process. */
export function countSubscriptions(limit: number): SubscriptionCount {
  const open = new Map<object | string, number>();
  return {
    take(owner) {
      const count = open.get(owner) ?? 0;
      if (count >= limit) {
        return undefined;
      }
      open.set(owner, count + 1);
      return () => {
        const left = (open.get(owner) ?? 1) - 1;
        if (left === 0) {
          open.delete(owner);
        } else {
          open.set(owner, left);
        }
      };
    },
  };
}

/**
 * The same engine; a key has at most `limit` subscriptions open in this process, over whatever transport. One more is
 * refused with `SUBSCRIPTION_LIMIT_EXCEEDED`.
 */
export function limitSubscriptions(engine: Engine<RequestContext>, limit: number): Engine<RequestContext> {
  const counted = countSubscriptions(limit);
  return {
    ...engine,
    async subscribe(request, context) {
      const { principal } = context;
      if (principal === null) {
        return engine.subscribe(request, context);
      }
      const release = counted.take(principal.keyId);
      if (release === undefined) {
        return tooManySubscriptions(limit, 'for a key');
      }
      try {
        const result = await engine.subscribe(request, context);
        if (Symbol.asyncIterator in result) {
          return onStreamEnd(result, release);
        }
        release();
        return result;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
