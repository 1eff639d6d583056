import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { findMeant } from '../../partners/tenants/find-meant.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { ReadStatusUpdate, StatusUpdate } from '../commands/update-status.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';
import { applyStatusUpdate } from './apply-status-update.ts';
import { publishFailure } from './publish-events.ts';

/**
 * Applies an update to a money request of any tenant. The events of a failure are saved if the partner is known, but those of
 * AMBIGUOUS_ENVIRONMENT: nobody knows which environment is meant, and nothing changes in either (decisions, section 8,
 * "Internal calls").
 * Failures: AMBIGUOUS_ENVIRONMENT, those of the body, REQUEST_MONEY_NOT_FOUND for an unknown partner, and those of {@link applyStatusUpdate}.
 */
export async function updateStatus(
  deps: RequestMoneyDeps,
  { update, referenceId, ...named }: ReadStatusUpdate,
): Promise<Result<MoneyRequest>> {
  const meant = await findTenant(deps, { update, ...named, referenceId });
  if (!meant.ok) {
    return meant;
  }
  const tenant = meant.value;
  const updated = update.ok ? await applyKnown(deps, tenant, update.value) : update;
  if (!updated.ok && tenant) {
    await publishFailure(deps, tenant, { referenceId, stage: 'status_update', failures: updated.failures });
  }
  return updated;
}

/**
 * An invalid update belongs to an account too: its events go there. If both have the record, it is that of the environment that the
 * deployment names first, whatever order the database answers in.
 */
async function findTenant(
  { tenants, moneyRequests }: RequestMoneyDeps,
  { update, partnerId, environment, referenceId }: ReadStatusUpdate,
): Promise<Result<Tenant | undefined>> {
  if (partnerId === undefined) {
    return succeed(undefined);
  }
  return findMeant(tenants, { partnerId, environment }, async (accountIds) => {
    const having = referenceId === undefined ? [] : await moneyRequests.having(accountIds, referenceId);
    return update.ok ? having : accountIds.filter((one) => having.includes(one)).slice(0, 1);
  });
}

async function applyKnown(
  deps: RequestMoneyDeps,
  tenant: Tenant | undefined,
  update: StatusUpdate,
): Promise<Result<MoneyRequest>> {
  return tenant ? applyStatusUpdate(deps, tenant, update) : fail('REQUEST_MONEY_NOT_FOUND');
}
