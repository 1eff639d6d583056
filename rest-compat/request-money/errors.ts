import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { CATALOGUE, type ErrorCode, statusOrInternalError } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { Failure } from '../../subgraphs/kernel/errors/result.ts';
import { presentThrown, type SurfaceErrors } from '../shared/outcome.ts';
import { failureHeaders, type RestResponse, sendJson } from '../shared/reply.ts';
import { unreadBodyOf } from '../shared/request.ts';

/** Semantic 422s: their bodies have a code beside `details`. */
const CODED_422: ReadonlySet<ErrorCode> = new Set([
  'CORRIDOR_UNRESOLVABLE',
  'ROUTE_NOT_AVAILABLE',
  'PAYOUT_METHOD_UNSUPPORTED',
  'STATE_NOT_MAPPED',
  'IDEMPOTENCY_KEY_REUSED',
]);

/** Errors whose bodies have no code. A 404 has none either. */
const UNCODED: ReadonlySet<ErrorCode> = new Set(['VALIDATION_FAILED', 'UNAUTHENTICATED']);

/** Document 2's names of codes that it does not have. */
const RENAMED: Partial<Readonly<Record<ErrorCode, ErrorCode>>> = {
  FORBIDDEN: 'INSUFFICIENT_SCOPE',
  INVALID_REQUEST: 'VALIDATION_FAILED',
  RATE_STALE: 'SERVICE_UNAVAILABLE',
};

/**
 * Errors in document 2's shapes (decisions, section 3, "Error bodies"). The first one gives the code and the status.
 * @param statusByCode the internal calls have some statuses of their own
 * @param renamed calls that the document does not have may have codes of their own
 */
export function presentFailuresBy(
  statusByCode: (code: ErrorCode) => number,
  renamed: typeof RENAMED = RENAMED,
): SurfaceErrors['presentFailures'] {
  return (failures) => {
    const [first] = failures;
    if (!first) {
      return presentInternalError();
    }
    const code = renamed[first.code] ?? first.code;
    const message = code === first.code ? first.message : CATALOGUE[code].message;
    const status = statusByCode(code);
    const body = status === 404 ? { error: 'not_found', message } : bodyOf(code, message, failures);
    const hasCode = status !== 404 && !UNCODED.has(code);
    return { status, body, ...failureHeaders(code, { hasCode }) };
  };
}

/** Errors of document 2's own calls. */
export const presentFailures = presentFailuresBy((code) => statusOrInternalError(code, 'requestMoney'));

function bodyOf(code: ErrorCode, message: string, failures: readonly Failure[]): unknown {
  switch (code) {
    case 'VALIDATION_FAILED':
      return { message: CATALOGUE.VALIDATION_FAILED.message, details: failures.map(toDetail) };
    case 'UNAUTHENTICATED':
      return { message };
    case 'OFAC_HIT':
      return { code, message };
    default:
      return CODED_422.has(code) ? { message, details: [], error: { code } } : { error: { code, message } };
  }
}

function toDetail({ path = [], message }: Failure): { path: string; message: string } {
  return { path: path.join('.'), message };
}

/** 500, without details. */
export function presentInternalError(): RestResponse {
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  return { status: 500, body: { error: { code: 'INTERNAL_SERVER_ERROR', message } } };
}

/** Fails with the catalogue's own message. */
export function presentError(code: ErrorCode): RestResponse {
  return presentFailures([{ code, message: CATALOGUE[code].message }]);
}

/** Answers failures outside of a handler: a body that is too large or cannot be read, or an internal error. */
export function answerThrown(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const unread = unreadBodyOf(error);
  if (unread !== undefined) {
    return sendJson(reply, presentError(unread));
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return sendJson(reply, presentFailures([{ code: 'VALIDATION_FAILED', message: error.message }]));
  }
  return sendJson(reply, presentThrown(error, request.log, { presentError, presentInternalError }));
}
