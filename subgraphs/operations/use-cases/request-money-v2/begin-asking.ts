import { LONGEST_CALL_MS } from '../../../kernel/config/work-settings.ts';
import { queueKey, retryOnConflict } from '../../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../../kernel/errors/result.ts';
import { LeaseLostError } from '../../../runtime/work/claim.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { ReservationDocument } from '../../store/model.ts';
import { CALL_LEASE_MS, type HeldReservation, type Terms } from '../../store/reservations.ts';
import type { Payout } from './payout-method.ts';
import { checkUser } from './reserve.ts';

/** The terms of a request whose payer is about to be asked: the payout method is one of the user's. */
type AskedTerms = Terms & { readonly paymentMethodId: string };

/**
 * Stores that the payer is about to be asked, and renews the lease: a process that dies from now on leaves a payer who may have
 * been asked. A verified payout method becomes one of the user's in the same transaction, so no repeated call verifies it
 * again, and no reservation has its number. Failures: those of {@link checkUser}.
 * @throws LeaseLostError when the caller no longer has the lease, or too little of it for the call
 */
export async function beginAsking(
  deps: OperationsDeps,
  held: HeldReservation,
  given: Terms,
  payout: Payout,
): Promise<Result<AskedTerms>> {
  const { document } = held;
  // Another call may store the same payment method first: the next attempt finds it.
  const begun = await retryOnConflict(() =>
    deps.transaction(
      (unit) => mark(deps, held, { given, payout }, unit),
      queueKey(document.accountId, { userId: document.userId }),
    ),
  );
  if (!begun.ok) {
    return begun;
  }
  const { terms, leaseUntil } = begun.value;
  if (deps.clock().getTime() + LONGEST_CALL_MS > leaseUntil.getTime()) {
    throw new LeaseLostError();
  }
  return succeed(terms);
}

async function mark(
  deps: OperationsDeps,
  held: HeldReservation,
  { given, payout }: { readonly given: Terms; readonly payout: Payout },
  unit: UnitOfWork,
): Promise<Result<{ readonly terms: AskedTerms; readonly leaseUntil: Date }>> {
  const { document } = held;
  const allowed = await checkUser(deps, document, unit);
  if (!allowed.ok) {
    return allowed;
  }
  const at = deps.accountClock(document.accountId);
  const leaseUntil = new Date(deps.clock().getTime() + CALL_LEASE_MS);
  const terms = { ...given, paymentMethodId: await keepPayout(deps, document, payout, unit, at) };
  const set = {
    isAsking: true as const,
    nextAttemptAt: leaseUntil,
    updatedAt: at,
    // The mark of an earlier caller that has died.
    ...(document.isAsking && { payerMayHaveBeenAsked: true as const }),
    ...('method' in payout && { terms: deps.reservations.sealTerms(document, terms) }),
  };
  deps.reservations.change(held, { $set: set }, unit);
  return succeed({ terms, leaseUntil });
}

/** @returns the id of the method, which is one of the user's */
async function keepPayout(
  { users }: OperationsDeps,
  { accountId, userId }: ReservationDocument,
  payout: Payout,
  unit: UnitOfWork,
  at: Date,
): Promise<string> {
  if ('paymentMethodId' in payout) {
    return payout.paymentMethodId;
  }
  const { method } = payout;
  return (await users.keepPaymentMethod({ accountId, userId, method, at }, unit)).paymentMethodId;
}
