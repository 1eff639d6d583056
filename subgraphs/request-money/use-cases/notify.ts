import type { ClientSession } from 'mongoose';
import type { Failure } from '../../platform/errors/result.ts';
import type { NewEvent } from '../../platform/events/index.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import { type OutgoingEvent, toDeliveries } from '../../platform/webhooks/publisher.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { summarizeFailures } from '../errors.ts';
import { failedEvents } from '../store/events.ts';

type Publishing = Pick<RequestMoneyDeps, 'webhooks' | 'events'>;

/**
 * Stores deliveries of events in the caller's transaction; answers their ids, to be nudged once it is committed.
 * @param moves the events of the log that tell of the same, written in one round trip with those of the deliveries
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

/** Tells the partner of a refusal: stored before the call answers (document 2, `operation_error`). */
export async function publishFailure(
  deps: Publishing & Pick<RequestMoneyDeps, 'transaction' | 'clock'>,
  tenant: Tenant,
  refused: {
    referenceId: string | undefined;
    stage: 'create' | 'status_update';
    failures: readonly Failure[];
  },
): Promise<void> {
  const events = failedEvents({
    partnerId: tenant.tenantId,
    referenceId: refused.referenceId,
    stage: refused.stage,
    failure: summarizeFailures(refused.failures),
  });
  const at = deps.clock();
  if (toDeliveries(tenant, events, at).length === 0) {
    return;
  }
  const ids = await deps.transaction((session) => publish(deps, tenant, events, at, session));
  deps.webhooks.wake(ids);
}
