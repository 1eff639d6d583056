import { environmentOf } from '../../kernel/account.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { providerKey } from '../../providers/provider-key.ts';
import type { ProviderAnswer } from '../../providers/types.ts';
import { readCard, readUbn } from '../commands/payment-method.ts';
import type { UsersDeps } from '../deps.ts';
import { noSuchUser, unlessErased } from '../errors.ts';
import type { PaymentMethodRecord, VerifiableMethod } from '../payment-method.ts';
import { keepPaymentMethod } from './keep-payment-method.ts';
import { type VerificationCode, verifiersOf, verifyPaymentMethod } from './verify-payment-method.ts';

type Deps = Pick<
  UsersDeps,
  'users' | 'paymentMethods' | 'keys' | 'providers' | 'transaction' | 'accountClock'
>;

/**
 * Adds a card to a user's payout methods. Fails with ERROR_SUBSCRIBER_NOT_FOUND or USER_ERASED, then as {@link readCard} does, then
 * with PROVIDER_NOT_CONFIGURED, CARD_VERIFICATION_ERROR when the provider declines the card, or
 * ERROR_INTERNAL_SERVER_ERROR when it does not answer.
 * @param body the JSON value of `{type, number, nameOnCard, expirationDate, country, currency}`
 */
export function addCard(deps: Deps, principal: Principal, userId: string, body: unknown) {
  return add(deps, principal, userId, (now) => readCard(body, now));
}

/**
 * Adds a bank account. Fails as {@link addCard} does, with ERROR_UBN_NUMBER_REQUIRED for the number and
 * ERROR_ERROR_ADD_SOURCE_UBN_ERROR from the provider.
 * @param body the JSON value of `{number, currency, country}`
 */
export function addUbn(deps: Deps, principal: Principal, userId: string, body: unknown) {
  return add(deps, principal, userId, (now) => readUbn(body, now));
}

async function add(
  deps: Deps,
  principal: Principal,
  userId: string,
  readAt: (now: Date) => Result<VerifiableMethod>,
): Promise<Result<PaymentMethodRecord>> {
  const { accountId } = principal;
  const user = await deps.users.identify(accountId, { userId });
  if (!user) {
    return noSuchUser();
  }
  if (user.isErased) {
    return fail('USER_ERASED');
  }
  const at = deps.accountClock(accountId);
  const read = readAt(at);
  if (!read.ok) {
    return read;
  }
  const owner = { accountId, userId };
  const same = await deps.paymentMethods.findSame(owner, read.value);
  if (same) {
    return succeed(same);
  }
  const configured = deps.providers.requireConfigured(environmentOf(accountId), verifiersOf(read.value.type));
  if (!configured.ok) {
    return configured;
  }
  const verified = await verify(deps, principal, userId, read.value);
  if (verified.kind !== 'accepted') {
    return verified.kind === 'rejected'
      ? fail(verified.code, verified.reason)
      : fail('ERROR_INTERNAL_SERVER_ERROR');
  }
  const kept = { ...owner, method: read.value, at };
  return unlessErased(() =>
    retryOnConflict(() =>
      deps.transaction((unit) => {
        deps.users.requireNotErased(accountId, userId, unit);
        return keepPaymentMethod(deps, kept, unit);
      }),
    ),
  );
}

/**
 * Calls the provider, outside of any transaction. The same method of a user has the same key on each call. A method
 * with a corrected name or month has another key, for its answer may be another one.
 */
function verify(
  { providers, keys }: Deps,
  { accountId }: Principal,
  userId: string,
  method: VerifiableMethod,
): Promise<ProviderAnswer<VerificationCode>> {
  const idempotencyKey = providerKey(accountId, userId, keys.verification(accountId, method));
  const call = { idempotencyKey, accountId };
  return verifyPaymentMethod(providers, method, call);
}
