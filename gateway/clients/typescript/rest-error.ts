import { readRetryAfter } from '../../client/http.ts';
import type { DocumentedCode } from './error-codes.ts';

/**
 * The code of an error: a documented one, or one of the client's own. `CONNECTION_LOST`: no answer came, and it is unknown whether the
 * server has acted. `UNEXPECTED_ANSWER`: the answer is not one of the product; a proxy may have written it. A newer server may have
 * more codes: treat an unknown one as a failure.
 */
export type ErrorCode = DocumentedCode | 'CONNECTION_LOST' | 'UNEXPECTED_ANSWER' | (string & {});

/** One fault of a request. */
export interface FieldIssue {
  /** Of the property, such as `requestData.name.firstName`. */
  readonly path: string;
  readonly message: string;
}

interface RestErrorDetails {
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly issues?: readonly FieldIssue[];
  readonly retryAfterMs?: number | undefined;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A call that failed. Branch on `code`. The message has no key. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: ErrorCode;
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** `x-request-id` of the answer. Your operator finds the call by it. */
  readonly requestId: string | undefined;
  /** The faults of the request; empty if the error has none. */
  readonly issues: readonly FieldIssue[];
  /** The time after which a repetition makes sense, milliseconds; undefined if the server named none. */
  readonly retryAfterMs: number | undefined;
  /** The body of the answer, parsed; its text if it is not JSON. */
  readonly body: unknown;

  constructor(code: ErrorCode, message: string, details: RestErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.issues = details.issues ?? [];
    this.retryAfterMs = details.retryAfterMs;
    this.body = details.body;
  }
}

/** Codes of answers that have none in their body and no `X-Error-Code`. Source: "Errors" of documents 1 and 2. */
const CODES_BY_STATUS: Readonly<Record<number, DocumentedCode>> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'VALIDATION_FAILED',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'SERVICE_UNAVAILABLE',
  503: 'SERVICE_UNAVAILABLE',
  504: 'SERVICE_UNAVAILABLE',
};

/**
 * Reads the error of an answer that is not successful, in the shape of any of the three documents. Some have members both in `error` and
 * beside it. A successful answer that is neither JSON nor a CSV file, or too large, is an error too.
 * @param text the body; empty if it is too large
 */
export function readError({ status, headers }: Response, text: string): RestError {
  const body = tryParse(text);
  const outer = isRecord(body) ? body : {};
  const inner = isRecord(outer.error) ? outer.error : {};
  const code =
    textOf(inner.code) ??
    textOf(outer.code) ??
    textOf(headers.get('x-error-code')) ??
    CODES_BY_STATUS[status] ??
    'UNEXPECTED_ANSWER';
  const message =
    textOf(inner.message) ??
    textOf(outer.message) ??
    textOf(outer.reason) ??
    `The server answers with status ${status}`;
  return new RestError(code, message, {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    issues: [...issuesOf(outer.details), ...issuesOf(inner.details)],
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
    body: body ?? text,
  });
}

function issuesOf(details: unknown): FieldIssue[] {
  return (Array.isArray(details) ? details : []).flatMap((one: unknown) => {
    const { path, message } = isRecord(one) ? one : {};
    return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
  });
}

/** Undefined if the text is not JSON: a proxy may have written it. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
