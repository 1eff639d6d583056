import { isDuplicateKey } from '../../../platform/database/transaction.ts';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../../platform/errors/result.ts';
import type { OperationsDeps } from '../../deps.ts';
import { correlationIdTaken, userBlocked } from '../../errors.ts';
import type { Reservation, TakenId } from '../../store/reservations.ts';
import { locatePayer } from '../payer.ts';
import { checkRequest, readRequestedAmount } from './check-request.ts';
import { digestRequest } from './digest-request.ts';
import { type KnownRequest, keyOf, turnFor } from './known-request.ts';
import { providersFor, toPayout } from './payout-method.ts';

/**
 * Finds or makes the reservation of this request; an earlier call may have made it. Failures: those of {@link checkRequest}
 * and {@link checkUser}, PROVIDER_NOT_CONFIGURED, and a provider's rejection of an earlier call.
 */
export async function reserve(deps: OperationsDeps, request: KnownRequest): Promise<Result<Reservation>> {
  const key = keyOf(request);
  const taken = await deps.reservations.find(key);
  const resumed = taken && resume(taken, await identify(deps, request));
  if (resumed) {
    return resumed.ok ? whileConfigured(deps, request, resumed.value) : resumed;
  }
  const checked = await checkRequest(deps, request, taken !== undefined);
  if (!checked.ok) {
    return checked;
  }
  const { payer, quote } = checked.value;
  const digest = digestOf(deps, request, payer.phoneNumber, quote.recipientAmount);
  const { environment } = request;
  const reservation = whileConfigured(deps, request, { digest, environment, terms: checked.value });
  if (!reservation.ok) {
    return reservation;
  }
  try {
    return await deps.transaction((unit) => open(deps, request, reservation.value, unit), turnFor(request));
  } catch (error) {
    if (!isDuplicateKey(error)) {
      throw error;
    }
    const winner = await deps.reservations.find(key);
    return (winner && resume(winner, digest)) ?? correlationIdTaken();
  }
}

/** The reservation, while every provider that its request needs is configured. Failure: PROVIDER_NOT_CONFIGURED. */
function whileConfigured(
  { providers }: OperationsDeps,
  { command }: KnownRequest,
  reservation: Reservation,
): Result<Reservation> {
  const payout = toPayout(command, reservation.terms.quote.recipientCurrency);
  const configured = providers.requireConfigured(reservation.environment, providersFor(payout));
  return configured.ok ? succeed(reservation) : configured;
}

async function open(
  deps: OperationsDeps,
  request: KnownRequest,
  reservation: Reservation,
  unit: UnitOfWork,
): Promise<Result<Reservation>> {
  const allowed = await checkUser(deps, request, unit);
  if (!allowed.ok) {
    return allowed;
  }
  deps.reservations.open(keyOf(request), reservation, unit);
  return succeed(reservation);
}

/** The reservation or failure that a faster, identical call has left. */
export async function findOutcome(
  deps: OperationsDeps,
  request: KnownRequest,
  { digest }: Reservation,
): Promise<Result<never>> {
  const taken = await deps.reservations.find(keyOf(request));
  const left = taken && resume(taken, digest);
  return left && !left.ok ? left : correlationIdTaken();
}

/** The meaning of a taken id for a request with this digest; undefined for another request, and when the id is used. */
function resume(taken: TakenId, digest: string | undefined): Result<Reservation> | undefined {
  switch (taken.kind) {
    case 'open':
      return taken.reservation.digest === digest ? succeed(taken.reservation) : undefined;
    case 'failed':
      return taken.digest === digest ? { ok: false, failures: [taken.failure] } : undefined;
    case 'used':
      return undefined;
  }
}

/**
 * The digest of a request, without the checks that an earlier call has passed: its route, rate or dial code may be gone
 * since. Undefined when it can have no reservation.
 */
async function identify(deps: OperationsDeps, request: KnownRequest): Promise<string | undefined> {
  const { tenant, userId, command } = request;
  const amount = readRequestedAmount(command);
  const owner = { tenantId: tenant.tenantId, userId };
  const payer = await locatePayer(deps.users, tenant, owner, command.requestTo);
  return amount.ok && payer.ok ? digestOf(deps, request, payer.value.phoneNumber, amount.amount) : undefined;
}

function digestOf(
  { blindIndex }: OperationsDeps,
  { tenant: { tenantId }, environment, userId, command }: KnownRequest,
  phoneNumber: string,
  amount: string,
): string {
  return digestRequest(blindIndex, { tenantId, environment, userId, phoneNumber, amount, command });
}

/**
 * Checks again, in the caller's transaction, whether the user may request money. Failures: ERROR_SUBSCRIBER_NOT_FOUND,
 * ERROR_INVALID_OPERATION.
 */
export async function checkUser(
  { users }: OperationsDeps,
  { tenant: { tenantId }, userId }: KnownRequest,
  unit: UnitOfWork,
): Promise<Result<void>> {
  const user = await users.accountState(tenantId, userId, unit);
  if (!user) {
    return fail('ERROR_SUBSCRIBER_NOT_FOUND');
  }
  return user.blocked ? userBlocked() : succeed(undefined);
}
