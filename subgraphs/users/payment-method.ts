import type { AccountDetails, CardDetails } from '../providers/types.ts';

/** Types of a payout method (decisions, section 2). */
export const PAYMENT_METHOD_TYPES = ['DebitCard', 'CreditCard', 'UBN', 'CashPickup'] as const;
export type PaymentMethodType = (typeof PAYMENT_METHOD_TYPES)[number];

/** A payout method with its number: as received, and for the providers; never stored like this. */
export type PaymentMethodInput =
  | ({ type: 'DebitCard' | 'CreditCard' } & CardDetails)
  | ({ type: 'UBN' } & AccountDetails)
  | { type: 'CashPickup'; country: string; currency: string };

/** A payout method that its provider verifies before it is stored. */
export type VerifiableMethod = Exclude<PaymentMethodInput, { type: 'CashPickup' }>;

/** How ids of payout methods begin. */
export const PAYMENT_METHOD_ID = 'pm_';

/** A payout method for display: a card by its token, an account by its number, cash without one. */
export interface PaymentMethodRecord {
  paymentMethodId: string;
  userId: string;
  type: PaymentMethodType;
  country: string;
  currency: string;
  number?: string;
  isPrimary: boolean;
  createdAt: Date;
}

/** Whether payouts of this type go to a card. */
export function isCard(type: PaymentMethodType | undefined): type is 'DebitCard' | 'CreditCard' {
  return type === 'DebitCard' || type === 'CreditCard';
}
