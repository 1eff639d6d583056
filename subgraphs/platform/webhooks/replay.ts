import type { UpdateQuery } from 'mongoose';
import type { RunTransaction } from '../database/transaction.ts';
import type { UnitOfWork } from '../database/unit-of-work.ts';
import { fail, type Result, succeed } from '../errors/result.ts';
import { appendDeliveryEvents, type DeliveryEvents } from './delivery-events.ts';
import type { DeliveryDocument, DeliveryStatus, WebhookModels } from './model.ts';

export interface ReplayDeps {
  models: Pick<WebhookModels, 'deliveries'>;
  events: DeliveryEvents;
  transaction: RunTransaction;
  clock: () => Date;
  wake: (deliveryIds: readonly string[]) => void;
}

/** What is over may begin again. A PENDING one is tried as it is; PAUSED is the operator's word. */
const REPLAYABLE: readonly DeliveryStatus[] = ['DELIVERED', 'DEAD_LETTERED'];

/**
 * Has a delivery that is over sent again: the same id, address, secret and bytes, due now, its attempts counted anew.
 * Of two calls at once one fails, and so does a call while the delivery is being tried.
 * Failures: WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_NOT_REPLAYABLE.
 */
export async function replay(
  deps: ReplayDeps,
  tenantId: string,
  deliveryId: string,
): Promise<Result<DeliveryDocument>> {
  const replayed = await deps.transaction((unit) => replayWithin(deps, tenantId, deliveryId, unit));
  if (replayed.ok) {
    deps.wake([deliveryId]);
  }
  return replayed;
}

async function replayWithin(
  { models, events, clock }: ReplayDeps,
  tenantId: string,
  _id: string,
  unit: UnitOfWork,
): Promise<Result<DeliveryDocument>> {
  const found = await models.deliveries.findOne({ _id, tenantId }).session(unit.session).lean();
  if (!found) {
    return fail('WEBHOOK_DELIVERY_NOT_FOUND');
  }
  const { status: previousStatus, version: before, event } = found;
  if (!REPLAYABLE.includes(previousStatus)) {
    return fail(
      'WEBHOOK_DELIVERY_NOT_REPLAYABLE',
      `The delivery is ${previousStatus}; only one that is ${REPLAYABLE.join(' or ')} is sent again.`,
    );
  }
  const now = clock();
  const renewed = await models.deliveries
    .findOneAndUpdate({ _id, tenantId, status: previousStatus, version: before }, renewal(found, now), {
      session: unit.session,
      returnDocument: 'after',
    })
    .lean();
  if (!renewed) {
    throw new Error(`Delivery ${_id} changed within the transaction that read it`);
  }
  const { status, version, attempt, nextAttemptAt } = renewed;
  const change = {
    deliveryId: _id,
    tenantId,
    event,
    previousStatus,
    status,
    version,
    attempt,
    nextAttemptAt,
  };
  appendDeliveryEvents(events, [{ ...change, occurredAt: now }], unit);
  return succeed(renewed);
}

function renewal(
  { version, attempt, earlierAttempts }: DeliveryDocument,
  now: Date,
): UpdateQuery<DeliveryDocument> {
  return {
    $set: {
      status: 'PENDING',
      version: version + 1,
      nextAttemptAt: now,
      attempt: 0,
      earlierAttempts: earlierAttempts + attempt,
      claims: 0,
    },
    $unset: { leaseToken: 1, finishedAt: 1, lastError: 1, lastStatusCode: 1 },
  };
}
