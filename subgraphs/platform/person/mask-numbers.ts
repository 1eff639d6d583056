/** Digits of every script, full-width and circled ones included. */
const DIGIT = '[\\p{Nd}\\p{No}]';
/** What may stand between two digits of one number: up to 8 characters that are neither letters nor digits. */
const SEPARATOR = '[^\\p{L}\\p{Nd}\\p{No}]{0,8}';

const CARD_NUMBER = new RegExp(`${DIGIT}(?:${SEPARATOR}${DIGIT}){11,}`, 'gu');
const ACCOUNT_NUMBER = new RegExp(`${DIGIT}(?:[ -]?${DIGIT}){7,}`, 'gu');
const NO_DIGIT = /[^\p{Nd}\p{No}]/gu;

const SHOWN = 4;

/**
 * The text with each number of 12 and more digits masked to its last four, whatever separates the digits (decisions, section
 * 8, "Texts of providers"): a card number stands in no text that is stored or sent.
 */
export function maskCardNumbers(text: string): string {
  return text.replace(CARD_NUMBER, mask);
}

/** Also masks numbers of 8 to 11 digits that are written as one number, such as those of accounts. */
export function maskLongNumbers(text: string): string {
  return maskCardNumbers(text).replace(ACCOUNT_NUMBER, mask);
}

function mask(number: string): string {
  return `…${[...number.replace(NO_DIGIT, '')].slice(-SHOWN).join('')}`;
}
