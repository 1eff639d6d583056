import { queueKey, retryOnConflict } from '../../../platform/database/transaction.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { fail, type Result } from '../../../platform/errors/result.ts';
import type { ProviderAnswer } from '../../../platform/providers/types.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { OperationDocument, ReservationDocument } from '../../store/model.ts';
import type { HeldReservation, Terms } from '../../store/reservations.ts';
import { callFunding } from '../call-funding.ts';
import { beginWithdrawal, createOperation, keepFailure, keepUnanswered } from './end-reservation.ts';
import { verifyPayout } from './payout-method.ts';
import { callOf, payerRequestOf } from './provider-calls.ts';
import { checkUser } from './reserve.ts';

const ALREADY_COMPLETED = 'ERROR_OPERATION_ALREADY_COMPLETED';

/** The advice after a call that may have asked the payer: only the same id is safe. */
const MAY_HAVE_BEEN_ASKED =
  'The provider gave no answer, and the payer may have been asked. Send the same request again, with the same correlationId; do not use another one.';

/**
 * Calls the providers for a reservation whose lease the caller has, and saves the outcome.
 * Failures: those of the providers; ERROR_INTERNAL_SERVER_ERROR when one of them does not answer; those of {@link checkUser}:
 * then the request is withdrawn from its payer.
 * @throws LeaseLostError when another caller has the lease: nothing is saved
 */
export async function carryOut(
  deps: OperationsDeps,
  held: HeldReservation,
): Promise<Result<OperationDocument>> {
  const { document } = held;
  const terms = deps.reservations.termsOf(document);
  const answer = await callProviders(deps, document, terms);
  switch (answer.kind) {
    case 'accepted':
      return save(deps, held, terms);
    case 'rejected': {
      const failure = {
        code: answer.code,
        message: answer.reason,
        ...(answer.path && { path: answer.path }),
      };
      if (answer.code === ALREADY_COMPLETED && document.payerMayHaveBeenAsked) {
        // An earlier call, whose answer is lost, may be what was completed.
        const cause = { code: answer.code, message: answer.reason };
        return { ok: false, failures: [await beginWithdrawal(deps, held, cause)] };
      }
      await keepFailure(deps, held, failure);
      return { ok: false, failures: [failure] };
    }
    case 'unavailable': {
      const wasAsked = answer.path === undefined && answer.notSent !== true;
      await keepUnanswered(deps, held, answer.reason, wasAsked);
      return unanswered(wasAsked || document.payerMayHaveBeenAsked === true);
    }
  }
}

/** The failure of a call without an answer, which may be repeated. */
export function unanswered(wasAsked: boolean): Result<never> {
  return fail('ERROR_INTERNAL_SERVER_ERROR', wasAsked ? MAY_HAVE_BEEN_ASKED : undefined);
}

/** A provider's answer, and its part of the request. */
type Answer = ProviderAnswer<ErrorCode> & { readonly path?: readonly string[] };

/**
 * The payout method's provider first, then the payer's; both under keys that no other request has. A payer who may have been
 * asked was asked after the payout method was verified.
 */
async function callProviders(
  { providers }: OperationsDeps,
  reservation: ReservationDocument,
  terms: Terms,
): Promise<Answer> {
  const verified = reservation.payerMayHaveBeenAsked
    ? ({ kind: 'accepted' } as const)
    : await verifyPayout(providers, terms.payout, callOf(reservation, 'PAYMENT_METHOD'));
  return verified.kind === 'accepted'
    ? callFunding(providers.funding, payerRequestOf(reservation, terms), callOf(reservation, 'REQUEST_MONEY'))
    : { ...verified, path: ['destinationPaymentMethod'] };
}

async function save(
  deps: OperationsDeps,
  held: HeldReservation,
  terms: Terms,
): Promise<Result<OperationDocument>> {
  const { tenantId, userId } = held.document;
  // Another call may create the same contact or payment method first: the next attempt finds it.
  const saved = await retryOnConflict(() =>
    deps.transaction(
      async (unit): Promise<Result<OperationDocument>> => {
        const allowed = await checkUser(deps, held.document, unit);
        return allowed.ok ? createOperation(deps, held, terms, unit) : allowed;
      },
      queueKey(tenantId, { userId }),
    ),
  );
  const [cause] = saved.ok ? [] : saved.failures;
  return cause ? { ok: false, failures: [await beginWithdrawal(deps, held, cause)] } : saved;
}
