import { retryOnConflict } from '../../platform/database/transaction.ts';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { isCountry, isCurrency } from '../../platform/money/iso.ts';
import type { Principal } from '../../platform/principal.ts';
import { providerKey } from '../../platform/providers/provider-key.ts';
import type { ProviderAnswer } from '../../platform/providers/types.ts';
import {
  isCard,
  isRecord,
  methodIssue,
  methodShape,
  type RawPaymentMethod,
  readMethodType,
  toPaymentMethod,
} from '../commands/payment-method.ts';
import { toShapeFailure } from '../commands/registration.ts';
import type { UsersDeps } from '../deps.ts';
import { noSuchUser } from '../errors.ts';
import type { PaymentMethodInput, PaymentMethodRecord } from '../port.ts';
import { keepPaymentMethod } from './keep-payment-method.ts';
import { type VerificationCode, verifyPaymentMethod } from './verify-payment-method.ts';

/** A method that a provider verifies before it is kept. */
type Verified = Exclude<PaymentMethodInput, { type: 'CashPickup' }>;

type Deps = Pick<UsersDeps, 'users' | 'paymentMethods' | 'keys' | 'providers' | 'transaction' | 'clock'>;

/**
 * Adds a card to a user's payout methods. Refusals, in this order: ERROR_SUBSCRIBER_NOT_FOUND, ERROR_REQUEST_MONEY_FULL,
 * ERROR_PAYMENT_METHOD_NOT_FOUND, ERROR_INVALID_COUNTRY_CODE, ERROR_INVALID_CURRENCY_CODE, ERROR_CARD_VERIFICATION,
 * CARD_VERIFICATION_ERROR when the provider refuses the card, ERROR_INTERNAL_SERVER_ERROR when it does not answer.
 * @param body the JSON value of `{type, number, nameOnCard, expirationDate, country, currency}`
 */
export function addCard(deps: Deps, principal: Principal, userId: string, body: unknown) {
  return add(deps, principal, userId, body, (raw) => isCard(readMethodType(raw)));
}

/**
 * Adds a bank account. Refusals as those of {@link addCard}, with ERROR_UBN_NUMBER_REQUIRED for the number and
 * ERROR_ERROR_ADD_SOURCE_UBN_ERROR from the provider.
 * @param body the JSON value of `{number, currency, country}`
 */
export function addUbn(deps: Deps, principal: Principal, userId: string, body: unknown) {
  return add(deps, principal, userId, isRecord(body) ? { ...body, type: 'UBN' } : body, () => true);
}

async function add(
  deps: Deps,
  principal: Principal,
  userId: string,
  body: unknown,
  isWanted: (raw: RawPaymentMethod) => boolean,
): Promise<Result<PaymentMethodRecord>> {
  const { tenantId } = principal;
  if (!(await deps.users.identify(tenantId, { userId }))) {
    return noSuchUser();
  }
  const at = deps.clock();
  const read = readBody(body, isWanted, at);
  if (!read.ok) {
    return read;
  }
  const owner = { tenantId, userId };
  const same = await deps.paymentMethods.findSame(owner, read.value);
  if (same) {
    return succeed(same);
  }
  const verified = await verify(deps, principal, userId, read.value);
  if (verified.kind !== 'accepted') {
    return verified.kind === 'refused'
      ? fail(verified.code, verified.reason)
      : fail('ERROR_INTERNAL_SERVER_ERROR');
  }
  const kept = { ...owner, method: read.value, at };
  return succeed(
    await retryOnConflict(() => deps.transaction((session) => keepPaymentMethod(deps, kept, session))),
  );
}

function readBody(body: unknown, isWanted: (raw: RawPaymentMethod) => boolean, now: Date): Result<Verified> {
  if (!isRecord(body)) {
    return fail('ERROR_REQUEST_MONEY_FULL', 'The body must be an object', []);
  }
  const parsed = methodShape.safeParse(body);
  if (!parsed.success) {
    return { ok: false, failures: parsed.error.issues.map((issue) => toShapeFailure(issue)) };
  }
  const raw = parsed.data;
  if (!isWanted(raw)) {
    return fail('ERROR_PAYMENT_METHOD_NOT_FOUND', 'type must be DebitCard or CreditCard', ['type']);
  }
  if (typeof raw.country !== 'string' || !isCountry(raw.country)) {
    return fail('ERROR_INVALID_COUNTRY_CODE', undefined, ['country']);
  }
  if (typeof raw.currency !== 'string' || !isCurrency(raw.currency)) {
    return fail('ERROR_INVALID_CURRENCY_CODE', undefined, ['currency']);
  }
  const issue = methodIssue(raw, now);
  return issue === undefined
    ? succeed(toPaymentMethod(raw, raw.currency) as Verified)
    : fail(issue, undefined, ['number']);
}

/**
 * Asks the provider, outside of any transaction; the same method of a user is asked for under the same key, one with a
 * name or a month put right under another: its answer may be another one.
 */
function verify(
  { providers, keys }: Deps,
  { tenantId, environment }: Principal,
  userId: string,
  method: Verified,
): Promise<ProviderAnswer<VerificationCode>> {
  const idempotencyKey = providerKey(tenantId, userId, keys.verification(tenantId, method));
  const call = { idempotencyKey, tenantId, environment };
  return verifyPaymentMethod(providers, method, call);
}
