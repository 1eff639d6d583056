import type { ClientSession } from 'mongoose';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { Tenant } from '../platform/tenants/service.ts';
import { type OutgoingEvent, toDeliveries } from '../platform/webhooks/publisher.ts';
import type { RequestMoneyDeps } from './deps.ts';
import { summarizeRefusals } from './errors.ts';
import { refusedEvents } from './events.ts';

type Publishing = Pick<RequestMoneyDeps, 'webhooks'>;

/** Stores deliveries of events in the caller's transaction; answers their ids, to be nudged once it is committed. */
export async function publish(
  { webhooks }: Publishing,
  tenant: Tenant,
  events: readonly OutgoingEvent[],
  at: Date,
  session: ClientSession,
): Promise<string[]> {
  const deliveries = toDeliveries(tenant, events, at);
  return deliveries.length === 0 ? [] : webhooks.enqueue(deliveries, session);
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
