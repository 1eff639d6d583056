import { queueKey, retryOnConflict } from '../../../kernel/database/transaction.ts';
import type { ErrorCode } from '../../../kernel/errors/catalogue.ts';
import { type Failure, fail, type Result } from '../../../kernel/errors/result.ts';
import type { ProviderAnswer } from '../../../providers/types.ts';
import { mayHaveBeenAsked } from '../../../providers/withdrawal.ts';
import type { RequestMoneyV2Command } from '../../commands/request-money-v2.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { OperationDocument } from '../../store/model.ts';
import type { HeldReservation, Terms } from '../../store/reservations.ts';
import { callFunding } from '../call-funding.ts';
import { beginAsking } from './begin-asking.ts';
import { beginWithdrawal, createOperation, keepFailure, keepUnanswered } from './end-reservation.ts';
import { payoutOf, verifyPayout } from './payout-method.ts';
import { callOf, payerRequestOf } from './provider-calls.ts';
import { checkUser } from './reserve.ts';

/** The advice after a call that may have asked the payer: only the same id is safe. */
const MAY_HAVE_BEEN_ASKED =
  'The provider gave no answer, and the payer may have been asked. Send the same request again, with the same correlationId; do not use another one.';

/**
 * Calls the providers for a reservation whose lease the caller has, and saves the outcome: the payout method's provider first,
 * then the payer's; both under keys that no other request has.
 * @param command the request, of which the reservation keeps no payout method that is not verified
 * Failures: those of the providers; ERROR_INTERNAL_SERVER_ERROR when one of them does not answer; those of {@link checkUser}.
 * When the payer may have been asked, the request is withdrawn before it fails.
 * @throws LeaseLostError when another caller has the lease: nothing is saved
 */
export async function carryOut(
  deps: OperationsDeps,
  held: HeldReservation,
  command: RequestMoneyV2Command,
): Promise<Result<OperationDocument>> {
  const given = deps.reservations.termsOf(held.document);
  const payout = payoutOf(given, command);
  const verified = await verifyPayout(deps.providers, payout, callOf(held.document, 'PAYMENT_METHOD'));
  if (verified.kind !== 'accepted') {
    return keepAnswer(deps, held, { ...verified, path: ['destinationPaymentMethod'] });
  }
  const begun = await beginAsking(deps, held, given, payout);
  if (!begun.ok) {
    return refuse(deps, held, begun.failures);
  }
  const terms = begun.value;
  const request = payerRequestOf(held.document, terms);
  const answer = await callFunding(deps.providers.funding, request, callOf(held.document, 'REQUEST_MONEY'));
  return answer.kind === 'accepted' ? save(deps, held, terms) : keepAnswer(deps, held, answer);
}

/** The failure of a call without an answer, which may be repeated. */
export function unanswered(wasAsked: boolean): Result<never> {
  return fail('ERROR_INTERNAL_SERVER_ERROR', wasAsked ? MAY_HAVE_BEEN_ASKED : undefined);
}

/** A provider's answer that is no yes, and the part of the request that it is about. */
type Refusal = Exclude<ProviderAnswer<ErrorCode>, { kind: 'accepted' }> & {
  readonly path?: readonly string[];
};

async function keepAnswer(
  deps: OperationsDeps,
  held: HeldReservation,
  answer: Refusal,
): Promise<Result<never>> {
  if (answer.kind === 'rejected') {
    const { code, reason: message, path } = answer;
    return refuse(deps, held, [{ code, message, ...(path && { path }) }]);
  }
  const wasAsked = answer.path === undefined && answer.notSent !== true;
  await keepUnanswered(deps, held, answer.reason, wasAsked);
  return unanswered(wasAsked || mayHaveBeenAsked(held.document));
}

/**
 * Ends a request without an operation. When an earlier call may have asked the payer, the request is withdrawn first: this
 * refusal says nothing of that call.
 */
async function refuse(
  deps: OperationsDeps,
  held: HeldReservation,
  failures: readonly Failure[],
): Promise<Result<never>> {
  const [cause] = failures;
  if (cause && mayHaveBeenAsked(held.document)) {
    return { ok: false, failures: [await beginWithdrawal(deps, held, cause)] };
  }
  if (cause) {
    await keepFailure(deps, held, cause);
  }
  return { ok: false, failures };
}

async function save(
  deps: OperationsDeps,
  held: HeldReservation,
  terms: Terms,
): Promise<Result<OperationDocument>> {
  const { accountId, userId } = held.document;
  // Another call may create the same contact first: the next attempt finds it.
  const saved = await retryOnConflict(() =>
    deps.transaction(
      async (unit): Promise<Result<OperationDocument>> => {
        const allowed = await checkUser(deps, held.document, unit);
        return allowed.ok ? createOperation(deps, held, terms, unit) : allowed;
      },
      queueKey(accountId, { userId }),
    ),
  );
  const [cause] = saved.ok ? [] : saved.failures;
  return cause ? { ok: false, failures: [await beginWithdrawal(deps, held, cause)] } : saved;
}
