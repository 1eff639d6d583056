import { types } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { fieldOf } from '../objects.ts';
import { maskPath } from '../person/mask-numbers.ts';
import { hideSecrets } from './hide-secrets.ts';
import { redactUrls } from './redact.ts';

export type { Logger } from 'pino';

/**
 * The process's logger: JSON lines with ISO 8601 times. Of an error only type, code, message, stack and causes are
 * written; of a request only method and path, of an answer only its status. Values under secret names are hidden, see
 * {@link hideSecrets}.
 *
 * Each line is written before the call returns, so a process that is killed has lost none.
 * @param destination where the lines go; standard output by default
 */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: hideInLine },
      serializers: SERIALIZERS,
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
  // A child's own fields pass no formatter. Its children inherit this method.
  const { child } = log;
  log.child = function (this: Logger, fields, more) {
    return Reflect.apply(child, this, [hideInLine(fields), more]);
  };
  return log;
}

/** Serializers by field name; they leave out secrets. Fastify logs the last two. */
const SERIALIZERS = {
  err: (error: unknown) => toLoggedError(error),
  req: toLoggedRequest,
  res: ({ statusCode }: { statusCode?: number }) => ({ statusCode }),
};

const SERIALIZED = Object.keys(SERIALIZERS);

/** Requests and answers are graphs of hundreds of objects; their serializers handle them. */
function hideInLine(fields: Record<string, unknown>): Record<string, unknown> {
  return hideSecrets(fields, SERIALIZED);
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
  const errors = fieldOf(error, 'errors');
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

/** The message of a GraphQL error from a subgraph; the text of anything else. */
function messageOf(error: unknown): string {
  const message = fieldOf(error, 'message');
  return typeof message === 'string' ? message : String(error);
}

function codeOf(error: unknown): { code?: string | number } {
  const found = fieldOf(error, 'code') ?? fieldOf(fieldOf(error, 'extensions'), 'code');
  return typeof found === 'string' || typeof found === 'number' ? { code: found } : {};
}

/** When code runs in a context of its own, as in tests, the runtime's errors belong to another realm. */
function isError(error: unknown): error is Error {
  return error instanceof Error || types.isNativeError(error);
}

/** Queries hold phone numbers and email addresses, and so may paths. */
function toLoggedRequest(request: { method?: string; url?: string }): Record<string, unknown> {
  return { method: request.method, path: request.url === undefined ? undefined : maskPath(request.url) };
}
