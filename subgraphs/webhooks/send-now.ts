import type { AccountId } from '../kernel/account.ts';
import { retryOnConflict } from '../kernel/database/transaction.ts';
import { fail, type Result, succeed } from '../kernel/errors/result.ts';
import type { EndpointStateDocument } from './endpoint-state.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';

interface SendNowDeps {
  models: Pick<WebhookModels, 'deliveries' | 'endpointStates'>;
  clock: () => Date;
  wake: (deliveryIds: readonly string[]) => void;
}

/**
 * Makes a delivery that waits for its next attempt due at once. It is the next of its attempts, not one more: when it fails, the
 * following one is due by the schedule. Nothing is sent beside a running attempt, before an earlier webhook of the same entity,
 * or to an endpoint that is held. Repeating the call has no effect until the attempt ends.
 * Failures: WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_NOT_WAITING, WEBHOOK_ENDPOINT_HELD.
 */
export async function sendNow(
  { models, clock, wake }: SendNowDeps,
  accountId: AccountId,
  deliveryId: string,
): Promise<Result<DeliveryDocument>> {
  const found = await models.deliveries.findOne({ _id: deliveryId, accountId }).lean();
  if (!found) {
    return fail('WEBHOOK_DELIVERY_NOT_FOUND');
  }
  const state = await models.endpointStates.findOne({ _id: found.endpoint, accountId }).lean();
  const refused = refuseWaiting(found) ?? refuseHeld(found, state);
  if (refused) {
    return refused;
  }
  const due = await retryOnConflict(() =>
    models.deliveries
      .findOneAndUpdate(
        {
          ...{ _id: deliveryId, accountId, status: 'PENDING', version: found.version },
          ...{ attempt: found.attempt, leaseToken: { $exists: false }, after: { $exists: false } },
        },
        { $min: { nextAttemptAt: clock() } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec(),
  );
  if (!due) {
    return fail('WEBHOOK_DELIVERY_NOT_WAITING', 'An attempt at this webhook has begun in this moment.');
  }
  wake([deliveryId]);
  return succeed(due);
}

function refuseWaiting({ status, leaseToken, after }: DeliveryDocument): Result<never> | undefined {
  if (status !== 'PENDING') {
    return fail('WEBHOOK_DELIVERY_NOT_WAITING', `The webhook is ${status}. Send it again with a replay.`);
  }
  if (after !== undefined) {
    return fail(
      'WEBHOOK_DELIVERY_NOT_WAITING',
      'The webhook waits until an earlier one about the same entity was delivered or dead-lettered (webhookOrdering).',
    );
  }
  return leaseToken === undefined
    ? undefined
    : fail('WEBHOOK_DELIVERY_NOT_WAITING', 'The webhook is being sent at this moment.');
}

function refuseHeld(
  { attempt }: DeliveryDocument,
  state: Pick<EndpointStateDocument, 'holds' | 'breaker'> | null,
): Result<never> | undefined {
  const holds = state?.holds ?? [];
  if (holds.includes('PAUSED')) {
    return fail('WEBHOOK_ENDPOINT_HELD', 'The endpoint is paused. Resume it, and its webhooks are sent.');
  }
  // A delivery that was tried before is sent while the breaker is open, as by the schedule.
  if (holds.includes('BREAKER') && attempt === 0) {
    const probe = state?.breaker.probeAt?.toISOString();
    return fail(
      'WEBHOOK_ENDPOINT_HELD',
      `The endpoint fails, so its new webhooks are kept until one is delivered to it.${probe ? ` The next probe is due at ${probe}.` : ''}`,
    );
  }
  return undefined;
}
