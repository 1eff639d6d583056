import type { ProviderAnswer, ProviderCall, ProviderName, Providers } from '../../providers/types.ts';
import type { PaymentMethodInput, PaymentMethodType } from '../payment-method.ts';

/** Codes of a payout method that its provider declines. */
export type VerificationCode = 'CARD_VERIFICATION_ERROR' | 'ERROR_ERROR_ADD_SOURCE_UBN_ERROR';

/** The provider that verifies methods of a type; none for cash. */
export function verifiersOf(type: PaymentMethodType): ProviderName[] {
  switch (type) {
    case 'CashPickup':
      return [];
    case 'UBN':
      return ['ubn'];
    default:
      return ['cards'];
  }
}

/** Lets the provider of its kind verify a payout method; cash has none. Never call it inside a transaction. */
export async function verifyPaymentMethod(
  { cards, ubn }: Pick<Providers, 'cards' | 'ubn'>,
  method: PaymentMethodInput,
  call: ProviderCall,
): Promise<ProviderAnswer<VerificationCode>> {
  switch (method.type) {
    case 'CashPickup':
      return { kind: 'accepted' };
    case 'UBN': {
      const { type: _, ...account } = method;
      return ubn.verify(account, call);
    }
    default: {
      const { type: _, ...card } = method;
      return cards.verify(card, call);
    }
  }
}
