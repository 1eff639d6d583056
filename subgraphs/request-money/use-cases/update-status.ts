import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { findMeant } from '../../partners/tenants/find-meant.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { ReadStatusUpdate, StatusUpdate } from '../commands/update-status.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';
import { applyStatusUpdate } from './apply-status-update.ts';
import { publishFailure } from './publish-events.ts';

/**
 * Applies an update to a money request of any tenant. The events of a failure are saved if the partner is known: where both
 * environments have the record, and the update names none, for the first one.
 * Failures: AMBIGUOUS_ENVIRONMENT, those of the body, REQUEST_MONEY_NOT_FOUND for an unknown partner, and those of {@link applyStatusUpdate}.
 */
export async function updateStatus(
  deps: RequestMoneyDeps,
  { update, ...named }: ReadStatusUpdate,
): Promise<Result<MoneyRequest>> {
  const meant = await findTenant(deps, named);
  const updated = update.ok ? await applyKnown(deps, meant, update.value) : update;
  if (updated.ok) {
    return updated;
  }
  const affected = meant.ok ? meant : await findTenant(deps, named, 1);
  if (affected.ok && affected.value) {
    const { referenceId } = named;
    const failed = { referenceId, stage: 'status_update', failures: updated.failures } as const;
    await publishFailure(deps, affected.value, failed);
  }
  return updated;
}

/** @param most how many accounts with the record to consider; of several none is meant */
async function findTenant(
  { tenants, moneyRequests }: RequestMoneyDeps,
  { partnerId, environment, referenceId }: Omit<ReadStatusUpdate, 'update'>,
  most = 2,
): Promise<Result<Tenant | undefined>> {
  if (partnerId === undefined) {
    return succeed(undefined);
  }
  return findMeant(tenants, { partnerId, environment }, async (accountIds) => {
    const having = referenceId === undefined ? [] : await moneyRequests.having(accountIds, referenceId);
    return having.slice(0, most);
  });
}

async function applyKnown(
  deps: RequestMoneyDeps,
  meant: Result<Tenant | undefined>,
  update: StatusUpdate,
): Promise<Result<MoneyRequest>> {
  if (!meant.ok) {
    return meant;
  }
  return meant.value ? applyStatusUpdate(deps, meant.value, update) : fail('REQUEST_MONEY_NOT_FOUND');
}
