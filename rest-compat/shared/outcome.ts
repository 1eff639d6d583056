import type { FastifyBaseLogger } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { isOutage } from '../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE, type ErrorCode, isErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { Failure } from '../../subgraphs/kernel/errors/result.ts';
import type { RestResponse } from './reply.ts';

/** The outcome of a call. A surface turns it into bytes. */
export type Outcome<Data = unknown> =
  | { readonly kind: 'success'; readonly data: Data; readonly headers?: RestResponse['headers'] }
  /** Errors of the catalogue. `retryAfter`: whole seconds until the next attempt, if a limit was reached. */
  | {
      readonly kind: 'failure';
      readonly failures: readonly Failure[];
      readonly retryAfter?: number;
      readonly headers?: RestResponse['headers'];
    }
  /** An internal error, which the gateway has logged: 500. */
  | { readonly kind: 'internalError' };

/** The common part of all mutations' payloads, as the documents of `schema/operations` select it. */
export interface Payload {
  readonly userErrors: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[] | null;
  }[];
  /** Whole seconds until the next attempt, if a limit was reached. */
  readonly retryAfter?: number | null;
}

const INTERNAL_ERROR: Outcome<never> = { kind: 'internalError' };

/** GraphQL error codes for a part of the product that cannot be reached, or does not answer in time: 503 on every surface. */
export const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  'SERVICE_UNAVAILABLE',
  'SUBGRAPH_UNREACHABLE',
  'SUBGRAPH_TIMEOUT',
  'OPERATION_TIMEOUT',
]);

/** A success: the body of an answer, or the result of a document. */
export function success<Data>(data: Data): Outcome<Data> {
  return { kind: 'success', data };
}

/** Fails with the catalogue's own message. */
function failure(code: ErrorCode): Outcome<never> {
  return { kind: 'failure', failures: [{ code, message: CATALOGUE[code].message }] };
}

/**
 * Reads the result of a document. The first error counts, unless any error is one of {@link UNAVAILABLE}
 * (decisions, section 7). An error without a code of the catalogue is an internal error.
 * @throws TypeError for a result without data and errors, whose cause nothing has logged
 */
export function outcomeOf<Data>({ data, errors = [] }: ExecutionResult<Data>): Outcome<Data> {
  const [error] = errors;
  if (!error) {
    if (data == null) {
      throw new TypeError('A document answered neither data nor errors');
    }
    return success(data);
  }
  if (errors.some(({ extensions }) => UNAVAILABLE.has(extensions?.code))) {
    return failure('SERVICE_UNAVAILABLE');
  }
  const code = error.extensions?.code;
  if (code === 'FORBIDDEN') {
    // The graph names the field and the missing scope; the documents of the surfaces have one message.
    return failure(code);
  }
  return typeof code === 'string' && isErrorCode(code) && code !== 'INTERNAL_SERVER_ERROR'
    ? { kind: 'failure', failures: [{ code, message: error.message }] }
    : INTERNAL_ERROR;
}

/**
 * Reads the payload of a mutation.
 * @param made the created or changed object; null if the mutation failed
 * @throws TypeError for an invalid payload: the error handler logs it and answers 500
 */
export function payloadOutcome<Made>(
  payload: Payload,
  made: Made | null,
  toBody: (made: Made) => unknown,
): Outcome {
  const { userErrors, retryAfter } = payload;
  if (userErrors.length > 0) {
    return {
      kind: 'failure',
      failures: userErrors.map(toFailure),
      ...(retryAfter != null && { retryAfter }),
    };
  }
  if (made === null) {
    throw new TypeError('A mutation answered neither a result nor errors');
  }
  return success(toBody(made));
}

function toFailure({ code, message, path }: Payload['userErrors'][number]): Failure {
  if (!isErrorCode(code)) {
    throw new TypeError(`The catalogue has no error ${code}`);
  }
  return { code, message, ...(path && { path }) };
}

/** Reads an entity that a query may not have found. */
export function foundOutcome<Found>(
  entity: Found | null,
  toBody: (found: Found) => unknown,
  notFound: ErrorCode,
): Outcome {
  return entity === null ? failure(notFound) : success(toBody(entity));
}

/** The errors of a surface, in its documented shapes: what each `errors.ts` exports. */
export interface SurfaceErrors {
  /** @param retryAfter whole seconds until the next attempt, if a limit was reached */
  presentFailures(failures: readonly Failure[], retryAfter?: number): RestResponse;
  /** Fails with the catalogue's own message. */
  presentError(code: ErrorCode): RestResponse;
  /** 500, without details. */
  presentInternalError(): RestResponse;
}

/** Adds headers to the answer of an outcome, unless it is an internal error. */
export function withHeaders(outcome: Outcome, headers: Readonly<Record<string, string>>): Outcome {
  return outcome.kind === 'internalError' ? outcome : { ...outcome, headers };
}

/** Turns an outcome into an answer. */
export function respond(
  outcome: Outcome,
  { presentFailures, presentInternalError }: SurfaceErrors,
  present: (body: unknown) => RestResponse,
): RestResponse {
  if (outcome.kind === 'internalError') {
    return presentInternalError();
  }
  const response =
    outcome.kind === 'success'
      ? present(outcome.data)
      : presentFailures(outcome.failures, outcome.retryAfter);
  return outcome.headers ? { ...response, headers: { ...response.headers, ...outcome.headers } } : response;
}

/** Answers an error that was thrown: 503 for an outage of the database, otherwise 500. It logs the error for the operator. */
export function presentThrown(
  error: unknown,
  log: FastifyBaseLogger,
  { presentError, presentInternalError }: Pick<SurfaceErrors, 'presentError' | 'presentInternalError'>,
): RestResponse {
  if (isOutage(error)) {
    log.warn({ err: error }, 'rest.store_unavailable');
    return presentError('SERVICE_UNAVAILABLE');
  }
  log.error({ err: error }, 'rest.request_failed');
  return presentInternalError();
}
