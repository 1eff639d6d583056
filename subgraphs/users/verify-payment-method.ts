import type { AccountDetails, ProviderAnswer, ProviderCall, Providers } from '../platform/providers/types.ts';
import type { PaymentMethodInput } from './port.ts';

/** Codes of a payout method that its provider refuses. */
export type VerificationCode = 'CARD_VERIFICATION_ERROR' | 'ERROR_ERROR_ADD_SOURCE_UBN_ERROR';

/** Has the provider of its kind verify a payout method; cash has none. Never inside a transaction. */
export async function verifyPaymentMethod(
  { cards, ubn }: Pick<Providers, 'cards' | 'ubn'>,
  method: PaymentMethodInput,
  call: ProviderCall,
): Promise<ProviderAnswer<VerificationCode>> {
  const { type, ...details } = method;
  if (type === 'CashPickup') {
    return { kind: 'accepted' };
  }
  return 'nameOnCard' in details ? cards.verify(details, call) : ubn.verify(details as AccountDetails, call);
}
