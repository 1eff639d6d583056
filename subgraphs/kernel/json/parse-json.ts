import { parse } from 'lossless-json';
import { scanJson } from './scan-json.ts';

/** Limits of a body. The largest body of any call has 18 levels and some 17,000 values, in two objects of 16 KiB. */
export const MOST_LEVELS = 256;
export const MOST_VALUES = 20_000;

/**
 * The JSON value of a text, each number as a LosslessNumber with its digits. For a text that is not read it is a symbol, which
 * no JSON value is; its description, which {@link orUnread} takes as the message, says why: it is not JSON, an object has a key
 * more than once (RFC 8259 leaves open which value counts), or it has more than 20,000 values or 256 levels. Checking such a
 * text would take longer than its caller is worth.
 */
export function parseJson(source: string): unknown {
  const { isTooComplex, duplicateKey } = scanJson(source, { values: MOST_VALUES, levels: MOST_LEVELS });
  if (isTooComplex) {
    return Symbol(`must have at most ${MOST_VALUES} values and ${MOST_LEVELS} levels`);
  }
  if (duplicateKey !== undefined) {
    return Symbol(`has ${duplicateKey} more than once in an object`);
  }
  try {
    return parse(source);
  } catch {
    return Symbol(source === '' ? 'must be a JSON object' : 'must be JSON, in UTF-8');
  }
}

/** The message for a value of the wrong type, or for a text that was not read. */
export const orUnread = (message: string) => (issue: { input?: unknown }) =>
  unreadMessage(issue.input) ?? message;

/** Why a text was not read, if the value stands for one. */
export function unreadMessage(value: unknown): string | undefined {
  return typeof value === 'symbol' ? value.description : undefined;
}
