import { GraphQLError } from 'graphql';
import type { EngineContext } from '../context.ts';
import type { SubgraphError } from '../transports/transport.ts';
import type { Path } from './state.ts';

/** `extensions.code` of an error that a subgraph reported without a code, and of data that breaks the schema. */
export const DOWNSTREAM_SERVICE_ERROR = 'DOWNSTREAM_SERVICE_ERROR';
/** `extensions.code` of a masked error. */
const INTERNAL_SERVER_ERROR = 'INTERNAL_SERVER_ERROR';

/** The origin of an unexpected error. */
export interface InternalErrorInfo {
  readonly requestId: string;
  /** The subgraph; absent when the gateway itself failed. */
  readonly serviceName?: string;
  readonly path?: Path;
}

/** Receives the original of every error without a code, once per occurrence. */
export type OnInternalError = (error: unknown, info: InternalErrorInfo) => void;

interface ErrorPolicy {
  readonly onInternalError: OnInternalError;
  /** When false, messages of unexpected errors are replaced by "Internal server error" with the request id. */
  readonly exposeInternalErrors: boolean;
  /** Gives a code and a message to an error without a code; undefined makes the error internal. Default: always undefined. */
  readonly recognise?: RecogniseError | undefined;
}

/** Finds the code and message for an error without a code, such as an outage of the database. */
export type RecogniseError = (
  error: unknown,
) => { readonly code: string; readonly message: string } | undefined;

interface ErrorOrigin {
  readonly serviceName: string;
  readonly context: EngineContext;
}

/** Makes client errors from the errors of subgraphs, transports and the gateway itself. */
export interface ErrorReporter {
  /** An error of a subgraph, once for each position; without positions, one error without a path. */
  fromSubgraph(error: SubgraphError, paths: readonly Path[], origin: ErrorOrigin): GraphQLError[];
  /** A subgraph that could not be reached, at each of these positions. */
  fromTransport(error: unknown, paths: readonly Path[], origin: ErrorOrigin): GraphQLError[];
  /** An internal error of the engine while it served the request. It is not reported when it is the reason of the context's abort. */
  fromGateway(error: unknown, context: EngineContext): GraphQLError;
}

/** The client's error where a variable is null and an argument, or an input field, must not be. */
export const NULL_ARGUMENT = {
  code: 'BAD_USER_INPUT',
  message: 'A variable is null where a value is required.',
} as const;

const ARGUMENT_ISSUE = /^Argument "\w+" (?:of non-null type "[^"]+" must not be null\.$|has invalid value )/;

/**
 * The error of a client that gave null, by a variable that may be null, for an argument or input field that may not be:
 * valid if the variable or the field has a default (GraphQL specification, sections 5.8.5 and 6.4.1). Undefined for any other
 * message. graphql-js and graphql-jit give these errors no code, and their messages may repeat what the client wrote.
 */
export function argumentIssue(message: string): typeof NULL_ARGUMENT | undefined {
  return ARGUMENT_ISSUE.test(message) ? NULL_ARGUMENT : undefined;
}

const INTERNAL_EXTENSIONS = new Set(['stacktrace', 'exception']);

function codeOf(error: unknown): string | undefined {
  const extensions =
    typeof error === 'object' && error !== null && 'extensions' in error ? error.extensions : undefined;
  const code =
    typeof extensions === 'object' && extensions !== null && 'code' in extensions
      ? extensions.code
      : undefined;
  return typeof code === 'string' && code !== INTERNAL_SERVER_ERROR ? code : undefined;
}

function ownExtensions(error: SubgraphError): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(error.extensions ?? {}).filter(([name]) => !INTERNAL_EXTENSIONS.has(name)),
  );
}

function located(
  message: string,
  paths: readonly Path[],
  extensions: Record<string, unknown>,
): GraphQLError[] {
  const positions: readonly (Path | undefined)[] = paths.length === 0 ? [undefined] : paths;
  return positions.map(
    (path) => new GraphQLError(message, { path: path ?? null, extensions: { ...extensions } }),
  );
}

function info(context: EngineContext, serviceName: string, path: Path | undefined): InternalErrorInfo {
  return { requestId: context.requestId, serviceName, ...(path === undefined ? {} : { path }) };
}

/** Makes errors by one policy: an error with a code keeps its code and message, any other is internal. */
export function createErrorReporter(policy: ErrorPolicy): ErrorReporter {
  const masked = (context: EngineContext) => ({ code: INTERNAL_SERVER_ERROR, requestId: context.requestId });

  function internal(
    error: unknown,
    message: string,
    paths: readonly Path[],
    origin: ErrorOrigin,
  ): GraphQLError[] {
    const { serviceName, context } = origin;
    policy.onInternalError(error, info(context, serviceName, paths[0]));
    const known = policy.recognise?.(error);
    if (known !== undefined) {
      return located(known.message, paths, { code: known.code, serviceName });
    }
    if (policy.exposeInternalErrors) {
      return located(message, paths, { code: DOWNSTREAM_SERVICE_ERROR, serviceName });
    }
    return located('Internal server error', paths, { ...masked(context), serviceName });
  }

  return {
    fromSubgraph(error, paths, origin) {
      const code = codeOf(error);
      const issue = code === undefined ? argumentIssue(error.message) : undefined;
      if (issue !== undefined) {
        return located(issue.message, paths, { code: issue.code, serviceName: origin.serviceName });
      }
      if (code === undefined) {
        return internal(error.originalError ?? error, error.message, paths, origin);
      }
      return located(error.message, paths, {
        ...ownExtensions(error),
        code,
        serviceName: origin.serviceName,
      });
    },
    fromTransport(error, paths, origin) {
      const code = codeOf(error);
      if (code === undefined) {
        return internal(error, messageOf(error), paths, origin);
      }
      return located(messageOf(error), paths, { code, serviceName: origin.serviceName });
    },
    fromGateway(error, context) {
      // An abort's reason is no fault of the engine: the caller has its answer already, or has gone.
      const isAbort = context.signal?.aborted === true && error === context.signal.reason;
      if (!isAbort) {
        policy.onInternalError(error, { requestId: context.requestId });
      }
      const known = policy.recognise?.(error);
      if (known !== undefined) {
        return new GraphQLError(known.message, { extensions: { code: known.code } });
      }
      const message = policy.exposeInternalErrors ? messageOf(error) : 'Internal server error';
      return new GraphQLError(message, { extensions: masked(context) });
    },
  };
}

/** The message of any value that a subgraph or a transport has thrown. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
