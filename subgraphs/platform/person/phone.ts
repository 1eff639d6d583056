import { createRequire } from 'node:module';
import type * as PhoneNumbers from 'libphonenumber-js/max';

type CountryCode = PhoneNumbers.CountryCode;

/** A phone number that its country has given out. */
export interface Phone {
  /** E.164, such as `+525512345678`. */
  readonly e164: string;
  /** With its plus sign, such as `+52`. */
  readonly dialCode: string;
  /** ISO 3166-1 alpha-2; undefined for numbers of no country, such as satellite phones. */
  readonly country: string | undefined;
  /** Whether it may be a mobile number: some countries do not tell them from fixed lines. */
  readonly isMobile: boolean;
}

let loaded: typeof PhoneNumbers | undefined;

/** The numbering plans of all countries, which take milliseconds to load: with the first number that is read. */
function phoneNumbers(): typeof PhoneNumbers {
  loaded ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof PhoneNumbers;
  return loaded;
}

const MOBILE_TYPES: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/**
 * Reads a phone number in E.164 or in the national form of `country` (decisions, section 2).
 * @returns undefined when it is no valid number
 */
export function readPhone(text: string, country?: string): Phone | undefined {
  const parsed = parse(text, country);
  if (!parsed?.isValid()) {
    return undefined;
  }
  return {
    e164: parsed.number,
    dialCode: `+${parsed.countryCallingCode}`,
    country: parsed.country,
    isMobile: MOBILE_TYPES.has(parsed.getType()),
  };
}

/** The dial code of what may be no valid number otherwise; undefined when there is none to see. */
export function readDialCode(text: string, country?: string): string | undefined {
  const parsed = parse(text, country);
  return parsed && `+${parsed.countryCallingCode}`;
}

/** The dial code of a country, such as `+52`; undefined for one that has none. */
export function dialCodeOf(country: string): string | undefined {
  const { getCountryCallingCode, isSupportedCountry } = phoneNumbers();
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country as CountryCode)}` : undefined;
}

function parse(text: string, country: string | undefined) {
  const { isSupportedCountry, parsePhoneNumberFromString } = phoneNumbers();
  const home = country !== undefined && isSupportedCountry(country) ? (country as CountryCode) : undefined;
  return parsePhoneNumberFromString(text, { extract: false, ...(home && { defaultCountry: home }) });
}
