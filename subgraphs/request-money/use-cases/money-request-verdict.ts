import {
  causeOfCancel,
  explainEnd,
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

function verdictOf({ status, statusDetails, createdAt, updatedAt, expiresAt }: MoneyRequest): VerdictFacts {
  const given = statusDetails === MONEY_REQUEST_STATES[status].details ? undefined : statusDetails;
  const base = { since: updatedAt, actBy: null, reason: null, next: null };
  switch (status) {
    case 'pending':
      return { ...base, cause: 'WAITING_FOR_PAYER', since: createdAt, actBy: expiresAt };
    case 'processing':
      return { ...base, cause: 'PAYING' };
    case 'completed':
      return { ...base, cause: 'COMPLETED' };
    case 'rejected':
      return { ...base, ...explainEnd('REJECTED', given), next: 'REQUEST_AGAIN' };
    case 'cancelled': {
      const cause = causeOfCancel(statusDetails);
      return { ...base, cause: cause ?? 'CANCELLED', reason: cause ? null : reasonIn(given) };
    }
  }
}
