import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { MoneyRequestWriting } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';
import { publishMove } from './publish-events.ts';

/**
 * Saves a move of a money request with its events and webhooks, in the caller's transaction, which has read `before`.
 * @param after the money request behind the move, one version later
 */
export function moveMoneyRequest(
  deps: MoneyRequestWriting,
  tenant: Tenant,
  { before, after }: { before: MoneyRequest; after: MoneyRequest },
  unit: UnitOfWork,
): void {
  deps.moneyRequests.move(after, { version: before.version }, unit);
  publishMove(deps, tenant, after, before.status, unit);
}
