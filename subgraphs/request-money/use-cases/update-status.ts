import { fail, type Result } from '../../kernel/errors/result.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { ReadStatusUpdate, StatusUpdate } from '../commands/update-status.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';
import { applyStatusUpdate } from './apply-status-update.ts';
import { publishFailure } from './publish-events.ts';

/**
 * Applies an update to a money request of any tenant. The events of a failure are saved if the partner is known.
 * Failures: those of the body, REQUEST_MONEY_NOT_FOUND for an unknown partner, and those of {@link applyStatusUpdate}.
 */
export async function updateStatus(
  deps: RequestMoneyDeps,
  { update, partnerId, referenceId }: ReadStatusUpdate,
): Promise<Result<MoneyRequest>> {
  const tenant = await deps.tenants.find(partnerId ?? '');
  const updated = update.ok ? await applyKnown(deps, tenant, update.value) : update;
  if (!updated.ok && tenant) {
    await publishFailure(deps, tenant, { referenceId, stage: 'status_update', failures: updated.failures });
  }
  return updated;
}

async function applyKnown(
  deps: RequestMoneyDeps,
  tenant: Tenant | undefined,
  update: StatusUpdate,
): Promise<Result<MoneyRequest>> {
  return tenant ? applyStatusUpdate(deps, tenant, update) : fail('REQUEST_MONEY_NOT_FOUND');
}
