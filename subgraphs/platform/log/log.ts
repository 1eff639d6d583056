import { types } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redactUrls } from './redact.ts';

export type { Logger } from 'pino';

/** Values under these names never reach a log line, wherever they stand (two levels deep). */
const SECRET_FIELDS = [
  'api_key',
  'x-api-key',
  'x-internal-key',
  'authorization',
  'cookie',
  'secret',
  'sharedSecret',
];
const REDACTED = SECRET_FIELDS.flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `headers["${name}"]`,
  `*.headers["${name}"]`,
]);

/**
 * The process's logger: JSON lines with ISO 8601 times. Of an error only type, code, message, stack and causes are
 * written; of a request only method and path.
 * @param destination where the lines go; standard output by default
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: (error: unknown) => toLoggedError(error), req: toLoggedRequest },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

interface LoggedError {
  type: string;
  message: string;
  code?: string | number;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const MOST_CAUSES = 3;
const MOST_ERRORS = 5;

/**
 * An error carries what it was made of: the driver's hold documents and connection options, HTTP clients' hold whole
 * requests. None of that is written, and URLs in messages lose their passwords.
 */
function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!isError(error)) {
    return { type: typeof error, message: redactUrls(messageOf(error)), ...codeOf(error) };
  }
  const { errors } = error as Error & { errors?: unknown };
  const deeper = depth < MOST_CAUSES;
  return {
    type: error.name,
    message: redactUrls(error.message),
    ...codeOf(error),
    ...(error.stack === undefined ? {} : { stack: redactUrls(error.stack) }),
    ...(deeper && error.cause !== undefined ? { cause: toLoggedError(error.cause, depth + 1) } : {}),
    ...(deeper && Array.isArray(errors)
      ? { errors: errors.slice(0, MOST_ERRORS).map((one: unknown) => toLoggedError(one, depth + 1)) }
      : {}),
  };
}

/** Of an error of GraphQL as a subgraph sends it, its message; anything else as a text. */
function messageOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}

function codeOf(error: unknown): { code?: string | number } {
  const { code, extensions } = Object(error) as { code?: unknown; extensions?: { code?: unknown } };
  const found = code ?? extensions?.code;
  return typeof found === 'string' || typeof found === 'number' ? { code: found } : {};
}

/** Errors of the runtime's own are of another realm where code runs in a context of its own, as in tests. */
function isError(error: unknown): error is Error {
  return error instanceof Error || types.isNativeError(error);
}

/** Paths hold ids; queries hold phone numbers and email addresses. */
function toLoggedRequest(request: { method?: string; url?: string }): Record<string, unknown> {
  return { method: request.method, path: request.url?.split('?')[0] };
}
