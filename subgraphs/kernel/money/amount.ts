import { Decimal } from 'decimal.js';
import { currencyDecimals } from './iso.ts';

/** Plain decimal notation: digits with an optional fraction, as amounts are stored and put on the wire. */
const PLAIN = /^-?\d+(\.\d+)?$/;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const MAX_DIGITS = 34;

/** Every amount is below this, whatever its currency (decisions, section 7, "Amounts"). */
export const AMOUNT_LIMIT = 1_000_000_000_000;

/** Why a number can't be an amount of money. */
export type AmountIssue =
  | 'NOT_A_NUMBER'
  | 'NOT_POSITIVE'
  | 'TOO_LARGE'
  | 'TOO_MANY_DECIMALS'
  | 'LOSES_DIGITS';

/** The reasons as they continue the name of a field, such as `amount must be a number`. */
export const AMOUNT_MESSAGES: Readonly<Record<AmountIssue, string>> = {
  NOT_A_NUMBER: 'must be a number',
  NOT_POSITIVE: 'must be greater than 0',
  TOO_LARGE: `must be less than ${AMOUNT_LIMIT}`,
  TOO_MANY_DECIMALS: 'has more decimals than the currency',
  LOSES_DIGITS: 'has more digits than a JSON number carries exactly',
};

export type AmountResult = { ok: true; amount: string } | { ok: false; issue: AmountIssue };

/**
 * Reads an amount from the text of a JSON number (or of a Decimal), to the digits given: `10.10` stays `10.10`,
 * `1e3` becomes `1000`. No float is involved.
 * Fails for text that is no number; zero and less; {@link AMOUNT_LIMIT} and more; more decimals than `currency` has
 * (trailing zeros don't count); a number that a reader of JSON numbers (IEEE 754 doubles) would not get back to the last digit.
 */
export function readAmount(text: string, currency: string): AmountResult {
  if (!JSON_NUMBER.test(text)) {
    return { ok: false, issue: 'NOT_A_NUMBER' };
  }
  if (text.length > MAX_DIGITS * 2) {
    return { ok: false, issue: 'LOSES_DIGITS' };
  }
  const value = new Decimal(text);
  if (!value.isPositive() || value.isZero()) {
    return { ok: false, issue: 'NOT_POSITIVE' };
  }
  if (value.gte(AMOUNT_LIMIT)) {
    return { ok: false, issue: 'TOO_LARGE' };
  }
  if (!survivesDouble(value)) {
    return { ok: false, issue: 'LOSES_DIGITS' };
  }
  const decimals = currencyDecimals(currency);
  if (decimals !== undefined && value.decimalPlaces() > decimals) {
    return { ok: false, issue: 'TOO_MANY_DECIMALS' };
  }
  return { ok: true, amount: PLAIN.test(text) ? text : value.toFixed() };
}

function survivesDouble(value: Decimal): boolean {
  const double = value.toNumber();
  return Number.isFinite(double) && new Decimal(double).equals(value);
}

/** Whether a computed amount is valid: over 0 after rounding, and below {@link AMOUNT_LIMIT}. */
export function isChargeable(amount: string): boolean {
  const value = new Decimal(amount);
  return value.gt(0) && value.lt(AMOUNT_LIMIT);
}

/** Whether `amount` lies within the bounds, both included; an absent bound does not limit. */
export function isWithin(
  amount: string,
  bounds: { min?: string | undefined; max?: string | undefined },
): boolean {
  const value = new Decimal(amount);
  return (
    (bounds.min === undefined || value.gte(bounds.min)) && (bounds.max === undefined || value.lte(bounds.max))
  );
}
