import type { AccountId } from '../../kernel/account.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { AskedRequest } from '../../operations/index.ts';
import { mayHaveBeenAsked, statusAfterReport, type WithdrawalStatus } from '../../providers/withdrawal.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { openInput } from '../store/sealed-input.ts';
import { toOperation } from './phases.ts';
import { publishMoves, toUpdate, withoutHold } from './transitions.ts';

type Deps = Pick<PipelineDeps, 'remittances' | 'box' | 'tenants' | 'events' | 'webhooks'>;

/**
 * `AskedRequests.find` of the operations slice: a remittance without an operation whose payer may have been asked, for a
 * status that the platform's back end reports of it. It succeeds then, with the outcome `Accepted`, unless its partner was
 * notified of a failure and it has ended without a payment. The outcome of a step that is under way is dropped.
 */
export async function findAsked(
  deps: Deps,
  { accountId, operationId, at }: { accountId: AccountId; operationId: string; at: Date },
  unit: UnitOfWork,
): Promise<AskedRequest | undefined> {
  const before = await deps.remittances.find(accountId, operationId, unit);
  if (before === undefined || before.status === 'SUCCEEDED' || !mayHaveBeenAsked(before)) {
    return undefined;
  }
  const tenant = await deps.tenants.find(accountId);
  const input = before.private === undefined ? {} : openInput(deps.box, before);
  return {
    userId: before.userId,
    conclude: async (isOver) => {
      const after = toSucceeded(before, at, statusAfterReport(isOver));
      deps.remittances.changeRead(before, toUpdate(before, after), unit);
      const isReported = isOver && before.status === 'FAILED';
      publishMoves(deps, isReported ? undefined : tenant, before, { passed: [], after }, unit);
      return toOperation({ remittance: before, input, at });
    },
  };
}

function toSucceeded(before: RemittanceDocument, at: Date, status: WithdrawalStatus): RemittanceDocument {
  const { lastError: _, isAsking: __, isOpen: ___, withdrawal, ...rest } = withoutHold(before);
  return {
    ...rest,
    ...(withdrawal && { withdrawal: { ...withdrawal, status } }),
    status: 'SUCCEEDED',
    version: before.version + 1,
    claims: 0,
    updatedAt: at,
  };
}
