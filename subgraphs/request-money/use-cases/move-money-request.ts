import type { FailureCause } from '../../graph/verdict.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { MoneyRequestWriting } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';
import { explainRejection } from './money-request-verdict.ts';
import { publishMove } from './publish-events.ts';

interface Move {
  readonly before: MoneyRequest;
  /** The money request behind the move, one version later. */
  readonly after: MoneyRequest;
  /** The cause with which its operation has failed in the same transaction; absent otherwise. */
  readonly failureCause?: FailureCause | undefined;
}

/**
 * Saves a move of a money request with its events and webhooks, in the caller's transaction, which has read `before`. A rejected one
 * gets the cause of its rejection.
 * @returns the money request as it is then
 */
export function moveMoneyRequest(
  deps: MoneyRequestWriting,
  tenant: Tenant,
  { before, after, failureCause }: Move,
  unit: UnitOfWork,
): MoneyRequest {
  const moved =
    after.status === 'rejected'
      ? { ...after, failureCause: failureCause ?? explainRejection(after).cause }
      : after;
  deps.moneyRequests.move(moved, { version: before.version }, unit);
  publishMove(deps, tenant, moved, before.status, unit);
  return moved;
}
