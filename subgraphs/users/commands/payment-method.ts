import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { checkedLater } from '../../kernel/json/fields.ts';
import { unreadMessage } from '../../kernel/json/parse-json.ts';
import { isCountry, isCurrency } from '../../kernel/money/iso.ts';
import { isCardNumber, isCurrentExpiry, toCardDigits } from '../../kernel/person/card.ts';
import { findNameIssue } from '../../kernel/person/name.ts';
import {
  isCard,
  PAYMENT_METHOD_TYPES,
  type PaymentMethodInput,
  type PaymentMethodType,
  type VerifiableMethod,
} from '../payment-method.ts';
import { readShape } from './shape.ts';

/** Characters of the name on a card. */
const LONGEST_HOLDER = 255;
const LONGEST_NUMBER = 255;

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

/** Fields that a type does not need, and so does not check. */
const NEEDLESS = {
  DebitCard: [],
  CreditCard: [],
  UBN: ['nameOnCard', 'expirationDate'],
  CashPickup: ['number', 'nameOnCard', 'expirationDate'],
} as const satisfies Readonly<Record<PaymentMethodType, readonly (keyof z.output<typeof method>)[]>>;

/**
 * A payout method as sent: `destinationPaymentMethod`, or the body of `addCard` and `addUBN` (document 1). Unknown properties
 * are ignored. A value that is no object counts as one without properties: then it has no type, which has a code of its own.
 * An issue of its shape is a value that is no text where the type does not need it.
 */
export const methodShape = z.preprocess(
  (value) => (isRecord(value) ? value : {}),
  method.superRefine((raw, context) => {
    const type = readMethodType(raw);
    for (const field of type ? NEEDLESS[type] : []) {
      if (raw[field] !== undefined && typeof raw[field] !== 'string') {
        context.addIssue({ code: 'custom', path: [field], message: 'must be a string' });
      }
    }
  }),
);

export type RawPaymentMethod = z.output<typeof methodShape>;

/** The type of a payout method as sent; undefined for anything but a known type. */
export function readMethodType(value: unknown): PaymentMethodType | undefined {
  return isRecord(value) ? PAYMENT_METHOD_TYPES.find((type) => type === value.type) : undefined;
}

/** Whether the name on a card is missing or not one (decisions, section 2 and section 8, "Names of people"): INVALID_NAME. */
export function holderIssue(raw: RawPaymentMethod): 'INVALID_NAME' | undefined {
  const { nameOnCard: name } = raw;
  const isName =
    typeof name === 'string' && [...name].length <= LONGEST_HOLDER && findNameIssue(name) === undefined;
  return isCard(readMethodType(raw)) && !isName ? 'INVALID_NAME' : undefined;
}

/**
 * The issue of a payout method's number: ERROR_UBN_NUMBER_REQUIRED for an account without one,
 * ERROR_CARD_VERIFICATION for a card number that fails Luhn.
 */
export function numberIssue(raw: RawPaymentMethod): ErrorCode | undefined {
  const type = readMethodType(raw);
  const { number } = raw;
  if (type === 'UBN') {
    return isAccountNumber(number) ? undefined : 'ERROR_UBN_NUMBER_REQUIRED';
  }
  const isGood = typeof number === 'string' && isCardNumber(toCardDigits(number));
  return isCard(type) && !isGood ? 'ERROR_CARD_VERIFICATION' : undefined;
}

/** The issue of a card's expiration date: ERROR_CARD_VERIFICATION for a MMYY that is invalid or past. */
export function expiryIssue(raw: RawPaymentMethod, now: Date): ErrorCode | undefined {
  const { expirationDate } = raw;
  const isGood = typeof expirationDate === 'string' && isCurrentExpiry(expirationDate, now);
  return isCard(readMethodType(raw)) && !isGood ? 'ERROR_CARD_VERIFICATION' : undefined;
}

/**
 * The first issue of a payout method's name, number and expiration date, at its field: those of {@link holderIssue}, {@link numberIssue} and
 * {@link expiryIssue}.
 * @param path of the method in its body
 */
export function checkMethod(raw: RawPaymentMethod, now: Date, path: readonly string[] = []): Result<void> {
  const issues = {
    nameOnCard: holderIssue(raw),
    number: numberIssue(raw),
    expirationDate: expiryIssue(raw, now),
  };
  for (const [field, code] of Object.entries(issues)) {
    if (code !== undefined) {
      return fail(code, undefined, [...path, field]);
    }
  }
  return succeed(undefined);
}

/**
 * A payout method that has passed every check, in the form that it is verified and kept in: of a card number the digits.
 * @param recipientCurrency the currency of a cash pickup that names none
 * @throws TypeError for a body that was not checked
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
  if (type === 'UBN') {
    return { type, ...account };
  }
  if (!isCard(type)) {
    throw new TypeError(NOT_CHECKED);
  }
  return {
    type,
    ...account,
    number: toCardDigits(account.number),
    nameOnCard: checked(raw.nameOnCard),
    expirationDate: checked(raw.expirationDate),
  };
}

/**
 * Reads a card to add (`addCard`). Fails with ERROR_REQUEST_MONEY_FULL, ERROR_PAYMENT_METHOD_NOT_FOUND,
 * ERROR_INVALID_COUNTRY_CODE, ERROR_INVALID_CURRENCY_CODE, INVALID_NAME, ERROR_CARD_VERIFICATION; the first one counts.
 */
export function readCard(body: unknown, now: Date): Result<VerifiableMethod> {
  return readMethod(body, now, (raw) => isCard(readMethodType(raw)));
}

/**
 * Reads a bank account to add (`addUBN`), which has no `type`. Fails as {@link readCard} does, with
 * ERROR_UBN_NUMBER_REQUIRED for the number.
 */
export function readUbn(body: unknown, now: Date): Result<VerifiableMethod> {
  return readMethod(isRecord(body) ? { ...body, type: 'UBN' } : body, now, () => true);
}

function readMethod(
  body: unknown,
  now: Date,
  isWanted: (raw: RawPaymentMethod) => boolean,
): Result<VerifiableMethod> {
  if (!isRecord(body)) {
    return fail('ERROR_REQUEST_MONEY_FULL', `The body ${unreadMessage(body) ?? 'must be an object'}`, []);
  }
  const read = readShape(methodShape, body);
  if (!read.ok) {
    return read;
  }
  const raw = read.value;
  if (!isWanted(raw)) {
    return fail('ERROR_PAYMENT_METHOD_NOT_FOUND', 'type must be DebitCard or CreditCard', ['type']);
  }
  if (typeof raw.country !== 'string' || !isCountry(raw.country)) {
    return fail('ERROR_INVALID_COUNTRY_CODE', undefined, ['country']);
  }
  if (typeof raw.currency !== 'string' || !isCurrency(raw.currency)) {
    return fail('ERROR_INVALID_CURRENCY_CODE', undefined, ['currency']);
  }
  const good = checkMethod(raw, now);
  if (!good.ok) {
    return good;
  }
  const method = toPaymentMethod(raw, raw.currency);
  if (method.type === 'CashPickup') {
    throw new TypeError('Cash is no method that a provider verifies');
  }
  return succeed(method);
}

function isAccountNumber(number: unknown): boolean {
  return typeof number === 'string' && number.length <= LONGEST_NUMBER && findNameIssue(number) === undefined;
}

const NOT_CHECKED = 'A payment method is checked before it is read';

function checked(value: unknown): string {
  if (typeof value !== 'string') {
    throw new TypeError(NOT_CHECKED);
  }
  return value;
}

/** Whether a JSON value is an object: not null, no list and no number. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}
