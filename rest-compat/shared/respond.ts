import type { FastifyBaseLogger } from 'fastify';
import { isOutage } from '../../subgraphs/platform/database/outage.ts';
import type { ErrorCode } from '../../subgraphs/platform/errors/catalogue.ts';
import type { Failure } from '../../subgraphs/platform/errors/result.ts';
import type { Outcome } from './outcome.ts';
import type { RestResponse } from './reply.ts';

/** The errors of a surface, in its documented shapes: what each `errors.ts` exports. */
export interface SurfaceErrors {
  /** @param retryAfter whole seconds after which to try again, when a limit was reached */
  presentFailures(failures: readonly Failure[], retryAfter?: number): RestResponse;
  /** Fails with the catalogue's own message. */
  presentError(code: ErrorCode): RestResponse;
  /** 500, without details. */
  presentInternalError(): RestResponse;
}

/** Turns an outcome into an answer. */
export function respond(
  outcome: Outcome,
  { presentFailures, presentInternalError }: SurfaceErrors,
  present: (body: unknown) => RestResponse,
): RestResponse {
  switch (outcome.kind) {
    case 'success':
      return present(outcome.data);
    case 'failure':
      return presentFailures(outcome.failures, outcome.retryAfter);
    case 'internalError':
      return presentInternalError();
  }
}

/** Answers what was thrown: 503 while the database is away, 500 for a bug of ours. Logs either for the operator. */
export function presentThrown(
  error: unknown,
  log: FastifyBaseLogger,
  { presentError, presentInternalError }: Pick<SurfaceErrors, 'presentError' | 'presentInternalError'>,
): RestResponse {
  if (isOutage(error)) {
    log.warn({ err: error }, 'rest.store away');
    return presentError('SERVICE_UNAVAILABLE');
  }
  log.error({ err: error }, 'rest.request failed');
  return presentInternalError();
}
