import type { Times } from '../../kernel/clock/account-clock.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { mayBeHeld } from '../../providers/withdrawal.ts';
import type { PipelineDeps } from '../deps.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { logEntry } from './partner-events.ts';

/** Why a remittance that is not in progress cannot be resumed at the moment; undefined when it can. */
export function whyNotResume(before: RemittanceDocument, at: Date): string | undefined {
  if (before.status !== 'FAILED' || !mayBeHeld(before) || before.private === undefined) {
    return 'The remittance has ended. Only one whose payer may have been asked can be retried.';
  }
  return before.leaseToken !== undefined && before.nextAttemptAt > at
    ? 'The funding provider is being asked to withdraw it. Try again later.'
    : undefined;
}

/**
 * Resumes a failed remittance of which nobody knows whether its payer holds the request ({@link whyNotResume}): the funding
 * provider is called again, under the idempotency key of the earlier calls. A worker begins at its next sweep.
 * @param before as the transaction has read it
 */
export function resumeRemittance(
  { remittances, events }: Pick<PipelineDeps, 'remittances' | 'events'>,
  before: RemittanceDocument,
  { at, now }: Times,
  unit: UnitOfWork,
): RemittanceDocument {
  const set = {
    status: 'IN_PROGRESS',
    isOpen: true,
    phaseSince: now,
    version: before.version + 1,
    attempts: 0,
    claims: 0,
    nextAttemptAt: now,
    updatedAt: at,
  } as const;
  const gone = { lastError: 1, withdrawal: 1, leaseToken: 1, waitMs: 1 } as const;
  remittances.changeRead(before, { $set: set, $unset: gone }, unit);
  const { lastError: _, withdrawal: __, leaseToken: ___, waitMs: ____, ...rest } = before;
  const after = { ...rest, ...set };
  events.append([logEntry(after, before.status)], unit);
  return after;
}
