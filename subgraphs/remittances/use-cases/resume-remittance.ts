import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { mayBeHeld } from '../../providers/withdrawal.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { logEntry } from './partner-events.ts';

/**
 * Resumes a failed remittance of which nobody knows whether its payer holds the request, for an operator: the funding provider
 * is called again, under the idempotency key of the earlier calls. A worker begins at its next sweep. Failures:
 * ERROR_OPERATION_NOT_FOUND; INVALID_TRANSITION for a remittance that has not failed so, and while the provider is being asked
 * to withdraw the request: its answer counts.
 */
export async function resumeRemittance(
  deps: Pick<PipelineDeps, 'remittances' | 'events' | 'transaction' | 'clock'>,
  { tenantId, correlationId }: { readonly tenantId: string; readonly correlationId: string },
): Promise<Result<RemittanceDocument>> {
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
    const set = {
      status: 'IN_PROGRESS',
      isOpen: true,
      phaseSince: at,
      version: before.version + 1,
      attempts: 0,
      claims: 0,
      nextAttemptAt: at,
      updatedAt: at,
    } as const;
    const gone = { lastError: 1, withdrawal: 1, leaseToken: 1, waitMs: 1 } as const;
    deps.remittances.changeRead(before, { $set: set, $unset: gone }, unit);
    const { lastError: _, withdrawal: __, leaseToken: ___, waitMs: ____, ...rest } = before;
    const after = { ...rest, ...set };
    deps.events.append([logEntry(after, before.status)], unit);
    return succeed(after);
  });
}
