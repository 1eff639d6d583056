import countryToCurrency from 'country-to-currency';
import currencyCodes from 'currency-codes';
import { iso31661 } from 'iso-3166';

const COUNTRIES: ReadonlySet<string> = new Set(iso31661.map((country) => country.alpha2));
const CURRENCY_DECIMALS: ReadonlyMap<string, number> = new Map(
  currencyCodes.data.map((c) => [c.code, c.digits]),
);
const CURRENCY_OF_COUNTRY: Readonly<Record<string, string | undefined>> = countryToCurrency;

/** Whether `code` is an assigned ISO 3166-1 alpha-2 code, in upper case. */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code);
}

/** Whether `code` is an ISO 4217 code, in upper case. */
export function isCurrency(code: string): boolean {
  return CURRENCY_DECIMALS.has(code);
}

/** Decimals of the currency's minor unit by ISO 4217 (MXN 2, JPY 0, KWD 3); undefined for an unknown currency. */
export function currencyDecimals(code: string): number | undefined {
  return CURRENCY_DECIMALS.get(code);
}

/** ISO 4217 code of the currency that a country pays in; undefined for an unknown country. */
export function currencyOfCountry(country: string): string | undefined {
  return isCountry(country) ? CURRENCY_OF_COUNTRY[country] : undefined;
}
