import { timesOf } from '../../../kernel/clock/account-clock.ts';
import { fail, type Result, succeed } from '../../../kernel/errors/result.ts';
import { mayBeHeld } from '../../../providers/withdrawal.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { ReservationDocument } from '../../store/model.ts';
import type { OperationKey } from '../../store/operation-ids.ts';

/**
 * Resumes a request by v2 of which nobody knows whether its payer holds it, for an operator. It is in progress again as after a
 * lost answer: when its partner sends the same request again, the funding provider is called under the same idempotency key,
 * and when nobody does, the request is withdrawn again. Failures: ERROR_OPERATION_NOT_FOUND; INVALID_TRANSITION for a
 * request that is not being withdrawn and whose withdrawal was not given up, and while the provider is being asked to withdraw
 * it: its answer counts.
 */
export async function resumeReservation(
  deps: Pick<OperationsDeps, 'reservations' | 'transaction' | 'clock' | 'accountClock'>,
  key: OperationKey,
): Promise<Result<ReservationDocument>> {
  const { reservations, transaction } = deps;
  return transaction(async (unit): Promise<Result<ReservationDocument>> => {
    const before = await reservations.find(key, unit);
    if (!before) {
      return fail('ERROR_OPERATION_NOT_FOUND');
    }
    const { at, now } = timesOf(deps, key.accountId);
    if (before.status === 'SUCCEEDED' || !before.withdrawal || !mayBeHeld(before)) {
      return fail('INVALID_TRANSITION', 'Only a request whose payer may have been asked can be resumed.');
    }
    if (before.leaseToken !== undefined && before.nextAttemptAt > now) {
      return fail(
        'INVALID_TRANSITION',
        'The funding provider is being asked to withdraw it. Try again later.',
      );
    }
    const set = {
      status: 'IN_PROGRESS',
      isOpen: true,
      calledAt: now,
      claims: 0,
      nextAttemptAt: now,
      updatedAt: at,
    } as const;
    const gone = { withdrawal: 1, refusal: 1, leaseToken: 1, waitMs: 1 } as const;
    reservations.changeRead(before, { $set: set, $unset: gone }, unit);
    const { withdrawal: _, refusal: __, leaseToken: ___, waitMs: ____, ...rest } = before;
    return succeed({ ...rest, ...set });
  });
}
