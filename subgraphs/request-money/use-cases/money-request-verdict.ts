import {
  causeOfCancel,
  explainEnd,
  type FailureCause,
  reasonIn,
  type VerdictFacts,
  type VerdictSource,
} from '../../graph/verdict.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { MONEY_REQUEST_STATES } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';

/** The verdicts on money requests; the operation that fulfils one says more. */
export function moneyRequestVerdicts({
  moneyRequests,
}: Pick<RequestMoneyDeps, 'moneyRequests'>): VerdictSource {
  return {
    type: 'RequestMoney',
    read: async (accountId, ids) =>
      new Map(
        [...(await moneyRequests.findMany(accountId, ids))].map(([id, moneyRequest]) => [
          id,
          moneyRequest.operationId !== undefined
            ? { type: 'Operation', id: moneyRequest.operationId }
            : verdictOf(moneyRequest),
        ]),
      ),
  };
}

/** The cause and the reason of a rejected money request without an operation. */
export function explainRejection(rejected: Pick<MoneyRequest, 'status' | 'statusDetails'>): {
  readonly cause: FailureCause;
  readonly reason: string | null;
} {
  return explainEnd('REJECTED', givenDetails(rejected));
}

/** Details that are not the default of the status. */
function givenDetails({
  status,
  statusDetails,
}: Pick<MoneyRequest, 'status' | 'statusDetails'>): string | undefined {
  return statusDetails === MONEY_REQUEST_STATES[status].details ? undefined : statusDetails;
}

function verdictOf(moneyRequest: MoneyRequest): VerdictFacts {
  const { status, statusDetails, createdAt, updatedAt, expiresAt } = moneyRequest;
  const base = { since: updatedAt, actBy: null, reason: null, next: null };
  switch (status) {
    case 'pending':
      return { ...base, cause: 'WAITING_FOR_PAYER', since: createdAt, actBy: expiresAt };
    case 'processing':
      return { ...base, cause: 'PAYING' };
    case 'completed':
      return { ...base, cause: 'COMPLETED' };
    case 'rejected':
      return { ...base, ...explainRejection(moneyRequest), next: 'REQUEST_AGAIN' };
    case 'cancelled': {
      const cause = causeOfCancel(statusDetails);
      const reason = cause ? null : reasonIn(givenDetails(moneyRequest));
      return { ...base, cause: cause ?? 'CANCELLED', reason };
    }
  }
}
