import { canonicalize } from 'json-canonicalize';
import { isLosslessNumber } from 'lossless-json';

/**
 * The canonical JSON (RFC 8785) of a value that may hold lossless numbers: equal values have equal texts, whatever the
 * order of their keys and however their numbers are written.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(plainNumbers(value));
}

function plainNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) {
    const number = Number(value.toString());
    // It is no number of canonical JSON: an ignored value may be of any size.
    return Number.isFinite(number) ? number : { number: value.toString() };
  }
  if (Array.isArray(value)) {
    return value.map(plainNumbers);
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plainNumbers(child)]));
  }
  return value;
}
