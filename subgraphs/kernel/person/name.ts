import { isBlank, isWellFormed } from '../text.ts';

const LONGEST_LEGAL_NAME = 100;

/** Control characters, and the line and paragraph separators of Unicode. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Embeddings, overrides and isolates. U+061C, U+200E and U+200F only mark a direction, and names in Arabic have them. */
const BIDI_OVERRIDE = /[\u202a-\u202e\u2066-\u2069]/u;
const DIGIT = /\p{Nd}/u;

/**
 * The fault that keeps a text from being a name or an id of a person (decisions, section 8, "Names of people"); undefined when nothing
 * does. A name shows something, and has no control characters, halves of characters or characters that override the direction
 * of the text around it. Joiners (U+200C, U+200D) are part of words in Persian and Hindi, and stay allowed.
 */
export function findNameIssue(value: string): string | undefined {
  if (value === '') {
    return 'must not be empty';
  }
  if (!isWellFormed(value)) {
    return 'must be well-formed Unicode';
  }
  if (CONTROL.test(value)) {
    return 'must not have control characters';
  }
  if (BIDI_OVERRIDE.test(value)) {
    return 'must not have characters that override the direction of text';
  }
  return isBlank(value) ? 'must have a visible character' : undefined;
}

/** A name by document 1 (decisions, sections 2 and 8): 1 to 100 characters, one of them visible, no digits. */
export function isLegalName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    [...value].length <= LONGEST_LEGAL_NAME &&
    !DIGIT.test(value) &&
    findNameIssue(value) === undefined
  );
}
