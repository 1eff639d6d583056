import type { ClientSession } from 'mongoose';
import { isDuplicateKey, retryOnConflict, turnOf } from '../../platform/database/transaction.ts';
import type { ErrorCode } from '../../platform/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import type { Principal } from '../../platform/principal.ts';
import { providerKey } from '../../platform/providers/provider-key.ts';
import type { ProviderAnswer } from '../../platform/providers/types.ts';
import { digestRequest } from '../commands/request-digest.ts';
import { readRequestMoneyV2 } from '../commands/request-money-v2.ts';
import type { OperationsDeps } from '../deps.ts';
import type { OperationDocument } from '../store/model.ts';
import type { OperationKey, Reservation, TakenId } from '../store/reservations.ts';
import { callFunding } from './call-funding.ts';
import { locatePayer } from './payer.ts';
import { type Payout, toPayout, verifyPayout } from './payout-method.ts';
import { checkRequest, type GivenRequest, idTaken, readRequestedAmount } from './request-money-v2-checks.ts';
import { request } from './request-operation.ts';

/** A request for money by v2 as it came in. */
export interface RequestMoneyV2Request {
  /** The user who asks: document 1's userToken. */
  userId: string;
  /** The JSON value of the body, numbers as LosslessNumber; undefined when the body was not JSON. */
  body: unknown;
}

/**
 * Request-money v2 (document 1; decisions, section 2, "v2", and section 7, "One correlationId, one payer"): creates the
 * operation directly. The path decides first (an unknown user is told whatever the body is), then the first failing check
 * wins: body, blocked user, and those of {@link checkRequest}.
 *
 * Then the correlation id is reserved for this request and no other, with the price at which it is made, and only then
 * providers are asked: the payout method's first, so that nobody is asked for money that could not be paid out. The same
 * request again goes on where the first one stopped, at the same price and under the same idempotency keys, whatever has
 * changed since: after a provider's time-out, after the death of a process, and beside another one that is under way. A
 * provider's refusal is final: the same request gets it again. Once the operation is stored the id is used.
 * Refusals: ERROR_SUBSCRIBER_NOT_FOUND, ERROR_REQUEST_MONEY_FULL, ERROR_CORRELATION_ID_REQUIRED,
 * ERROR_INVALID_OPERATION, ERROR_TENANT_NOT_FOUND, those of {@link checkRequest}, of the payout method's provider and of
 * the funding provider, ERROR_INTERNAL_SERVER_ERROR when one of them does not answer.
 */
export async function requestMoneyV2(
  deps: OperationsDeps,
  { tenantId, environment }: Principal,
  { userId, body }: RequestMoneyV2Request,
): Promise<Result<OperationDocument>> {
  const user = await deps.users.accountState(tenantId, userId);
  if (!user) {
    return fail('ERROR_SUBSCRIBER_NOT_FOUND');
  }
  const read = readRequestMoneyV2(body);
  if (!read.ok) {
    return read;
  }
  if (user.blocked) {
    return userBlocked();
  }
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant) {
    return fail('ERROR_TENANT_NOT_FOUND');
  }
  const given: GivenRequest = { tenant, environment, userId: user.userId, given: read.value };
  const reserved = await reserve(deps, given);
  return reserved.ok ? carryOut(deps, given, reserved.value) : reserved;
}

/** The reservation of this very request: made by an earlier call, or now. */
async function reserve(deps: OperationsDeps, given: GivenRequest): Promise<Result<Reservation>> {
  const key = keyOf(given);
  const taken = await deps.reservations.find(key);
  const resumed = taken && resume(taken, await identify(deps, given));
  if (resumed) {
    return resumed;
  }
  const checked = await checkRequest(deps, given, taken !== undefined);
  if (!checked.ok) {
    return checked;
  }
  const { payer, quote } = checked.value;
  const digest = digestOf(deps, given, payer.phoneNumber, quote.recipientAmount);
  const reservation = { digest, terms: checked.value };
  try {
    return await deps.transaction((session) => open(deps, given, reservation, session), turnFor(given));
  } catch (error) {
    if (!isDuplicateKey(error)) {
      throw error;
    }
    const winner = await deps.reservations.find(key);
    return (winner && resume(winner, digest)) ?? idTaken();
  }
}

/** Both transactions hold the user, as every other one that must not come through beside a block. */
function turnFor({ tenant: { tenantId }, userId }: GivenRequest): string {
  return turnOf(tenantId, { userId });
}

async function open(
  deps: OperationsDeps,
  given: GivenRequest,
  reservation: Reservation,
  session: ClientSession,
): Promise<Result<Reservation>> {
  const allowed = await checkUser(deps, given, session);
  if (!allowed.ok) {
    return allowed;
  }
  await deps.reservations.open(keyOf(given), reservation, session);
  return succeed(reservation);
}

/** What the id has in store for a request with this digest; undefined for another request, and when it is used. */
function resume(taken: TakenId, digest: string | undefined): Result<Reservation> | undefined {
  switch (taken.kind) {
    case 'open':
      return taken.reservation.digest === digest ? succeed(taken.reservation) : undefined;
    case 'refused':
      return taken.digest === digest ? { ok: false, failures: [taken.failure] } : undefined;
    case 'used':
      return undefined;
  }
}

/**
 * The digest of a request, made without the checks that a request under way has passed: a route, a rate or a dial code may
 * be gone since. Undefined when there can be no reservation for it.
 */
async function identify(deps: OperationsDeps, given: GivenRequest): Promise<string | undefined> {
  const { tenant, userId } = given;
  const amount = readRequestedAmount(given.given);
  const owner = { tenantId: tenant.tenantId, userId };
  const payer = await locatePayer(deps.users, tenant, owner, given.given.requestTo);
  return amount.ok && payer.ok ? digestOf(deps, given, payer.value.phoneNumber, amount.amount) : undefined;
}

function digestOf(
  { blindIndex }: OperationsDeps,
  { tenant: { tenantId }, environment, userId, given }: GivenRequest,
  phoneNumber: string,
  amount: string,
): string {
  return digestRequest(blindIndex, { tenantId, environment, userId, phoneNumber, amount, given });
}

/** Asks the providers for what was reserved, and stores the operation. */
async function carryOut(
  deps: OperationsDeps,
  given: GivenRequest,
  reservation: Reservation,
): Promise<Result<OperationDocument>> {
  const payout = toPayout(given.given, reservation.terms.quote.recipientCurrency);
  const answer = await callProviders(deps, given, reservation, payout);
  switch (answer.kind) {
    case 'accepted':
      return store(deps, given, reservation, payout);
    case 'refused':
      return keepFailure(deps, given, reservation, answer);
    case 'unavailable':
      return fail('ERROR_INTERNAL_SERVER_ERROR');
  }
}

/** A provider's answer, and which part of the request it is about. */
type Answer = ProviderAnswer<ErrorCode> & { readonly path?: readonly string[] };

/** The payout method first, then the payer; both under keys that no other request has. */
async function callProviders(
  { providers }: OperationsDeps,
  given: GivenRequest,
  { digest, terms: { payer, quote } }: Reservation,
  payout: Payout,
): Promise<Answer> {
  const { tenantId, operationId } = keyOf(given);
  const call = (step: 'PAYMENT_METHOD' | 'REQUEST_MONEY') => ({
    idempotencyKey: providerKey(tenantId, operationId, digest, step),
    tenantId,
    environment: given.environment,
  });
  const verified = await verifyPayout(providers, payout, call('PAYMENT_METHOD'));
  return verified.kind === 'accepted'
    ? callFunding(providers.funding, { tenantId, operationId, payer, quote }, call('REQUEST_MONEY'))
    : { ...verified, path: ['destinationPaymentMethod'] };
}

async function keepFailure(
  deps: OperationsDeps,
  given: GivenRequest,
  reservation: Reservation,
  { code, reason, path }: Extract<Answer, { kind: 'refused' }>,
): Promise<Result<never>> {
  const failure = { code, message: reason, ...(path && { path }) };
  return (await retryOnConflict(() => deps.reservations.fail(keyOf(given), failure)))
    ? { ok: false, failures: [failure] }
    : overtaken(deps, given, reservation);
}

async function store(
  deps: OperationsDeps,
  given: GivenRequest,
  reservation: Reservation,
  payout: Payout,
): Promise<Result<OperationDocument>> {
  // Somebody else may make the same contact or payment method first: the next time it is found.
  const stored = await retryOnConflict(() =>
    deps.transaction((session) => storeWithin(deps, given, reservation, payout, session), turnFor(given)),
  );
  if (stored === undefined) {
    return overtaken(deps, given, reservation);
  }
  deps.events.wake();
  return stored;
}

/** What an identical call, which was quicker, has left for this one. */
async function overtaken(
  deps: OperationsDeps,
  given: GivenRequest,
  { digest }: Reservation,
): Promise<Result<never>> {
  const taken = await deps.reservations.find(keyOf(given));
  const left = taken && resume(taken, digest);
  return left && !left.ok ? left : idTaken();
}

/** Undefined when an identical call has ended the reservation. */
async function storeWithin(
  deps: OperationsDeps,
  given: GivenRequest,
  { terms: { payer, quote, attributionLink } }: Reservation,
  payout: Payout,
  session: ClientSession,
): Promise<Result<OperationDocument> | undefined> {
  const allowed = await checkUser(deps, given, session);
  if (!allowed.ok) {
    return allowed;
  }
  const key = keyOf(given);
  if (!(await deps.reservations.close(key, session))) {
    return undefined;
  }
  const { userId, given: body } = given;
  const at = deps.clock();
  const owner = { tenantId: key.tenantId, userId, at };
  const { phoneNumber, country } = payer;
  const contact = { phoneNumber, ...(country !== undefined && { countryCode: country }) };
  const contactId =
    payer.contactId ?? (await deps.users.keepContact({ ...owner, contact }, session)).contactId;
  const { paymentMethodId } =
    'method' in payout
      ? await deps.users.keepPaymentMethod({ ...owner, method: payout.method }, session)
      : payout;
  const reason = body.reason === undefined ? {} : { reason: body.reason };
  return succeed(
    await request(
      deps,
      { ...key, ...reason, userId, contactId, paymentMethodId, quote, attributionLink, at },
      session,
    ),
  );
}

/** The user may have been blocked since the last look. */
async function checkUser(
  { users }: OperationsDeps,
  { tenant: { tenantId }, userId }: GivenRequest,
  session: ClientSession,
): Promise<Result<void>> {
  const user = await users.accountState(tenantId, userId, session);
  if (!user) {
    return fail('ERROR_SUBSCRIBER_NOT_FOUND');
  }
  return user.blocked ? userBlocked() : succeed(undefined);
}

function userBlocked(): Result<never> {
  return fail('ERROR_INVALID_OPERATION', 'The user is blocked.');
}

function keyOf({ tenant: { tenantId }, given: { correlationId } }: GivenRequest): OperationKey {
  return { tenantId, operationId: correlationId };
}
