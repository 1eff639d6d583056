import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { PhaseFailureEntry, TimelineProblem, TimelineSource } from '../../graph/timeline.ts';
import { mayBeHeld, withdrawalFailure } from '../../providers/withdrawal.ts';
import type { OperationsDeps } from '../deps.ts';
import type { ReservationDocument, ReservationError } from '../store/model.ts';

type Deps = Pick<OperationsDeps, 'reservations'>;

/** The part of a request by v2 that a provider was called for, as remittances name it. */
const STEP = 'REQUEST_MONEY';

/** The timeline of requests by v2: each call without an answer, and what follows from the last one. */
export function reservationTimeline(deps: Deps): TimelineSource {
  return {
    type: 'Reservation',
    read: async (accountId, operationId) => {
      const found = await deps.reservations.find({ accountId, operationId });
      const { failures = [], attempts = 0 } = found ?? {};
      const first = attempts - failures.length + 1;
      return (
        found && {
          entries: failures.map((failure, index) => toEntry(operationId, failure, first + index)),
          related: [{ type: 'Operation', id: operationId }],
          deliveries: [],
          problems: problemsOf(deps, found),
          isCut: first > 1,
        }
      );
    },
  };
}

function toEntry(correlationId: string, failure: ReservationError, attempt: number): PhaseFailureEntry {
  const { message, occurredAt, payerMayHaveBeenAsked } = failure;
  return {
    __typename: 'TimelinePhaseFailure',
    id: `Reservation:${correlationId}:${String(attempt).padStart(9, '0')}`,
    at: occurredAt,
    correlationId,
    phase: STEP,
    attempt,
    code: 'ERROR_INTERNAL_SERVER_ERROR',
    message,
    nextAttemptAt: null,
    payerMayHaveBeenAsked: payerMayHaveBeenAsked ?? false,
  };
}

/** Nothing advises to use another id while the payer may hold the request (decisions, section 8). */
function problemsOf({ reservations }: Deps, reservation: ReservationDocument): TimelineProblem[] {
  const { status, withdrawal, failures, updatedAt: at, isOpen, nextAttemptAt } = reservation;
  const problem = { step: STEP, at, nextAttemptAt: isOpen ? nextAttemptAt : null };
  if (status === 'FAILED') {
    const { code = null, message = '' } = reservations.refusalOf(reservation) ?? {};
    const nextAction = mayBeHeld(reservation)
      ? 'CONTACT_SUPPORT'
      : withdrawal
        ? 'REQUEST_AGAIN'
        : 'CORRECT_AND_REQUEST_AGAIN';
    return [{ ...problem, code, message, nextAction }];
  }
  if (status === 'IN_PROGRESS' && withdrawal) {
    return [{ ...problem, ...withdrawalFailure(withdrawal, 'PENDING'), nextAction: 'CONTACT_SUPPORT' }];
  }
  const last = failures?.at(-1);
  return last && status === 'IN_PROGRESS'
    ? [
        {
          ...problem,
          code: 'ERROR_INTERNAL_SERVER_ERROR',
          message: last.message,
          nextAction: 'REPEAT_SAME_REQUEST',
        },
      ]
    : [];
}

/** Finds requests by v2 without an operation by their correlationId, and by the phone number of the payer. */
export function searchReservations({
  reservations,
  users,
}: Deps & Pick<OperationsDeps, 'users'>): SearchSource {
  return {
    type: 'Reservation',
    search: ({ accountId }, text, first) => {
      const ofPayer = async () => {
        const keys = await users.phoneKeysOf(accountId, text);
        return keys.length === 0 ? [] : reservations.findByPayer(accountId, keys, first);
      };
      return hitsOf({
        ID: reservations
          .findMany(accountId, [text])
          .then((found) => [...found].flatMap(([id, { status }]) => (status === 'SUCCEEDED' ? [] : [id]))),
        PAYER_PHONE_NUMBER: ofPayer().then((found) => found.map(({ operationId }) => operationId)),
      });
    },
  };
}
