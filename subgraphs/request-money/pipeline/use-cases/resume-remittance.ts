import { fail, type Result, succeed } from '../../../platform/errors/result.ts';
import { mayBeHeld } from '../../../platform/providers/withdrawal.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { publishMoves, type TransitionDeps, toUpdate } from './transitions.ts';

/**
 * Resumes a failed remittance of which nobody knows whether its payer holds the request, for an operator: the funding provider
 * is called again, under the idempotency key of the earlier calls. Failures: ERROR_OPERATION_NOT_FOUND; INVALID_TRANSITION
 * for a remittance that has not failed so.
 */
export async function resumeRemittance(
  deps: TransitionDeps,
  { tenantId, correlationId }: { readonly tenantId: string; readonly correlationId: string },
): Promise<Result<RemittanceDocument>> {
  const tenant = await deps.tenants.find(tenantId);
  return deps.transaction(async (unit): Promise<Result<RemittanceDocument>> => {
    const before = await deps.remittances.find(tenantId, correlationId, unit);
    if (!before) {
      return fail('ERROR_OPERATION_NOT_FOUND');
    }
    const at = deps.clock();
    if (before.status !== 'FAILED' || !mayBeHeld(before) || before.private === undefined) {
      return fail('INVALID_TRANSITION', 'Only a remittance whose payer may have been asked can be resumed.');
    }
    if (before.leaseToken !== undefined && before.nextAttemptAt > at) {
      return fail(
        'INVALID_TRANSITION',
        'The funding provider is being asked to withdraw it. Try again later.',
      );
    }
    const { lastError: _, withdrawal: __, leaseToken: ___, ...rest } = before;
    const after: RemittanceDocument = {
      ...rest,
      status: 'IN_PROGRESS',
      isOpen: true,
      phaseSince: at,
      version: before.version + 1,
      attempts: 0,
      claims: 0,
      nextAttemptAt: at,
      updatedAt: at,
    };
    deps.remittances.changeRead(before, toUpdate(before, after), unit);
    publishMoves(deps, tenant, before, { passed: [], after }, unit);
    return succeed(after);
  });
}
