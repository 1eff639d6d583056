import type { AccountId } from '../kernel/account.ts';
import { OPERATIONAL } from '../partners/tenants/endpoint-store.ts';
import type { WebhookModels } from './model.ts';

/** An endpoint whose breaker is not closed. */
interface OpenBreaker {
  /** Keyed digest of account and URL. */
  readonly endpoint: string;
  readonly since: Date;
}

/** A span of time by an account's clock: after the first, up to the second. */
interface Span {
  readonly after: Date;
  readonly upTo: Date;
}

/** Failures of an account's webhooks that operational events report. */
export interface Failures {
  openBreakers(accountId: AccountId): Promise<OpenBreaker[]>;
  /**
   * Ids of the deliveries that were dead-lettered in a span, oldest first, at most `most`. Those of operational events themselves are left
   * out: their receiver would get events about itself.
   */
  deadLetters(accountId: AccountId, span: Span, most: number): Promise<string[]>;
}

export function createFailures({
  deliveries,
  endpointStates,
}: Pick<WebhookModels, 'deliveries' | 'endpointStates'>): Failures {
  return {
    openBreakers: async (accountId) => {
      const found = await endpointStates.find({ accountId, holds: 'BREAKER' }).select({ breaker: 1 }).lean();
      return found.map(({ _id: endpoint, breaker }) => ({ endpoint, since: breaker.since }));
    },
    deadLetters: async (accountId, { after, upTo }, most) => {
      const found = await deliveries
        .find({
          accountId,
          status: 'DEAD_LETTERED',
          finishedAt: { $gt: after, $lte: upTo },
          endpointId: { $ne: OPERATIONAL },
        })
        .sort({ finishedAt: 1 })
        .limit(most)
        .select({ _id: 1 })
        .lean();
      return found.map(({ _id }) => _id);
    },
  };
}
