import type { UnreadBody } from '../../subgraphs/graph/documented-mutation.ts';
import {
  CATALOGUE,
  type CodeOf,
  type ErrorCode,
  statusOf,
  statusOrInternalError,
} from '../../subgraphs/kernel/errors/catalogue.ts';
import type { Failure } from '../../subgraphs/kernel/errors/result.ts';
import { failureHeaders, type RestResponse } from '../shared/reply.ts';

/** Codes with `details`: the issues by path of the request. */
const DETAILED: ReadonlySet<ErrorCode> = new Set(['INVALID_REQUEST', 'INSUFFICIENT_USER_DATA']);

/**
 * Errors in document 3's envelope. The first one gives the code and the status; codes with `details` list them all. A
 * code that the document does not have is an internal error.
 * @param retryAfter whole seconds until the next attempt, if a limit was reached
 */
export function presentFailures(failures: readonly Failure[], retryAfter?: number): RestResponse {
  const [first] = failures;
  if (!first) {
    return presentInternalError();
  }
  // The document has no code for a rate that is too old.
  const code = first.code === 'RATE_STALE' ? 'SERVICE_UNAVAILABLE' : first.code;
  const status = statusOrInternalError(code, 'partner');
  if (status === 500) {
    return presentInternalError();
  }
  const isDetailed = DETAILED.has(code);
  const message = isDetailed || code !== first.code ? CATALOGUE[code].message : first.message;
  const details = isDetailed ? failures.map(toDetail) : null;
  return {
    status,
    body: envelope(code, message, details),
    ...failureHeaders(code, { hasCode: true, retryAfter }),
  };
}

/** Fails with the catalogue's own message. */
export function presentError(code: CodeOf<'partner'>): RestResponse {
  const { message } = CATALOGUE[code];
  return {
    status: statusOf(code, 'partner'),
    body: envelope(code, message, null),
    ...failureHeaders(code, { hasCode: true }),
  };
}

/** A body that was not read: 413 or 415 (decisions, sections 0 and 8), by the one code of section 4 that fits. */
export function presentUnread(unread: UnreadBody): RestResponse {
  const { message } = CATALOGUE[unread];
  const invalid = presentFailures([{ code: 'INVALID_REQUEST', message, path: [] }]);
  return { ...invalid, status: statusOf(unread, 'partner') };
}

/** An internal error (document 3, "Errors"; decisions, section 4, "Codes"). */
export function presentInternalError(): RestResponse {
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  return { status: 500, body: envelope('INTERNAL_ERROR', message, null) };
}

function envelope(code: string, message: string, details: unknown) {
  return { success: false, error: { code, message, details } };
}

function toDetail({ path = [], message }: Failure): { path: string; message: string } {
  return { path: path.join('.'), message };
}
