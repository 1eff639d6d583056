import { type Result, refuse, succeed } from '../platform/errors/refusal.ts';
import type { ProviderCall, Providers } from '../platform/providers/types.ts';
import {
  methodFault,
  type PaymentMethodInput,
  type PaymentMethodType,
  type RawPaymentMethod,
  readMethodType,
  toPaymentMethod,
  type UsersPort,
  verifyPaymentMethod,
} from '../users/index.ts';
import type { RawRequestMoneyV2 } from './request-money-v2-body.ts';

/** Where the money is paid out to: a method that the user has, or one that is still to be verified and kept. */
export interface Destination {
  type: PaymentMethodType;
  /** Its country and currency as they were sent, checked by the corridor and the currency. */
  country: unknown;
  currency: unknown;
  source: { paymentMethodId: string } | { raw: RawPaymentMethod };
}

/**
 * The payout method of a request.
 * Refusals: ERROR_PAYMENT_METHOD_NOT_FOUND, and those of a method in full: ERROR_UBN_NUMBER_REQUIRED,
 * ERROR_CARD_VERIFICATION.
 */
export async function findDestination(
  users: Pick<UsersPort, 'findPaymentMethod'>,
  owner: { tenantId: string; userId: string },
  asked: Pick<RawRequestMoneyV2, 'destination' | 'recipientCurrency'>,
  now: Date,
): Promise<Result<Destination>> {
  const { destination } = asked;
  if ('method' in destination) {
    return readMethod(destination.method, asked.recipientCurrency, now);
  }
  const { id } = destination;
  const found =
    typeof id === 'string' ? await users.findPaymentMethod({ ...owner, paymentMethodId: id }) : undefined;
  if (!found) {
    return refuse('ERROR_PAYMENT_METHOD_NOT_FOUND', undefined, ['destinationPaymentMethodId']);
  }
  const { type, country, currency, paymentMethodId } = found;
  return succeed({ type, country, currency, source: { paymentMethodId } });
}

function readMethod(raw: RawPaymentMethod, recipientCurrency: unknown, now: Date): Result<Destination> {
  const type = readMethodType(raw);
  const path = ['destinationPaymentMethod'];
  if (type === undefined) {
    return refuse('ERROR_PAYMENT_METHOD_NOT_FOUND', undefined, path);
  }
  const fault = methodFault(raw, now);
  if (fault !== undefined) {
    return refuse(fault, undefined, path);
  }
  const { country, currency = type === 'CashPickup' ? recipientCurrency : undefined } = raw;
  return succeed({ type, country, currency, source: { raw } });
}

/** A payout method that may be paid to: one that the user has, or one to be kept. */
export type Payout = { paymentMethodId: string } | { method: PaymentMethodInput };

/**
 * Has a method in full verified, once all else about a request is known to be good.
 * Refusals: CARD_VERIFICATION_ERROR, ERROR_ERROR_ADD_SOURCE_UBN_ERROR; ERROR_INTERNAL_SERVER_ERROR when the provider
 * gives no answer.
 */
export async function verifyDestination(
  providers: Pick<Providers, 'cards' | 'ubn'>,
  { source }: Destination,
  recipientCurrency: string,
  call: ProviderCall,
): Promise<Result<Payout>> {
  if ('paymentMethodId' in source) {
    return succeed(source);
  }
  const method = toPaymentMethod(source.raw, recipientCurrency);
  const answer = await verifyPaymentMethod(providers, method, call);
  switch (answer.kind) {
    case 'accepted':
      return succeed({ method });
    case 'refused':
      return refuse(answer.code, answer.reason, ['destinationPaymentMethod']);
    case 'unavailable':
      return refuse('ERROR_INTERNAL_SERVER_ERROR');
  }
}
