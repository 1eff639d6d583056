import { parse } from 'lossless-json';

/** Limits of a body. The largest body of any call has 18 levels and some 17,000 values, in two objects of 16 KiB. */
export const MOST_LEVELS = 256;
export const MOST_VALUES = 20_000;

/** Stands for JSON beyond the limits. It is no object, and {@link orTooComplex} says why. */
const TOO_COMPLEX = Symbol('JSON with too many values or levels');

/**
 * The JSON value of a text, each number as a LosslessNumber with its digits; undefined for what is not JSON. Text with
 * more than 20,000 values or 256 levels is not read at all: checking it would take longer than its caller is worth.
 */
export function parseJson(source: string): { value: unknown } | undefined {
  if (isTooComplex(source)) {
    return { value: TOO_COMPLEX };
  }
  try {
    return { value: parse(source) };
  } catch {
    return undefined;
  }
}

/** The message for a value of the wrong type, or for one that was too complex to be read. */
export const orTooComplex = (message: string) => (issue: { input?: unknown }) =>
  issue.input === TOO_COMPLEX ? `must have at most ${MOST_VALUES} values and ${MOST_LEVELS} levels` : message;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** One pass over the text: each comma and each bracket outside of strings brings one value. */
function isTooComplex(source: string): boolean {
  let values = 1;
  let levels = 0;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(source, at);
    } else if (code === COMMA) {
      values += 1;
    } else if (OPENING.has(code)) {
      values += 1;
      levels += 1;
    } else if (CLOSING.has(code)) {
      levels -= 1;
    }
    if (values > MOST_VALUES || levels > MOST_LEVELS) {
      return true;
    }
  }
  return false;
}

/** Where the string that begins at `start` ends; the end of the text when it does not. */
function endOfString(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source.charCodeAt(at) !== QUOTE) {
    at += source.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
