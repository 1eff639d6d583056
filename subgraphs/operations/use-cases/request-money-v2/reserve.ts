import { type AccountId, environmentOf } from '../../../kernel/account.ts';
import { timesOf } from '../../../kernel/clock/account-clock.ts';
import { isDuplicateKey } from '../../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../../kernel/errors/result.ts';
import type { OperationsDeps } from '../../deps.ts';
import { correlationIdTaken, userBlocked } from '../../errors.ts';
import type { ReservationDocument } from '../../store/model.ts';
import type { OperationKey } from '../../store/operation-ids.ts';
import { QuoteUnusableError } from '../../store/quotes.ts';
import type { HeldReservation, NewReservation } from '../../store/reservations.ts';
import { locatePayer } from '../payer.ts';
import { quoteUnusable } from '../quoted-price.ts';
import { checkRequest, type PricedTerms, QUOTE_ISSUE, readRequestedAmount } from './check-request.ts';
import { digestRequest, digestSentRequest } from './digest-request.ts';
import { type KnownRequest, keyOf, turnFor } from './known-request.ts';
import { payoutOf, providersFor } from './payout-method.ts';

/** The reservation of a request: made by this call, which has its lease, or by an earlier one. */
type Reserved =
  | { readonly kind: 'held'; readonly held: HeldReservation }
  | { readonly kind: 'found'; readonly reservation: ReservationDocument };

/**
 * Finds or makes the reservation of this request. Failures: those of {@link checkRequest} and {@link checkUser},
 * PROVIDER_NOT_CONFIGURED, and the final failure of an earlier call.
 * @param begun when the call began: an identical call that has succeeded since was running beside it, and its operation is
 * the result of both
 */
export async function reserve(
  deps: OperationsDeps,
  request: KnownRequest,
  begun: Date,
): Promise<Result<Reserved>> {
  const key = keyOf(request);
  const [found, isUsed] = await Promise.all([deps.reservations.find(key), deps.operationIds.isTaken(key)]);
  const { earlier, isTaken } = found || isUsed ? await readConfirmed(deps, key) : UNKNOWN;
  const resumed =
    earlier && resume(deps, earlier, { request, digests: await identify(deps, request), begun, seen: found });
  if (resumed) {
    return resumed;
  }
  const checked = await checkRequest(deps, request, isTaken);
  if (!checked.ok) {
    // An identical call beside this one may have used the quote.
    const beside = request.command.quoteId !== undefined && (await resumeWinner(deps, request, begun));
    return beside || checked;
  }
  const reservation = toReservation(deps, request, checked.value);
  const needed = providersFor(payoutOf(reservation.terms, request.command));
  const configured = deps.providers.requireConfigured(environmentOf(key.accountId), needed);
  if (!configured.ok) {
    return configured;
  }
  try {
    return await deps.transaction((unit) => open(deps, request, reservation, unit), turnFor(request));
  } catch (error) {
    const isQuoteLost = error instanceof QuoteUnusableError;
    if (!isQuoteLost && !isDuplicateKey(error)) {
      throw error;
    }
    const refusal = isQuoteLost ? quoteUnusable(QUOTE_ISSUE) : correlationIdTaken();
    return (await resumeWinner(deps, request, begun, reservation)) ?? refusal;
  }
}

/** The result of this call if an identical call was faster; undefined without such a call. */
async function resumeWinner(
  deps: OperationsDeps,
  request: KnownRequest,
  begun: Date,
  known?: Digests,
): Promise<Result<Reserved> | undefined> {
  const { earlier: winner } = await readConfirmed(deps, keyOf(request));
  if (!winner) {
    return undefined;
  }
  const digests = known ?? (await identify(deps, request));
  return resume(deps, winner, { request, digests, begun });
}

/** Earlier calls with a correlation id. */
interface Earlier {
  readonly earlier: ReservationDocument | undefined;
  readonly isTaken: boolean;
}

const UNKNOWN: Earlier = { earlier: undefined, isTaken: false };

/**
 * Reads in a transaction, which ends only when a majority of the database's members has what it has read. A failover may undo
 * what a plain read sees.
 */
function readConfirmed(deps: OperationsDeps, key: OperationKey): Promise<Earlier> {
  return deps.transaction(async (unit) => ({
    earlier: await deps.reservations.find(key, unit),
    isTaken: await deps.operationIds.isTaken(key, unit),
  }));
}

function toReservation(deps: OperationsDeps, request: KnownRequest, checked: PricedTerms): NewReservation {
  const { command, userId } = request;
  const { payer, quote } = checked;
  const payout = payoutOf({ quote }, command);
  const reason = command.reason === undefined ? {} : { reason: command.reason };
  return {
    userId,
    payerKey: deps.users.phoneKey(request.tenant.accountId, payer.phoneNumber),
    ...digestsOf(deps, request, payer.phoneNumber, quote.recipientAmount),
    terms: { ...checked, ...('paymentMethodId' in payout && payout), ...reason },
  };
}

async function open(
  deps: OperationsDeps,
  request: KnownRequest,
  reservation: NewReservation,
  unit: UnitOfWork,
): Promise<Result<Reserved>> {
  const {
    userId,
    command: { quoteId },
  } = request;
  const key = keyOf(request);
  const { accountId } = key;
  const allowed = await checkUser(deps, { accountId, userId }, unit);
  if (!allowed.ok) {
    return allowed;
  }
  const times = timesOf(deps, accountId);
  if (quoteId !== undefined) {
    deps.quotes.use({ accountId, quoteId, at: times.at }, unit);
  }
  return succeed({ kind: 'held', held: deps.reservations.open(key, reservation, times, unit) });
}

/** A request that has found an earlier reservation of its id. */
interface Resuming {
  readonly request: KnownRequest;
  readonly digests: Partial<Digests> | undefined;
  readonly begun: Date;
  /** The reservation as this call saw it first: an attempt that has ended since ran beside it, and its result is shared. */
  readonly seen?: ReservationDocument | undefined;
}

/** The meaning of a reservation for a request with these digests; undefined for another request, and when the id is used. */
function resume(
  { reservations, providers }: OperationsDeps,
  earlier: ReservationDocument,
  { request: { command }, digests, begun, seen = earlier }: Resuming,
): Result<Reserved> | undefined {
  if (earlier.digest !== digests?.digest && earlier.sentDigest !== digests?.sentDigest) {
    return undefined;
  }
  switch (earlier.status) {
    case 'IN_PROGRESS': {
      const needed = providersFor(payoutOf(reservations.termsOf(earlier), command));
      const configured = providers.requireConfigured(environmentOf(earlier.accountId), needed);
      return configured.ok ? succeed({ kind: 'found', reservation: seen }) : configured;
    }
    case 'FAILED': {
      const failure = reservations.refusalOf(earlier);
      return failure && { ok: false, failures: [failure] };
    }
    case 'SUCCEEDED':
      return earlier.updatedAt > begun ? succeed({ kind: 'found', reservation: earlier }) : undefined;
  }
}

/** A request is the same as an earlier one when it names the same payer, or names the payer by the same text. */
type Digests = Pick<ReservationDocument, 'digest' | 'sentDigest'>;

/**
 * The digests of a request, without the checks that an earlier call has passed: its route, rate, dial code or contact may be
 * gone since. Undefined when it can have no reservation.
 */
async function identify(deps: OperationsDeps, request: KnownRequest): Promise<Partial<Digests> | undefined> {
  const { tenant, userId, command } = request;
  const amount = readRequestedAmount(command);
  const owner = { accountId: tenant.accountId, userId };
  const payer = await locatePayer(deps.users, tenant, owner, command.requestTo);
  if (!amount.ok) {
    return undefined;
  }
  return payer.ok
    ? digestsOf(deps, request, payer.value.phoneNumber, amount.amount)
    : { sentDigest: sentDigestOf(deps, request, amount.amount) };
}

function digestsOf(
  deps: OperationsDeps,
  request: KnownRequest,
  phoneNumber: string,
  amount: string,
): Digests {
  const { tenant, userId, command } = request;
  const { accountId } = tenant;
  return {
    digest: digestRequest(deps.blindIndex, { accountId, userId, phoneNumber, amount, command }),
    sentDigest: sentDigestOf(deps, request, amount),
  };
}

function sentDigestOf(
  { blindIndex }: OperationsDeps,
  { tenant: { accountId }, userId, command }: KnownRequest,
  amount: string,
): string {
  return digestSentRequest(blindIndex, { accountId, userId, amount, command });
}

/**
 * Checks again, in the caller's transaction, whether the user may request money. Failures: ERROR_SUBSCRIBER_NOT_FOUND,
 * ERROR_INVALID_OPERATION.
 */
export async function checkUser(
  { users }: Pick<OperationsDeps, 'users'>,
  { accountId, userId }: { readonly accountId: AccountId; readonly userId: string },
  unit?: UnitOfWork,
): Promise<Result<void>> {
  const user = await users.accountState(accountId, userId, unit);
  if (!user) {
    return fail('ERROR_SUBSCRIBER_NOT_FOUND');
  }
  return user.blocked ? userBlocked(user) : succeed(undefined);
}
