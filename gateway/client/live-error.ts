/** An error of a GraphQL result. Source: GraphQL, "Response", "Errors". */
export interface ResultError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  /** `code` says what kind of error it is. */
  readonly extensions?: { readonly code?: string } & Readonly<Record<string, unknown>>;
}

/** Details of a {@link LiveError}. */
export interface LiveErrorDetails {
  /** Whether a retry cannot help. By default the code decides. */
  readonly isFinal?: boolean;
  /** The least time before the next attempt, milliseconds. */
  readonly retryAfterMs?: number;
  /** The errors of the server's answer. */
  readonly errors?: readonly ResultError[];
  readonly cause?: unknown;
}

/** Codes of temporary failures: outages, limits, restarts, broken connections. */
const PASSING: ReadonlySet<string> = new Set([
  // Codes of the server.
  'INTERNAL_SERVER_ERROR',
  'OPERATION_TIMEOUT',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'SLOW_CONSUMER',
  'SUBGRAPH_HTTP_ERROR',
  'SUBGRAPH_RESPONSE_INVALID',
  'SUBGRAPH_TIMEOUT',
  'SUBGRAPH_UNREACHABLE',
  'SUBSCRIPTION_LIMIT_EXCEEDED',
  // Codes of this client.
  'CONNECTION_ENDED',
  'CONNECTION_LOST',
  'NO_CREDENTIAL',
  'SLOW_READER',
  'UNRESPONSIVE',
]);

/**
 * The reason for which a subscription ended or is interrupted. `code` is a code of the server (`extensions.code` of
 * its first error), or one of the client's own, which its README lists. The message has no key and no token.
 */
export class LiveError extends Error {
  override readonly name = 'LiveError';
  readonly code: string;
  /** Whether a retry cannot help. */
  readonly isFinal: boolean;
  /** The least time before the next attempt, milliseconds; undefined when the server named none. */
  readonly retryAfterMs: number | undefined;
  /** The errors of the server's answer; empty without any. */
  readonly errors: readonly ResultError[];

  constructor(code: string, message: string, details: LiveErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.isFinal = details.isFinal ?? !PASSING.has(code);
    this.retryAfterMs = details.retryAfterMs;
    this.errors = details.errors ?? [];
  }
}

/** The error of an answer without data: the code of its first error decides what happens. */
export function errorOf(errors: readonly ResultError[]): LiveError {
  const [first] = errors;
  const { code } = first?.extensions ?? {};
  return first === undefined || code === undefined
    ? new LiveError('UNEXPECTED_ANSWER', first?.message ?? 'The answer has neither data nor errors', {
        errors,
      })
    : new LiveError(code, first.message, { errors });
}

/** The error itself, or one around what was thrown. */
export function asLiveError(thrown: unknown, code: string, message: string): LiveError {
  return thrown instanceof LiveError ? thrown : new LiveError(code, message, { cause: thrown });
}

/** The error of a document that this client cannot follow. */
export const badDocument = (message: string) => new LiveError('BAD_DOCUMENT', message);
