import type { ClientSession } from 'mongoose';
import type { Failure } from '../../platform/errors/result.ts';
import type { NewEvent } from '../../platform/events/index.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import { type OutgoingEvent, toDeliveries } from '../../platform/webhooks/publisher.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { summarizeFailures } from '../errors.ts';
import { failedEvents } from './partner-events.ts';

type Publishing = Pick<RequestMoneyDeps, 'webhooks' | 'events'>;

/**
 * Saves deliveries of events in the caller's transaction.
 * @param moves events of the log about the same move, saved in one round trip with those of the deliveries
 * @returns the ids of the deliveries: wake the webhooks with them once the transaction is committed
 */
export async function publish(
  deps: Publishing,
  tenant: Tenant,
  events: readonly OutgoingEvent[],
  at: Date,
  session: ClientSession,
  moves: readonly NewEvent[] = [],
): Promise<string[]> {
  const deliveries = toDeliveries(tenant, events, at);
  if (deliveries.length > 0) {
    return deps.webhooks.enqueue(deliveries, session, moves);
  }
  if (moves.length > 0) {
    await deps.events.append([...moves], session);
  }
  return [];
}

/** Saves the events of a failed call for the partner, before the call answers (document 2, `operation_error`). */
export async function publishFailure(
  deps: Publishing & Pick<RequestMoneyDeps, 'transaction' | 'clock'>,
  tenant: Tenant,
  failed: {
    referenceId: string | undefined;
    stage: 'create' | 'status_update';
    failures: readonly Failure[];
  },
): Promise<void> {
  const events = failedEvents({
    partnerId: tenant.tenantId,
    referenceId: failed.referenceId,
    stage: failed.stage,
    failure: summarizeFailures(failed.failures),
  });
  const at = deps.clock();
  if (toDeliveries(tenant, events, at).length === 0) {
    return;
  }
  const ids = await deps.transaction((session) => publish(deps, tenant, events, at, session));
  deps.webhooks.wake(ids);
}
