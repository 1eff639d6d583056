import { retryOnConflict } from '../../kernel/database/transaction.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import type { CancelRequestMoney } from '../commands/cancel-request-money.ts';
import type { MoneyRequestWriting, RequestMoneyDeps } from '../deps.ts';
import { MONEY_REQUEST_STATES } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';
import { moveMoneyRequest } from './move-money-request.ts';

const CANCELLED_BY_PARTNER = 'CancelledByPartner';

/**
 * Cancels a money request for its partner, with the events and webhooks of the move, in one transaction (decisions, section 8,
 * "Cancelling by the partner"). A pending money request has no operation yet. Once the payer pays, only the platform's own back
 * end can stop the payment. A cancelled or expired money request stays as it is.
 * Failures: REQUEST_MONEY_NOT_FOUND; INVALID_TRANSITION for a status that the partner may not cancel.
 */
export function cancelMoneyRequest(
  deps: MoneyRequestWriting & Pick<RequestMoneyDeps, 'transaction' | 'accountClock'>,
  tenant: Tenant,
  referenceId: string,
  { reason }: CancelRequestMoney,
): Promise<Result<MoneyRequest>> {
  // Another transaction may create the order of the webhooks of this money request first: the next attempt finds it.
  return retryOnConflict(() =>
    deps.transaction(async (unit) => {
      const moneyRequest = await deps.moneyRequests.find(tenant.accountId, referenceId, unit);
      if (!moneyRequest) {
        return fail('REQUEST_MONEY_NOT_FOUND');
      }
      const { status } = moneyRequest;
      if (status === 'cancelled') {
        return succeed(moneyRequest);
      }
      if (!MONEY_REQUEST_STATES[status].isCancellable) {
        return fail('INVALID_TRANSITION', `A request that is ${status} cannot be cancelled.`);
      }
      const cancelled: MoneyRequest = {
        ...moneyRequest,
        status: 'cancelled',
        statusDetails: reason ?? CANCELLED_BY_PARTNER,
        version: moneyRequest.version + 1,
        updatedAt: deps.accountClock(tenant.accountId),
      };
      moveMoneyRequest(deps, tenant, { before: moneyRequest, after: cancelled }, unit);
      return succeed(cancelled);
    }),
  );
}
