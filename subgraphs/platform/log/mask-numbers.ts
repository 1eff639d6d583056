import { isCardNumber } from '../person/card.ts';

const HIDDEN = '***';
/** What people write between the digits of a number. */
const SEPARATORS = String.raw`[\s._/()-]`;
/** A text that is a phone number, a card number or the like as a whole: 7 to 19 digits. */
const NUMBER = new RegExp(String.raw`^\+?${SEPARATORS}*(?:\d${SEPARATORS}*){7,19}$`);
/** 12 to 19 digits within a text. */
const LONG_NUMBER = new RegExp(String.raw`\d(?:${SEPARATORS}{0,3}\d){11,18}`, 'g');

/** The text with `***` in place of each card number in it, however its digits are separated. */
export function maskCards(text: string): string {
  return text.replace(LONG_NUMBER, (found) => (isCardNumber(found.replace(/\D/g, '')) ? HIDDEN : found));
}

/**
 * The path of a URL for logs and traces: without its query, and with `***` in place of each segment that is a phone number, a
 * card number or an email address, or has a card number in it. Callers put into paths whatever they call an id.
 */
export function maskPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split('/').map(maskSegment).join('/');
}

function maskSegment(segment: string): string {
  const text = decode(segment);
  if (NUMBER.test(text) || text.includes('@')) {
    return HIDDEN;
  }
  const masked = maskCards(text);
  return masked === text ? segment : masked;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // It cannot be decoded, and is read as it is.
    return segment;
  }
}
