import type { VerdictFacts, VerdictSource } from '../../graph/verdict.ts';
import { mayBeHeld } from '../../providers/withdrawal.ts';
import type { OperationsDeps } from '../deps.ts';
import type { ReservationDocument } from '../store/model.ts';

type Deps = Pick<OperationsDeps, 'reservations'>;

/** The verdicts on requests by v2; the operation of a request that succeeded says more. */
export function reservationVerdicts(deps: Deps): VerdictSource {
  return {
    type: 'Reservation',
    read: async (accountId, ids) =>
      new Map(
        [...(await deps.reservations.findMany(accountId, ids))].map(([id, reservation]) => [
          id,
          reservation.status === 'SUCCEEDED' ? { type: 'Operation', id } : verdictOf(deps, reservation),
        ]),
      ),
  };
}

/** Nothing advises to use another id while the payer may hold the request (decisions, section 8). */
function verdictOf({ reservations }: Deps, reservation: ReservationDocument): VerdictFacts {
  const { status, withdrawal, failures, updatedAt: since } = reservation;
  const base = { since, actBy: null, reason: null };
  if (status === 'FAILED') {
    if (mayBeHeld(reservation)) {
      return { ...base, cause: 'PAYER_MAY_HAVE_BEEN_ASKED', next: 'CONTACT_SUPPORT' };
    }
    return withdrawal
      ? { ...base, cause: 'WITHDRAWN', next: 'REQUEST_AGAIN' }
      : {
          ...base,
          cause: 'REFUSED',
          reason: reservations.refusalOf(reservation)?.message ?? null,
          next: 'CORRECT_AND_REQUEST_AGAIN',
        };
  }
  if (withdrawal) {
    return { ...base, cause: 'WITHDRAWING', next: 'CONTACT_SUPPORT' };
  }
  return failures?.length
    ? { ...base, cause: 'UNANSWERED', next: 'REPEAT_SAME_REQUEST' }
    : { ...base, cause: 'ASKING_PAYER', next: null };
}
