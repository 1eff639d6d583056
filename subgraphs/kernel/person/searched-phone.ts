import { readPhone } from './phone.ts';

/** Digits with the characters that people write between them, in the form in which they are compared. */
const SPELLED = /^\(?\+?\s*[(\d][\d\s()./\p{Pd}]{4,30}$/u;
/** Marks of direction and other invisible characters, which come along when a number is copied. */
const INVISIBLE = /\p{Cf}/gu;
/** Prefixes of an international call: of most countries, and of North America. */
const INTERNATIONAL = /^(?:00|011)/;
/** The national prefix that people write in a number with its country code, as in `+44 (0)20`. */
const NATIONAL_PREFIX = /\(0\)/;

/** A partner's countries, ISO 3166-1 alpha-2, and dial codes such as `+52`. */
interface Places {
  readonly countries: readonly string[];
  readonly dialCodes: readonly string[];
}

/** Digits of a text that may be a phone number, with what it says of their form. */
interface Spelled {
  readonly digits: string;
  readonly isInternational: boolean;
}

/** Whether a person may mean a phone number with a text, in whatever spelling. */
export function isPhoneText(text: string): boolean {
  return SPELLED.test(plain(text));
}

/**
 * The numbers in E.164 that a person may mean with a text: international, with `+`, `00`, `011` or none of them, or national in
 * one of the partner's countries. Spaces, dashes, dots, slashes and brackets do not count. Empty for a text that is no number.
 */
export function phonesMeant(text: string, { countries, dialCodes }: Places): string[] {
  if (!isPhoneText(text)) {
    return [];
  }
  const { digits, isInternational } = spelled(plain(text));
  const national = digits.replace(/^0+/, '');
  const read = isInternational
    ? [readPhone(`+${digits}`)]
    : [
        readPhone(`+${digits.replace(INTERNATIONAL, '')}`),
        ...dialCodes.map((code) => readPhone(`${code}${national}`)),
        ...countries.map((country) => readPhone(digits, country)),
      ];
  return [...new Set(read.flatMap((phone) => phone?.e164 ?? []))];
}

/** Full-width digits become plain ones, and special spaces become spaces. */
function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(INVISIBLE, '').trim().replace(/^tel:/i, '');
}

function spelled(text: string): Spelled {
  const isInternational = /^\(?\+/.test(text);
  const digits = (isInternational ? text.replace(NATIONAL_PREFIX, '') : text).replaceAll(/\D/g, '');
  return { digits, isInternational };
}
