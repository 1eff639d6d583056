import type { ClientSession } from 'mongoose';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { NewEvent } from '../../platform/events/index.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import { type OutgoingEvent, toDeliveries } from '../../platform/webhooks/publisher.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { summarizeRefusals } from '../errors.ts';
import { refusedEvents } from '../store/events.ts';

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
export async function publishRefusal(
  deps: Publishing & Pick<RequestMoneyDeps, 'transaction' | 'clock'>,
  tenant: Tenant,
  refused: {
    referenceId: string | undefined;
    stage: 'create' | 'status_update';
    refusals: readonly Refusal[];
  },
): Promise<void> {
  const events = refusedEvents({
    partnerId: tenant.tenantId,
    referenceId: refused.referenceId,
    stage: refused.stage,
    refusal: summarizeRefusals(refused.refusals),
  });
  const at = deps.clock();
  if (toDeliveries(tenant, events, at).length === 0) {
    return;
  }
  const ids = await deps.transaction((session) => publish(deps, tenant, events, at, session));
  deps.webhooks.nudge(ids);
}
