import type { ClientSession } from 'mongoose';
import { ASK_STATUS_OF, type FulfilledAskStatus, type MovedOperation } from '../../operations/index.ts';
import { type Result, succeed } from '../../platform/errors/refusal.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { illegalMove } from '../errors.ts';
import { ASK_STATES, classifyMove } from '../lifecycle.ts';
import type { Ask } from '../store/model.ts';
import { type AskWriting, moveAsk } from '../store/move-request-money.ts';

/** `FulfilledAsks.followOperation` of the operations slice (decisions, section 7, "An ask and its fulfilling operation"). */
export async function followOperation(
  deps: AskWriting & { tenants: Pick<RequestMoneyDeps['tenants'], 'find'> },
  moved: MovedOperation,
  session: ClientSession,
): Promise<Result<string[]>> {
  const { tenantId, referenceId } = moved;
  const [ask, tenant] = [
    await deps.asks.find(tenantId, referenceId, session),
    await deps.tenants.find(tenantId),
  ];
  if (!(ask && tenant)) {
    throw new Error(`An operation fulfils a request that is not there: ${referenceId}`);
  }
  const status = ASK_STATUS_OF[moved.status];
  switch (classifyMove(ask, { status })) {
    case 'illegal':
      return illegalMove(ask.status, status);
    case 'move':
      return succeed(
        await moveAsk(deps, tenant, { before: ask, after: moveTo(ask, status, moved) }, session),
      );
    default:
      return succeed([]);
  }
}

function moveTo(ask: Ask, status: FulfilledAskStatus, { statusDetails, at }: MovedOperation): Ask {
  return {
    ...ask,
    status,
    statusDetails: statusDetails ?? ASK_STATES[status].details,
    version: ask.version + 1,
    updatedAt: at,
  };
}
