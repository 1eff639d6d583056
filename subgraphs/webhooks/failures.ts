import type { AccountId } from '../kernel/account.ts';
import { OPERATIONAL } from '../partners/tenants/endpoint-store.ts';
import type { WebhookModels } from './model.ts';

/** An endpoint whose breaker is not closed. */
interface OpenBreaker {
  /** Keyed digest of account and URL. */
  readonly endpoint: string;
  readonly since: Date;
}

/** A delivery that has used up its attempts. */
interface DeadLetter {
  readonly deliveryId: string;
  /** By the account's clock. */
  readonly finishedAt: Date;
}

/** Failures of an account's webhooks that operational events report. */
export interface Failures {
  openBreakers(accountId: AccountId): Promise<OpenBreaker[]>;
  /**
   * Deliveries that were dead-lettered after a time of the account's clock, the first `most` of them. Those of operational events
   * themselves are left out: their receiver would get events about itself.
   */
  deadLetters(accountId: AccountId, after: Date, most: number): Promise<DeadLetter[]>;
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
    deadLetters: async (accountId, after, most) => {
      const found = await deliveries
        .find({
          accountId,
          status: 'DEAD_LETTERED',
          finishedAt: { $gt: after },
          endpointId: { $ne: OPERATIONAL },
        })
        .sort({ finishedAt: 1 })
        .limit(most)
        .select({ finishedAt: 1 })
        .lean();
      return found.flatMap(({ _id: deliveryId, finishedAt }) =>
        finishedAt === undefined ? [] : { deliveryId, finishedAt },
      );
    },
  };
}
