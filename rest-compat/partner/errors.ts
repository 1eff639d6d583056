import { CATALOGUE, type ErrorCode, statusOf } from '../../subgraphs/platform/errors/catalogue.ts';
import type { Refusal } from '../../subgraphs/platform/errors/refusal.ts';
import { type RestResponse, refusalHeaders } from '../shared/reply.ts';

/** Codes that tell which parts of the request are at fault. */
const DETAILED: ReadonlySet<ErrorCode> = new Set(['INVALID_REQUEST', 'INSUFFICIENT_USER_DATA']);

/**
 * The answer of document 3 to a refusal, in its error envelope; of several, with what is wrong at each path. A code that
 * the document does not have is a fault of ours.
 * @param retryAfter whole seconds, of what was refused for a limit
 */
export function presentRefusals(refusals: readonly Refusal[], retryAfter?: number): RestResponse {
  const [first] = refusals;
  if (!first) {
    return presentFault();
  }
  const { code } = first;
  const status = statusOf(code, 'partner');
  if (status === 500) {
    return presentFault();
  }
  const isDetailed = DETAILED.has(code);
  const message = isDetailed ? CATALOGUE[code].message : first.message;
  const details = isDetailed ? refusals.map(toDetail) : null;
  return { status, body: envelope(code, message, details), ...refusalHeaders(code, retryAfter) };
}

/** Refuses with the catalogue's own words. */
export function presentError(code: ErrorCode): RestResponse {
  const { message } = CATALOGUE[code];
  return {
    status: statusOf(code, 'partner'),
    body: envelope(code, message, null),
    ...refusalHeaders(code),
  };
}

/** A body that is too large: 413 (decisions, section 0), by the one code of section 4 that fits. */
export function presentTooLarge(): RestResponse {
  const { message } = CATALOGUE.PAYLOAD_TOO_LARGE;
  const refused = presentRefusals([{ code: 'INVALID_REQUEST', message, path: [] }]);
  return { ...refused, status: statusOf('PAYLOAD_TOO_LARGE', 'partner') };
}

/** A fault of ours (document 3, "Errors"; decisions, section 4, "Codes"). */
export function presentFault(): RestResponse {
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  return { status: 500, body: envelope('INTERNAL_ERROR', message, null) };
}

function envelope(code: string, message: string, details: unknown) {
  return { success: false, error: { code, message, details } };
}

function toDetail({ path = [], message }: Refusal): { path: string; message: string } {
  return { path: path.join('.'), message };
}
