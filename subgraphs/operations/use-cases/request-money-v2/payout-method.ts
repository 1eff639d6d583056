import type { AccountId } from '../../../kernel/account.ts';
import { fail, type Result, succeed } from '../../../kernel/errors/result.ts';
import type { ProviderAnswer, ProviderCall, ProviderName, Providers } from '../../../providers/types.ts';
import {
  checkMethod,
  type PaymentMethodInput,
  type PaymentMethodType,
  type RawPaymentMethod,
  readMethodType,
  toPaymentMethod,
  type UsersPort,
  type VerificationCode,
  verifiersOf,
  verifyPaymentMethod,
} from '../../../users/index.ts';
import type { RequestMoneyV2Command } from '../../commands/request-money-v2.ts';
import type { Terms } from '../../store/reservations.ts';

/** The payout method of a request: one of the user's, or one to verify and store. */
export type Payout = { readonly paymentMethodId: string } | { readonly method: PaymentMethodInput };

/** The payout's fields that the checks of corridor and currency need. */
export interface Destination {
  type: PaymentMethodType;
  /** The values as sent, for the checks of corridor and currency. */
  country: unknown;
  currency: unknown;
}

/**
 * The payout method of a request.
 * Failures: ERROR_PAYMENT_METHOD_NOT_FOUND, and those of a method that is sent in full: INVALID_NAME,
 * ERROR_UBN_NUMBER_REQUIRED, ERROR_CARD_VERIFICATION.
 */
export async function findDestination(
  users: Pick<UsersPort, 'findPaymentMethod'>,
  owner: { accountId: AccountId; userId: string },
  given: Pick<RequestMoneyV2Command, 'destination' | 'recipientCurrency'>,
  now: Date,
): Promise<Result<Destination>> {
  const { destination } = given;
  if ('method' in destination) {
    return readMethod(destination.method, given.recipientCurrency, now);
  }
  const { id } = destination;
  const found =
    typeof id === 'string' ? await users.findPaymentMethod({ ...owner, paymentMethodId: id }) : undefined;
  if (!found) {
    return fail('ERROR_PAYMENT_METHOD_NOT_FOUND', undefined, ['destinationPaymentMethodId']);
  }
  const { type, country, currency } = found;
  return succeed({ type, country, currency });
}

function readMethod(raw: RawPaymentMethod, recipientCurrency: unknown, now: Date): Result<Destination> {
  const type = readMethodType(raw);
  const path = ['destinationPaymentMethod'];
  if (type === undefined) {
    return fail('ERROR_PAYMENT_METHOD_NOT_FOUND', undefined, path);
  }
  const checked = checkMethod(raw, now, path);
  if (!checked.ok) {
    return checked;
  }
  const { country, currency = type === 'CashPickup' ? recipientCurrency : undefined } = raw;
  return succeed({ type, country, currency });
}

/**
 * The payout method of a request whose command has passed {@link findDestination}, now or when its id was reserved. A method
 * that the command gives in full is one of the user's since it was verified.
 */
export function payoutOf(
  { quote, paymentMethodId }: Pick<Terms, 'quote' | 'paymentMethodId'>,
  { destination }: Pick<RequestMoneyV2Command, 'destination'>,
): Payout {
  if (paymentMethodId !== undefined) {
    return { paymentMethodId };
  }
  return 'method' in destination
    ? { method: toPaymentMethod(destination.method, quote.recipientCurrency) }
    : { paymentMethodId: String(destination.id) };
}

/** The providers that a request with this payout method needs. */
export function providersFor(payout: Payout): ProviderName[] {
  return [...('method' in payout ? verifiersOf(payout.method.type) : []), 'funding'];
}

/** Lets the provider verify a method that is sent in full. The user's own methods were verified when they were stored. */
export async function verifyPayout(
  providers: Pick<Providers, 'cards' | 'ubn'>,
  payout: Payout,
  call: ProviderCall,
): Promise<ProviderAnswer<VerificationCode>> {
  return 'method' in payout ? verifyPaymentMethod(providers, payout.method, call) : { kind: 'accepted' };
}
