import type { AccountId } from '../kernel/account.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { NOT_DUE, type WebhookModels } from './model.ts';

interface AdvanceDeps {
  readonly models: Pick<WebhookModels, 'deliveries' | 'endpointStates'>;
  readonly clock: () => Date;
}

/**
 * Brings everything that an account's webhooks wait for nearer, as if `ms` had passed: next attempts, and the next probes of
 * failing endpoints. Deliveries that are being tried, and those that wait for the end of another one, stay as they are.
 */
export async function advanceWebhooks(
  { models, clock }: AdvanceDeps,
  accountId: AccountId,
  ms: number,
  unit: UnitOfWork,
): Promise<void> {
  const now = clock();
  const waiting = { $gt: now, $lt: NOT_DUE };
  const nearer = (at: Date) => new Date(Math.max(now.getTime(), at.getTime() - ms));
  const deliveries = await models.deliveries
    .find({ accountId, status: 'PENDING', leaseToken: { $exists: false }, nextAttemptAt: waiting })
    .select({ nextAttemptAt: 1 })
    .session(unit.session)
    .lean();
  for (const { _id, nextAttemptAt } of deliveries) {
    unit.update(models.deliveries, {
      filter: { _id, accountId },
      update: { $set: { nextAttemptAt: nearer(nextAttemptAt) } },
    });
  }
  const failing = await models.endpointStates
    .find({ accountId, 'breaker.probeAt': waiting })
    .select({ 'breaker.probeAt': 1 })
    .session(unit.session)
    .lean();
  for (const { _id, breaker } of failing) {
    if (breaker.probeAt) {
      unit.update(models.endpointStates, {
        filter: { _id, accountId },
        update: { $set: { 'breaker.probeAt': nearer(breaker.probeAt) } },
      });
    }
  }
}
