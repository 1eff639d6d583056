import { createRequire } from 'node:module';
import type * as PhoneNumbers from 'libphonenumber-js/max';
import { LRUCache } from 'lru-cache';

type CountryCode = PhoneNumbers.CountryCode;

/** A phone number that its country has given out. */
export interface Phone {
  /** E.164, such as `+525512345678`. */
  readonly e164: string;
  /** With its plus sign, such as `+52`. */
  readonly dialCode: string;
  /** ISO 3166-1 alpha-2; undefined for numbers of no country, such as satellite phones. */
  readonly country: string | undefined;
  /** Whether it may be a mobile number: in some countries mobile numbers look like fixed lines. */
  readonly isMobile: boolean;
}

let loaded: typeof PhoneNumbers | undefined;

/** The numbering plans of all countries. They take milliseconds to load, so the first number that is read loads them. */
function phoneNumbers(): typeof PhoneNumbers {
  // The cast: `createRequire` gives modules no types.
  loaded ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof PhoneNumbers;
  return loaded;
}

const MOBILE_TYPES: ReadonlySet<string | undefined> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

interface ReadNumber {
  readonly dialCode: string | undefined;
  readonly phone: Phone | undefined;
}

/** Enough for the calls under way, each of which checks its numbers several times. Reading one takes 0.1 ms. */
const MOST_RECENT = 32;
const LONGEST_RECENT = 64;
const recent = new LRUCache<string, ReadNumber>({ max: MOST_RECENT });

/**
 * Reads a phone number in E.164 or in the national form of `country` (decisions, section 2).
 * @returns undefined when it is no valid number
 */
export function readPhone(text: string, country?: string): Phone | undefined {
  return read(text, country).phone;
}

/** The dial code of a number, even of an invalid one; undefined when it has none. */
export function readDialCode(text: string, country?: string): string | undefined {
  return read(text, country).dialCode;
}

function read(text: string, country: string | undefined): ReadNumber {
  const home = country !== undefined && phoneNumbers().isSupportedCountry(country) ? country : undefined;
  if (text.length > LONGEST_RECENT) {
    return readNumber(text, home);
  }
  const key = `${home ?? ''}|${text}`;
  const known = recent.get(key) ?? readNumber(text, home);
  recent.set(key, known);
  return known;
}

function readNumber(text: string, home: CountryCode | undefined): ReadNumber {
  const { parsePhoneNumberFromString } = phoneNumbers();
  const parsed = parsePhoneNumberFromString(text, { extract: false, ...(home && { defaultCountry: home }) });
  const dialCode = parsed && `+${parsed.countryCallingCode}`;
  // E.164 has no extensions: without it the number would be that of somebody else.
  if (!(parsed && dialCode && parsed.isValid()) || parsed.ext !== undefined) {
    return { dialCode, phone: undefined };
  }
  const isMobile = MOBILE_TYPES.has(parsed.getType());
  return { dialCode, phone: { e164: parsed.number, dialCode, country: parsed.country, isMobile } };
}

/** The dial code of a country, such as `+52`; undefined for one that has none. */
export function dialCodeOf(country: string): string | undefined {
  const { getCountryCallingCode, isSupportedCountry } = phoneNumbers();
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : undefined;
}
