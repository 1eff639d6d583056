import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { ErrorCode } from '../../platform/errors/catalogue.ts';
import { checkedLater } from '../../platform/json/fields.ts';
import { text } from '../../platform/json/schemas.ts';
import { isCardNumber, isCurrentExpiry, toCardDigits } from '../../platform/person/card.ts';
import { PAYMENT_METHOD_TYPES, type PaymentMethodInput, type PaymentMethodType } from '../port.ts';

const method = z.object(
  {
    type: checkedLater(`One of ${PAYMENT_METHOD_TYPES.join(', ')}.`),
    number: checkedLater('Card number, or number of the account.').optional(),
    nameOnCard: checkedLater('For cards.').optional(),
    expirationDate: checkedLater('MMYY, for cards.').optional(),
    country: checkedLater('ISO 3166-1 alpha-2.'),
    currency: checkedLater('ISO 4217.'),
  },
  'must be an object',
);

/** What a type does not need, and so has no check of. */
const NEEDLESS = {
  DebitCard: [],
  CreditCard: [],
  UBN: ['nameOnCard', 'expirationDate'],
  CashPickup: ['number', 'nameOnCard', 'expirationDate'],
} as const satisfies Readonly<Record<PaymentMethodType, readonly (keyof z.output<typeof method>)[]>>;

/**
 * A payout method as it is sent: `destinationPaymentMethod`, or the body of `addCard` and `addUBN` (document 1). What it
 * does not know it ignores. What is no object is read as one without properties: it has no type then, which has a code
 * of its own. Its faults of shape are a card without a name, and what is no text where the type does not need it.
 */
export const methodShape = z.preprocess(
  (value) => (isRecord(value) ? value : {}),
  method.superRefine((raw, context) => {
    const type = readMethodType(raw);
    const name = isCard(type) ? text.safeParse(raw.nameOnCard) : undefined;
    for (const { message } of name?.error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['nameOnCard'], message });
    }
    for (const field of type ? NEEDLESS[type] : []) {
      if (raw[field] !== undefined && typeof raw[field] !== 'string') {
        context.addIssue({ code: 'custom', path: [field], message: 'must be a string' });
      }
    }
  }),
);

export type RawPaymentMethod = z.output<typeof methodShape>;

/** The type of a payout method as it was sent; undefined for an unknown one, and for what is no payout method at all. */
export function readMethodType(value: unknown): PaymentMethodType | undefined {
  return isRecord(value) ? PAYMENT_METHOD_TYPES.find((type) => type === value.type) : undefined;
}

/**
 * What is wrong with the number of a payout method: ERROR_UBN_NUMBER_REQUIRED for an account without one,
 * ERROR_CARD_VERIFICATION for a card number that fails Luhn, and for a MMYY that is none or is over.
 */
export function methodIssue(raw: RawPaymentMethod, now: Date): ErrorCode | undefined {
  const type = readMethodType(raw);
  if (type === 'UBN') {
    return isAccountNumber(raw.number) ? undefined : 'ERROR_UBN_NUMBER_REQUIRED';
  }
  return isCard(type) && !isGoodCard(raw, now) ? 'ERROR_CARD_VERIFICATION' : undefined;
}

/**
 * A payout method that has passed every check, in the form that it is verified and kept in: of a card number the digits.
 * @param recipientCurrency what a pickup of cash is paid in when it does not say
 * @throws TypeError for what has not been checked
 */
export function toPaymentMethod(raw: RawPaymentMethod, recipientCurrency: string): PaymentMethodInput {
  const type = readMethodType(raw);
  const country = checked(raw.country);
  if (type === 'CashPickup') {
    return {
      type,
      country,
      currency: raw.currency === undefined ? recipientCurrency : checked(raw.currency),
    };
  }
  const account = { number: checked(raw.number), country, currency: checked(raw.currency) };
  if (!isCard(type)) {
    return { type: checked<'UBN'>(type), ...account };
  }
  return {
    type,
    ...account,
    number: toCardDigits(account.number),
    nameOnCard: checked(raw.nameOnCard),
    expirationDate: checked(raw.expirationDate),
  };
}

/** Whether payouts of this type go to a card. */
export function isCard(type: PaymentMethodType | undefined): type is 'DebitCard' | 'CreditCard' {
  return type === 'DebitCard' || type === 'CreditCard';
}

function isGoodCard({ number, expirationDate }: RawPaymentMethod, now: Date): boolean {
  return (
    typeof number === 'string' &&
    isCardNumber(toCardDigits(number)) &&
    typeof expirationDate === 'string' &&
    isCurrentExpiry(expirationDate, now)
  );
}

function isAccountNumber(number: unknown): boolean {
  return typeof number === 'string' && number.trim() !== '' && text.safeParse(number).success;
}

function checked<Text extends string = string>(value: unknown): Text {
  if (typeof value !== 'string') {
    throw new TypeError('A payment method is checked before it is read');
  }
  return value as Text;
}

/** Whether a JSON value is an object: not null, no list and no number. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
