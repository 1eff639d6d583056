import type { AccountId } from '../kernel/account.ts';
import type { AccountClocks } from '../kernel/clock/account-clock.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../kernel/errors/result.ts';
import { isOneOf } from '../kernel/objects.ts';
import { REPLAYABLE, type ReplayableStatus } from './bulk-replay-model.ts';
import { appendDeliveryEvents, type DeliveryChange, type DeliveryEvents } from './delivery-events.ts';
import type { DeliveryDocument, DeliveryStatus, WebhookModels } from './model.ts';

export interface ReplayDeps {
  models: Pick<WebhookModels, 'deliveries'>;
  events: DeliveryEvents;
  transaction: RunTransaction;
  clock: () => Date;
  clocks: Pick<AccountClocks, 'accountClock' | 'aheadMs'>;
  wake: (deliveryIds: readonly string[]) => void;
}

/**
 * Sends an ended delivery again: the same id, address, secret and bytes, due now, with its attempts counted from zero. It has
 * no order any more, because the following ones may have arrived long ago. Of two calls at once one fails, and so does a call
 * while the delivery is being tried. Failures: WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_NOT_REPLAYABLE.
 */
export async function replay(
  deps: ReplayDeps,
  accountId: AccountId,
  deliveryId: string,
): Promise<Result<DeliveryDocument>> {
  const replayed = await deps.transaction(async (unit) => {
    const [one] = await replayWithin(deps, accountId, [deliveryId], unit);
    return one ?? fail('WEBHOOK_DELIVERY_NOT_FOUND');
  });
  if (replayed.ok) {
    deps.wake([deliveryId]);
  }
  return replayed;
}

/**
 * Sends several again in the caller's transaction; the caller wakes the worker after the commit. @returns a result for each
 * of `deliveryIds`, in their order
 */
export async function replayWithin(
  { models, events, clock, clocks }: Pick<ReplayDeps, 'models' | 'events' | 'clock' | 'clocks'>,
  accountId: AccountId,
  deliveryIds: readonly string[],
  unit: UnitOfWork,
): Promise<Result<DeliveryDocument>[]> {
  const found = await models.deliveries
    .find({ _id: { $in: deliveryIds }, accountId })
    .session(unit.session)
    .lean();
  const byId = new Map(found.map((document) => [document._id, document]));
  const now = clock();
  const changes: DeliveryChange[] = [];
  const results = deliveryIds.map((id): Result<DeliveryDocument> => {
    const before = byId.get(id);
    if (!before || !isReplayable(before.status)) {
      return before ? notReplayable(before.status) : fail('WEBHOOK_DELIVERY_NOT_FOUND');
    }
    const renewed = renew(before, now);
    unit.update(models.deliveries, renewal(before, renewed));
    changes.push(toChange(before, renewed, clocks.accountClock(accountId)));
    return succeed(renewed);
  });
  appendDeliveryEvents(events, changes, unit);
  return results;
}

function isReplayable(status: DeliveryStatus): status is ReplayableStatus {
  return isOneOf(REPLAYABLE, status);
}

function notReplayable(status: DeliveryStatus): Result<never> {
  return fail(
    'WEBHOOK_DELIVERY_NOT_REPLAYABLE',
    `The delivery is ${status}; only one that is ${REPLAYABLE.join(' or ')} is sent again.`,
  );
}

/** The delivery to store. */
function renew(before: DeliveryDocument, now: Date): DeliveryDocument {
  const { leaseToken: _leaseToken, finishedAt: _finishedAt, ...kept } = before;
  const { lastError: _lastError, lastStatusCode: _lastStatusCode, order: _order, ...document } = kept;
  return {
    ...document,
    status: 'PENDING',
    version: before.version + 1,
    nextAttemptAt: now,
    attempt: 0,
    earlierAttempts: before.earlierAttempts + before.attempt,
    claims: 0,
  };
}

function renewal(before: DeliveryDocument, renewed: DeliveryDocument) {
  const { _id, accountId, status: previousStatus, version: previousVersion } = before;
  const { status, version, nextAttemptAt, attempt, earlierAttempts, claims } = renewed;
  return {
    filter: { _id, accountId, status: previousStatus, version: previousVersion },
    update: {
      $set: { status, version, nextAttemptAt, attempt, earlierAttempts, claims },
      $unset: { leaseToken: 1, finishedAt: 1, lastError: 1, lastStatusCode: 1, order: 1 },
    },
    otherwise: () => new Error(`Delivery ${_id} changed within the transaction that read it`),
  } as const;
}

function toChange(before: DeliveryDocument, renewed: DeliveryDocument, occurredAt: Date): DeliveryChange {
  const { _id: deliveryId, accountId, event, status: previousStatus, createdAt } = before;
  const { status, version, attempt, nextAttemptAt } = renewed;
  return {
    deliveryId,
    accountId,
    event,
    previousStatus,
    status,
    version,
    attempt,
    nextAttemptAt,
    occurredAt,
    createdAt,
  };
}
