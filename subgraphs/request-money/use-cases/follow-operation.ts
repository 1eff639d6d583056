import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import {
  type FulfilledMoneyRequestStatus,
  MONEY_REQUEST_STATUS_OF,
  type MovedOperation,
} from '../../operations/index.ts';
import type { MoneyRequestWriting, RequestMoneyDeps } from '../deps.ts';
import { illegalMove } from '../errors.ts';
import { classifyMove, MONEY_REQUEST_STATES } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';
import { moveMoneyRequest } from './move-money-request.ts';

/**
 * `FulfilledMoneyRequests.followOperation` of the operations slice (decisions, section 7, "An ask and its fulfilling
 * operation").
 */
export async function followOperation(
  deps: MoneyRequestWriting & { tenants: Pick<RequestMoneyDeps['tenants'], 'find'> },
  moved: MovedOperation,
  unit: UnitOfWork,
): Promise<Result<void>> {
  const { accountId, referenceId } = moved;
  const [moneyRequest, tenant] = [
    await deps.moneyRequests.find(accountId, referenceId, unit),
    await deps.tenants.find(accountId),
  ];
  if (!(moneyRequest && tenant)) {
    throw new Error(`An operation fulfils a request that is not there: ${referenceId}`);
  }
  const status = MONEY_REQUEST_STATUS_OF[moved.status];
  switch (classifyMove(moneyRequest, { status })) {
    case 'illegal':
      return illegalMove(moneyRequest.status, status);
    case 'move':
      moveMoneyRequest(
        deps,
        tenant,
        {
          before: moneyRequest,
          after: moveTo(moneyRequest, status, moved),
          failureCause: moved.failureCause,
        },
        unit,
      );
      return succeed(undefined);
    default:
      return succeed(undefined);
  }
}

function moveTo(
  moneyRequest: MoneyRequest,
  status: FulfilledMoneyRequestStatus,
  { statusDetails, at }: MovedOperation,
): MoneyRequest {
  return {
    ...moneyRequest,
    status,
    statusDetails: statusDetails ?? MONEY_REQUEST_STATES[status].details,
    version: moneyRequest.version + 1,
    updatedAt: at,
  };
}
