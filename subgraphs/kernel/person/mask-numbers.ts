import { isCardNumber } from './card.ts';

/** Digits of every script, full-width and circled ones included. */
const DIGIT = '[\\p{Nd}\\p{No}]';
/** The characters that may stand between two digits of one number: any number of characters that are neither letters nor digits. */
const SEPARATOR = '[^\\p{L}\\p{Nd}\\p{No}]*';

/** The one rule for numbers in a text: 12 digits and more, whatever separates them. */
const LONG = `${DIGIT}(?:${SEPARATOR}${DIGIT}){11,}`;
const LONG_NUMBER = new RegExp(LONG, 'gu');
const ACCOUNT_NUMBER = new RegExp(`${DIGIT}(?:[ -]?${DIGIT}){7,}`, 'gu');
/** Such as 2026-11-21, with its hour or without. */
const DAY = /^\d{4}-\d{2}-\d{2}(?: \d{2})?$/;
const NO_DIGITS = /[^\p{Nd}\p{No}]+/gu;

/** A text that is a phone number, a card number or the like as a whole: 7 to 19 digits. */
const NUMBER = /^\+?[\s._/()-]*(?:\d[\s._/()-]*){7,19}$/;
/** UUIDs and trace ids, which have a letter: by chance, some have 12 digits in a row. */
const UUID =
  '(?<![\\da-zA-Z])(?=[\\d-]*[a-fA-F])[\\da-fA-F]{8}-?(?:[\\da-fA-F]{4}-?){3}[\\da-fA-F]{12}(?![\\da-zA-Z])';
const UUID_OR_NUMBER = new RegExp(`${UUID}|${LONG}`, 'gu');
/** Beginnings and lengths of the numbers of card networks. */
const OF_A_NETWORK =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:2[2-7]|5\d|8[12]|97)\d{14}|3[47]\d{13}|3[0689]\d{12}|(?:35|6\d)\d{14,17})$/;

/** API keys, browser tokens, codes, cookies and webhook secrets, as this product makes them. */
const CREDENTIAL = /(?:raas_[a-z]+|whsec)_[\w-]{8,}/g;

const HIDDEN = '***';
const SHOWN = 4;
const SHORTEST_CARD = 12;
const LONGEST_CARD = 19;
/** A longer number is not looked through: nearly every one has a card's number in it by chance. */
const LONGEST_READ = 64;

/**
 * The text with each number of 12 and more digits masked to its last four, whatever separates the digits (decisions, section
 * 8, "Texts of providers"): a card number stands in no text that is stored or sent.
 */
export function maskCardNumbers(text: string): string {
  return text.replace(LONG_NUMBER, mask);
}

/** Also masks numbers of 8 to 11 digits that are written as one number, such as those of accounts. Dates stay. */
export function maskLongNumbers(text: string): string {
  return maskCardNumbers(text).replace(ACCOUNT_NUMBER, (found) => (DAY.test(found) ? found : mask(found)));
}

/** The number of a field with `*` for each character before its last four (decisions, section 6). */
export function maskField(number: string): string {
  const characters = [...number];
  const shown = characters.slice(-SHOWN);
  return `${'*'.repeat(characters.length - shown.length)}${shown.join('')}`;
}

/**
 * The number of an identity document: `****` and its last four characters (decisions, section 4, "Masks"). It shows none of four
 * and fewer characters, because it would show all of them.
 */
export function maskIdNumber(number: string): string {
  const characters = [...number];
  return `****${characters.length > SHOWN ? characters.slice(-SHOWN).join('') : ''}`;
}

/**
 * For logs and traces, whose ids must stay readable: the text with `***` in place of each credential, and of each long number that
 * has the number of a card in it. Numbers that are part of a UUID stay.
 */
export function hideInLog(text: string): string {
  return text
    .replace(CREDENTIAL, HIDDEN)
    .replace(UUID_OR_NUMBER, (found) =>
      /[a-f]/i.test(found) || !holdsCard(found.split(NO_DIGITS)) ? found : HIDDEN,
    );
}

/** Whether the log hides a part of the text. */
export function isHiddenInLog(text: string): boolean {
  return hideInLog(text) !== text;
}

/**
 * The path of a URL for logs and traces: without its query, and with `***` in place of each segment that is a phone number, a
 * card number or an email address, and of each credential and card number in it. Callers put into paths whatever they call an id.
 */
export function maskPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return hideInLog(path.split('/').map(maskSegment).join('/'));
}

function maskSegment(segment: string): string {
  const text = decode(segment);
  if (NUMBER.test(text) || text.includes('@')) {
    return HIDDEN;
  }
  return text !== segment && isHiddenInLog(text) ? hideInLog(text) : segment;
}

function decode(segment: string): string {
  if (!segment.includes('%')) {
    return segment;
  }
  try {
    return decodeURIComponent(segment);
  } catch {
    // It cannot be decoded, and is read as it is.
    return segment;
  }
}

function mask(number: string): string {
  return `…${[...number.replace(NO_DIGITS, '')].slice(-SHOWN).join('')}`;
}

/**
 * Whether a number, in the groups in which it is written, has the number of a card in it. Groups that are a card number together
 * count by their check digit; digits out of the middle of a group also by their network, because of long numbers most have the
 * check digit of some card in them. No card of a payer or payee begins with 0, 1 or 7, but times in milliseconds do.
 */
function holdsCard(groups: readonly string[]): boolean {
  const digits = groups.join('');
  if (digits.length > LONGEST_READ || /\D/.test(digits)) {
    return true;
  }
  const edges = new Set([0]);
  let length = 0;
  for (const group of groups) {
    length += group.length;
    edges.add(length);
  }
  for (let start = 0; start + SHORTEST_CARD <= digits.length; start += 1) {
    const latest = Math.min(start + LONGEST_CARD, digits.length);
    for (let end = start + SHORTEST_CARD; end <= latest && !'017'.includes(digits.charAt(start)); end += 1) {
      const part = digits.slice(start, end);
      const isWhole = edges.has(start) && edges.has(end);
      if ((isWhole || OF_A_NETWORK.test(part)) && isCardNumber(part)) {
        return true;
      }
    }
  }
  return false;
}
