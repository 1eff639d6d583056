import type { UnitOfWork } from '../../../kernel/database/unit-of-work.ts';
import type { Failure, Result } from '../../../kernel/errors/result.ts';
import { succeed } from '../../../kernel/errors/result.ts';
import {
  mayHaveBeenAsked,
  type Withdrawal,
  type WithdrawalStatus,
  withdrawalFailure,
} from '../../../providers/withdrawal.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { RequestedOperation } from '../../port.ts';
import type { OperationDocument, ReservationDocument, ReservationError } from '../../store/model.ts';
import type { HeldReservation, Terms } from '../../store/reservations.ts';
import { requestOperation } from '../request-operation.ts';
import { callOf } from './provider-calls.ts';

/** Most calls without an answer that a reservation keeps: the newest. */
const MOST_FAILURES = 50;

/** How often a worker looks whether the user of a request whose payer may have been asked is blocked. */
export const LOOK_AGAIN_MS = 10_000;

export const RELEASED = { leaseToken: 1, isAsking: 1 } as const;
export const ENDED = { ...RELEASED, isOpen: 1 } as const;

/** Saves the operation, and ends its reservation, in the caller's transaction. */
export async function createOperation(
  deps: OperationsDeps,
  held: HeldReservation,
  terms: Terms,
  unit: UnitOfWork,
): Promise<Result<OperationDocument>> {
  const { document } = held;
  const operation = await toOperation(deps, document, terms, unit);
  deps.reservations.change(held, succeeded(document, operation.at), unit);
  return succeed(await requestOperation(deps, operation, unit));
}

/**
 * The update of a reservation whose operation is created.
 * @param status that of its withdrawal, if there is one
 */
export function succeeded(
  { withdrawal }: ReservationDocument,
  at: Date,
  status: WithdrawalStatus = 'ALREADY_PAID',
) {
  return {
    $set: {
      status: 'SUCCEEDED',
      updatedAt: at,
      ...(withdrawal && { withdrawal: { ...withdrawal, status } }),
    },
    $unset: { ...ENDED, terms: 1, refusal: 1 },
  } as const;
}

/** The operation of a reservation whose payer was asked; the payer is kept with the user. */
export async function toOperation(
  { users, accountClock }: Pick<OperationsDeps, 'users' | 'accountClock'>,
  { accountId, operationId, userId }: ReservationDocument,
  { payer, paymentMethodId, quote, countries, attributionLink, reason }: Terms,
  unit: UnitOfWork,
): Promise<RequestedOperation> {
  if (paymentMethodId === undefined) {
    throw new TypeError('No payer is asked before the payout method is stored');
  }
  const at = accountClock(accountId);
  const { phoneNumber, country } = payer;
  const contact = { phoneNumber, ...(country !== undefined && { countryCode: country }) };
  const contactId =
    payer.contactId ?? (await users.keepContact({ accountId, userId, at, contact }, unit)).contactId;
  return {
    accountId,
    operationId,
    ...(reason === undefined ? {} : { reason }),
    countries,
    userId,
    contactId,
    paymentMethodId,
    quote,
    attributionLink,
    at,
  };
}

/**
 * Ends a reservation with a final failure. @param withdrawal how the request was withdrawn from its payer: its terms stay then,
 * because a payment may still be reported @throws LeaseLostError
 */
export async function keepFailure(
  deps: OperationsDeps,
  held: HeldReservation,
  failure: Failure,
  withdrawal?: Withdrawal,
): Promise<void> {
  const refusal = deps.reservations.sealRefusal(held.document, failure);
  const set = {
    status: 'FAILED',
    refusal,
    updatedAt: deps.accountClock(held.document.accountId),
    ...(withdrawal && { withdrawal, payerMayHaveBeenAsked: true }),
  } as const;
  const update = { $set: set, $unset: withdrawal ? ENDED : { ...ENDED, terms: 1 as const } };
  await deps.transaction(async (unit) => deps.reservations.change(held, update, unit));
}

/**
 * Leaves a reservation to the next identical call, and, when the payer may have been asked, to a worker, too. @throws
 * LeaseLostError
 */
export async function keepUnanswered(
  deps: OperationsDeps,
  held: HeldReservation,
  message: string,
  wasAsked: boolean,
): Promise<void> {
  const { document } = held;
  const at = deps.accountClock(document.accountId);
  if (wasAsked) {
    logAsked(deps, document, message, 'request_money_v2.payer_may_have_been_asked');
  }
  const isWatched = wasAsked || mayHaveBeenAsked(document);
  const set = {
    attempts: document.attempts + 1,
    failures: withFailure(document, {
      message,
      occurredAt: at,
      ...(wasAsked && { payerMayHaveBeenAsked: true }),
    }),
    nextAttemptAt: new Date(deps.clock().getTime() + LOOK_AGAIN_MS),
    updatedAt: at,
    ...(isWatched && { payerMayHaveBeenAsked: true as const }),
  };
  const update = { $set: set, $unset: isWatched ? RELEASED : ENDED };
  await deps.transaction(async (unit) => deps.reservations.change(held, update, unit));
}

/**
 * Has a worker withdraw the request at once: from then on no call asks the payer. @returns the failure for the caller @throws
 * LeaseLostError
 */
export async function beginWithdrawal(
  deps: OperationsDeps,
  held: HeldReservation,
  { code, message = '' }: Failure,
): Promise<Failure> {
  const now = deps.clock();
  const withdrawal: Withdrawal = {
    status: 'PENDING',
    since: now,
    attempts: 0,
    cause: { code, message },
  };
  logAsked(deps, held.document, message, 'request_money_v2.withdrawing');
  const set = {
    withdrawal,
    payerMayHaveBeenAsked: true,
    isOpen: true,
    nextAttemptAt: now,
    claims: 0,
    updatedAt: deps.accountClock(held.document.accountId),
  };
  await deps.transaction(async (unit) =>
    deps.reservations.change(held, { $set: set, $unset: RELEASED }, unit),
  );
  return withdrawalFailure(withdrawal, 'PENDING');
}

function withFailure({ failures = [] }: ReservationDocument, failure: ReservationError): ReservationError[] {
  return [...failures, failure].slice(-MOST_FAILURES);
}

export function logAsked(
  { log }: Pick<OperationsDeps, 'log'>,
  reservation: ReservationDocument,
  reason: string,
  message: string,
): void {
  const { accountId, operationId: correlationId } = reservation;
  const { idempotencyKey } = callOf(reservation, 'REQUEST_MONEY');
  log.warn({ accountId, correlationId, idempotencyKey, reason }, message);
}
