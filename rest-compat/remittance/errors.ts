import { CATALOGUE, type ErrorCode, statusOrInternalError } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { Failure } from '../../subgraphs/kernel/errors/result.ts';
import type { SurfaceErrors } from '../shared/outcome.ts';
import { failureHeaders, type RestResponse } from '../shared/reply.ts';

/** The body of the 400s and 401s of a call: the reason and a code, or only the reason. */
export type ErrorShape = 'coded' | 'plain';

/**
 * A missing, unknown or revoked key gets the same answer as a key without the scopes (decisions, section 2). The document has no code for
 * a rate that is too old.
 */
const RENAMED: Partial<Readonly<Record<ErrorCode, ErrorCode>>> = {
  UNAUTHENTICATED: 'ERROR_INVALID_PARTNER_TOKEN',
  FORBIDDEN: 'ERROR_INVALID_PARTNER_TOKEN',
  INVALID_REQUEST: 'ERROR_REQUEST_MONEY_FULL',
  RATE_STALE: 'SERVICE_UNAVAILABLE',
};

/** Errors in document 1's shape. Only the first one counts. */
export function presentFailures([first]: readonly Failure[], shape: ErrorShape): RestResponse {
  if (!first) {
    return presentInternalError();
  }
  const code = RENAMED[first.code] ?? first.code;
  const isExact = code === first.code || first.code === 'INVALID_REQUEST';
  const reason = isExact ? first.message : CATALOGUE[code].message;
  const status = statusOrInternalError(code, 'remittance');
  const isCoded = shape === 'coded' && (status === 400 || status === 401);
  return {
    status,
    body: isCoded ? { reason, code } : { reason },
    ...failureHeaders(code, { hasCode: isCoded }),
  };
}

/** Fails with the catalogue's own message, or with a more exact one. */
export function presentError(
  code: ErrorCode,
  shape: ErrorShape = 'plain',
  message: string = CATALOGUE[code].message,
): RestResponse {
  return presentFailures([{ code, message }], shape);
}

/** 500, without details. */
export function presentInternalError(): RestResponse {
  const code = 'INTERNAL_SERVER_ERROR';
  return {
    status: 500,
    body: { reason: CATALOGUE[code].message },
    ...failureHeaders(code, { hasCode: false }),
  };
}

/** The errors of a call. */
export function errorsIn(shape: ErrorShape): SurfaceErrors {
  return {
    presentFailures: (failures) => presentFailures(failures, shape),
    presentError: (code) => presentError(code, shape),
    presentInternalError,
  };
}
