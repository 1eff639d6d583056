import { retryOnConflict } from '../../platform/database/transaction.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
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
 * @param moves events of the log about the same move
 */
export function publish(
  deps: Publishing,
  tenant: Tenant,
  events: readonly OutgoingEvent[],
  at: Date,
  unit: UnitOfWork,
  moves: readonly NewEvent[] = [],
): void {
  deps.events.append(moves, unit);
  deps.webhooks.enqueue(toDeliveries(tenant, events, at), unit);
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
  // Of two failures of one reference at once, both may make the order of its webhooks: the later one finds it then.
  await retryOnConflict(() => deps.transaction((unit) => publish(deps, tenant, events, at, unit)));
}
