import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { type Engine, failRequest, onStreamEnd, type SubscriptionResult } from '../../engine/index.ts';
import { countOpen } from './open-counts.ts';

const tooManySubscriptions = (limit: number, where: string) =>
  failRequest('SUBSCRIPTION_LIMIT_EXCEEDED', `At most ${limit} subscriptions may be open ${where}.`);

/** A limit of open subscriptions for each owner. */
interface SubscriptionLimit {
  /** Opens a subscription and counts it until it ends. Above the limit, it opens nothing and answers with an error. */
  open(owner: object | string, subscribe: () => Promise<SubscriptionResult>): Promise<SubscriptionResult>;
}

/** Makes a limit for this process. @param where the place of the subscriptions, for the client's message */
export function createSubscriptionLimit(limit: number, where: string): SubscriptionLimit {
  const counts = countOpen<object | string>(limit);
  return {
    async open(owner, subscribe) {
      if (!counts.take(owner)) {
        return tooManySubscriptions(limit, where);
      }
      try {
        const opened = await subscribe();
        if (Symbol.asyncIterator in opened) {
          return onStreamEnd(opened, () => counts.release(owner));
        }
        counts.release(owner);
        return opened;
      } catch (error) {
        counts.release(owner);
        throw error;
      }
    },
  };
}

/**
 * Limits an engine: a key has at most `limit` open subscriptions in this process, over all transports, and all keys, browser
 * tokens and sessions of a partner's environment have `partnerFactor` times as many. One more fails with
 * `SUBSCRIPTION_LIMIT_EXCEEDED`.
 */
export function limitSubscriptions(
  engine: Engine<RequestContext>,
  limit: number,
  partnerFactor: number,
): Engine<RequestContext> {
  const ofKeys = createSubscriptionLimit(limit, 'for a key');
  const ofPartners = createSubscriptionLimit(limit * partnerFactor, "for a partner's keys together");
  return {
    ...engine,
    // A copy would stay that of the first supergraph.
    get publicSchema() {
      return engine.publicSchema;
    },
    subscribe: (request, context) => {
      const subscribe = () => engine.subscribe(request, context);
      const { principal } = context;
      return principal === null
        ? subscribe()
        : ofKeys.open(principal.keyId, () => ofPartners.open(principal.accountId, subscribe));
    },
  };
}
