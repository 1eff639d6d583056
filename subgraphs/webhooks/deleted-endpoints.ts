import type { AccountId } from '../kernel/account.ts';
import type { AccountClocks } from '../kernel/clock/account-clock.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import { appendDeliveryEvents, type DeliveryChange, type DeliveryEvents } from './delivery-events.ts';
import type { EndpointStateDocument, Hold } from './endpoint-state.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';
import type { DeliveryOrder } from './order.ts';

/** Ends the deliveries that waited for endpoints which were deleted. */
export interface DeletedEndpoints {
  /**
   * Dead-letters them with the reason `endpoint_deleted`, batch by batch, until none is left or the signal aborts. Nothing is sent
   * meanwhile, because the endpoints are held. An attempt that runs ends normally; its retry is dead-lettered by the next call.
   * An endpoint whose URL the account uses again is held no more. Two calls at once do it once.
   */
  work(signal: AbortSignal): Promise<void>;
}

interface DeletedEndpointsDeps {
  models: Pick<WebhookModels, 'deliveries' | 'endpointStates'>;
  tenants: Pick<Tenants, 'find'>;
  identify: (accountId: AccountId, url: string) => string;
  events: DeliveryEvents;
  order: Pick<DeliveryOrder, 'leave'>;
  transaction: RunTransaction;
  clock: () => Date;
  clocks: Pick<AccountClocks, 'accountClock'>;
}

/** Most deliveries in one transaction. */
const BATCH = 100;
/** Every process knows by then that the endpoint was deleted: partners are read again every 2 s, and held endpoints each second. */
const KNOWN_AFTER_MS = 5_000;
/** Nothing that began before the deletion still runs by then: an attempt, its record and a stored change take less. */
const OVER_AFTER_MS = 5 * 60_000;
const DELETED: Hold = 'DELETED';

export function createDeletedEndpoints(deps: DeletedEndpointsDeps): DeletedEndpoints {
  return { work: (signal) => work(deps, signal) };
}

async function work(deps: DeletedEndpointsDeps, signal: AbortSignal): Promise<void> {
  const { endpointStates } = deps.models;
  const now = deps.clock().getTime();
  const closed = await endpointStates.find({ holds: DELETED }).lean();
  for (const state of closed) {
    const { _id, accountId, deletedAt } = state;
    const age = deletedAt ? now - deletedAt.getTime() : 0;
    if (!deletedAt || signal.aborted || age < KNOWN_AFTER_MS) {
      continue;
    }
    if (await isUsed(deps, state)) {
      await endpointStates.updateOne(
        { _id, accountId },
        { $unset: { deletedAt: 1 }, $pull: { holds: DELETED } },
      );
      continue;
    }
    while (!signal.aborted && (await endBatch(deps, state))) {
      // The next batch.
    }
    if (!signal.aborted && age >= OVER_AFTER_MS) {
      await endpointStates.deleteOne({ _id, accountId, holds: DELETED, deletedAt });
    }
  }
}

/** Whether one of the account's endpoints has the URL. */
async function isUsed(
  { tenants, identify }: DeletedEndpointsDeps,
  { _id, accountId }: EndpointStateDocument,
): Promise<boolean> {
  const tenant = await tenants.find(accountId);
  const urls = [tenant?.webhookUrl, ...(tenant?.webhookEndpoints ?? []).map(({ url }) => url)];
  return urls.some((url) => url && identify(accountId, url) === _id);
}

/** @returns whether there may be more */
async function endBatch(deps: DeletedEndpointsDeps, state: EndpointStateDocument): Promise<boolean> {
  const { models, transaction, events, order, clock, clocks } = deps;
  const { _id: endpoint, accountId } = state;
  const waiting = { status: 'PENDING', endpoint, accountId, leaseToken: { $exists: false } } as const;
  return transaction(async (unit) => {
    const found = await models.deliveries.find(waiting).limit(BATCH).session(unit.session).lean();
    const finishedAt = clocks.accountClock(accountId);
    const changes = found.map((document) => toChange(document, finishedAt));
    for (const { deliveryId: _id, status, version, errorClass: lastError } of changes) {
      unit.update(models.deliveries, {
        filter: { _id, ...waiting },
        update: {
          $set: { status, version, lastError, finishedAt },
          $unset: { order: 1, after: 1, lastStatusCode: 1 },
        },
        otherwise: () => new Error(`Delivery ${_id} changed within the transaction that read it`),
      });
    }
    await order.leave(found, clock(), unit);
    appendDeliveryEvents(events, changes, unit);
    return found.length === BATCH;
  });
}

function toChange(document: DeliveryDocument, occurredAt: Date) {
  const { _id: deliveryId, accountId, event, attempt, version, createdAt } = document;
  return {
    ...{ deliveryId, accountId, event, attempt, createdAt, occurredAt },
    previousStatus: 'PENDING',
    status: 'DEAD_LETTERED',
    version: version + 1,
    errorClass: 'endpoint_deleted',
  } as const satisfies DeliveryChange;
}
