import { type ErrorCode, statusOrInternalError } from './catalogue.ts';

/** Codes that the platform's own calls answer with another HTTP status than document 2 (decisions, section 7). */
const OWN_STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  // A partner may not request money for a blocked user; a move of an earlier request conflicts with the block.
  USER_BLOCKED: 409,
};

/** The HTTP status of a code on `/v1/internal/…`: document 2's, with few exceptions. */
export function internalStatusOf(code: ErrorCode): number {
  return OWN_STATUS[code] ?? statusOrInternalError(code, 'requestMoney');
}
