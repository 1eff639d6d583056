import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { CATALOGUE, type ErrorCode, statusOf } from '../../subgraphs/platform/errors/catalogue.ts';
import { internalStatusOf } from '../../subgraphs/platform/errors/internal-status.ts';
import type { Failure } from '../../subgraphs/platform/errors/result.ts';
import { isAway } from '../shared/away.ts';
import { failureHeaders, type RestResponse, sendJson } from '../shared/reply.ts';

/** Semantic 422s: they carry their code beside `details`. */
const CODED_422: ReadonlySet<ErrorCode> = new Set([
  'CORRIDOR_UNRESOLVABLE',
  'ROUTE_NOT_AVAILABLE',
  'PAYOUT_METHOD_UNSUPPORTED',
  'STATE_NOT_MAPPED',
  'IDEMPOTENCY_KEY_REUSED',
]);

/** Document 2's name for GraphQL's FORBIDDEN. */
const RENAMED: Partial<Readonly<Record<ErrorCode, ErrorCode>>> = { FORBIDDEN: 'INSUFFICIENT_SCOPE' };

/**
 * The answer of document 2 to a refusal (decisions, section 3, "Error bodies"). Internal calls answer in the same shapes;
 * `internal` gives them the status codes of their own.
 */
export function presentFailures(
  failures: readonly Failure[],
  call: 'requestMoney' | 'internal' = 'requestMoney',
): RestResponse {
  const [first] = failures;
  const code = first && (RENAMED[first.code] ?? first.code);
  if (!(first && code)) {
    return presentInternalError();
  }
  const message = code === first.code ? first.message : CATALOGUE[code].message;
  const status = call === 'internal' ? internalStatusOf(code) : statusOf(code, call);
  return {
    status,
    body: status === 404 ? { error: 'not_found', message } : bodyOf(code, message, failures),
    ...failureHeaders(code),
  };
}

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

export function presentInternalError(): RestResponse {
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  return { status: 500, body: { error: { code: 'INTERNAL_SERVER_ERROR', message } } };
}

/** Refuses with the catalogue's own words. */
export function presentError(code: ErrorCode): RestResponse {
  return presentFailures([{ code, message: CATALOGUE[code].message }]);
}

/** Faults outside a handler: a body that is too large, or a bug of ours. */
export function answerFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.statusCode === 413) {
    return sendJson(reply, presentError('PAYLOAD_TOO_LARGE'));
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return sendJson(reply, presentFailures([{ code: 'VALIDATION_FAILED', message: error.message }]));
  }
  return sendJson(
    reply,
    isAway(error, request.log) ? presentError('SERVICE_UNAVAILABLE') : presentInternalError(),
  );
}
