import countryToCurrency from 'country-to-currency';
import { iso31661 } from 'iso-3166';
import { CURRENCY_DECIMALS, WITHDRAWN_CURRENCIES } from './iso-4217.ts';

const COUNTRIES: ReadonlySet<string> = new Set(iso31661.map((country) => country.alpha2));
const CURRENCY_OF_COUNTRY: Readonly<Record<string, string | undefined>> = countryToCurrency;

/** Whether `code` is an assigned ISO 3166-1 alpha-2 code, in upper case. */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code);
}

/** Whether `code` is a currency of ISO 4217 that is in force and has a minor unit, in upper case. */
export function isCurrency(code: string): boolean {
  return CURRENCY_DECIMALS.has(code);
}

/**
 * Why `code` is not a currency, for operators: a withdrawn one is named with its successor. Undefined for a currency that is
 * in force.
 */
export function currencyIssue(code: string): string | undefined {
  if (isCurrency(code)) {
    return undefined;
  }
  const past = Object.hasOwn(WITHDRAWN_CURRENCIES, code) ? WITHDRAWN_CURRENCIES[code] : undefined;
  return past
    ? `${code} was withdrawn from ISO 4217 in ${past.since}: use ${past.successor}`
    : 'must be an ISO 4217 code';
}

/** Decimals of the currency's minor unit by ISO 4217 (MXN 2, JPY 0, KWD 3); undefined for an unknown currency. */
export function currencyDecimals(code: string): number | undefined {
  return CURRENCY_DECIMALS.get(code);
}

/** ISO 4217 code of the currency that a country pays in; undefined for an unknown country. */
export function currencyOfCountry(country: string): string | undefined {
  return isCountry(country) ? CURRENCY_OF_COUNTRY[country] : undefined;
}
