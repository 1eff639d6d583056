/** Control characters without tab, line feed and carriage return, which a text of several lines has. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;
const NOT_ACCEPTED = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;
/** Characters that show nothing by themselves: white space, controls, formats, marks, and code points without a character. */
const INVISIBLE = /[\p{White_Space}\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu;
/** Symbols and letters whose glyph is blank: Braille, a place for an object, a notehead, hieroglyphs. */
const BLANK = /[\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/gu;
const NOT_SHOWN = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

/** JSON can have half a surrogate pair; no database stores it and no link can contain it. */
export function isWellFormed(value: string): boolean {
  return !/\p{Surrogate}/u.test(value);
}

/** Whether nothing of a text shows (decisions, section 8, "Names of people"). An empty text is blank. */
export function isBlank(value: string): boolean {
  return value.replace(INVISIBLE, '').replace(BLANK, '') === '';
}

/**
 * The fault that keeps a text from being taken: half a character, or a control character other than a tab and a line break; undefined
 * when nothing does. Such characters would reach links, webhooks, files and terminals.
 */
export function findTextIssue(value: string): string | undefined {
  if (!isWellFormed(value)) {
    return 'must be well-formed Unicode';
  }
  return CONTROL.test(value) ? 'must not have control characters' : undefined;
}

/**
 * Whether a text can be a secret that people copy: no half characters, no control characters, no space at either end. They
 * would become a part of the signature, which receivers could not make.
 */
export function isUsableSecret(value: string): boolean {
  return value === value.trim() && !/[\p{Cc}\p{Cs}]/u.test(value);
}

/** A text of another service as {@link findTextIssue} takes it: U+FFFD stands for what it does not take. */
export function toAcceptedText(value: string): string {
  return value.replace(NOT_ACCEPTED, '\uFFFD');
}

/** Most characters of an id of the partner's own. */
export const LONGEST_ID = 255;

/** Whether a text can be an id of the partner's own: at most 255 characters, as {@link findTextIssue} takes them. */
export function isUsableId(value: string): boolean {
  return value.length <= LONGEST_ID && findTextIssue(value) === undefined;
}

/**
 * The beginning of a caller's text that was not accepted, for a message or an event. U+FFFD stands for halves of characters,
 * control characters and characters that override the direction of text.
 */
export function toShortText(value: string, longest: number): string {
  const short = value.length > longest ? `${value.slice(0, longest - 1)}…` : value;
  return short.replace(NOT_SHOWN, '\uFFFD');
}
