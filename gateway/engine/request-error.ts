import { GraphQLError } from 'graphql';

/** `extensions.code` of requests that the engine does not run. */
export type RequestErrorCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'BAD_USER_INPUT'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'OPERATION_TOO_LARGE'
  | 'OPERATION_TOO_COMPLEX'
  | 'TOKEN_LIMIT_EXCEEDED'
  | 'COST_LIMIT_EXCEEDED'
  | 'OPERATION_TIMEOUT'
  | 'RESPONSE_TOO_LARGE'
  | 'UNSUPPORTED_OPERATION';

/** Errors of a request that did not run: the result has no `data`. */
export interface RequestFailure {
  readonly errors: readonly GraphQLError[];
}

/** Makes a failure with one error. @param code `extensions.code`, one of the engine's or the caller's own */
export function failRequest(code: string, message: string): RequestFailure {
  return { errors: [lightened(new GraphQLError(message, { extensions: { code } }))] };
}

/** Most issues in one answer. */
export const MOST_ISSUES = 20;

/**
 * Returns the first issues, and one more with the number of omitted issues.
 *
 * @param found the number of all issues; more than `issues` has when they were not all kept
 */
export function capIssues(issues: readonly GraphQLError[], found = issues.length): GraphQLError[] {
  const named = issues.slice(0, MOST_ISSUES);
  if (found <= named.length) {
    return named;
  }
  const message = `${found - named.length} more errors were left out.`;
  const code = named[0]?.extensions.code ?? 'BAD_USER_INPUT';
  return [...named, new GraphQLError(message, { extensions: { code, omitted: found - named.length } })];
}

/** Copies an error without the document and the stack, which would fill memory. */
function lightened(error: GraphQLError): GraphQLError {
  return Object.assign(error, { stack: `${error.name}: ${error.message}` });
}

/**
 * Makes a failure out of errors of graphql-js: each error gets a code, and at most 20 are kept. Failures are cached, so they
 * keep the locations of the errors, not the document.
 */
export function failRequestWith(code: RequestErrorCode, errors: readonly GraphQLError[]): RequestFailure {
  const coded = errors.map(({ message, locations, extensions }) =>
    Object.assign(new GraphQLError(message, { extensions: { code, ...extensions } }), { locations }),
  );
  return { errors: capIssues(coded).map(lightened) };
}
