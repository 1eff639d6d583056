import { GraphQLError } from 'graphql';
import { capIssues } from './input-issues.ts';

/** `extensions.code` of requests that cannot be run. */
export type RequestErrorCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'BAD_USER_INPUT'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'OPERATION_TOO_LARGE'
  | 'TOKEN_LIMIT_EXCEEDED'
  | 'COST_LIMIT_EXCEEDED'
  | 'OPERATION_TIMEOUT'
  | 'RESPONSE_TOO_LARGE'
  | 'SUBSCRIPTION_LIMIT_EXCEEDED'
  | 'UNSUPPORTED_OPERATION'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'QUERY_NOT_IN_SAFELIST';

/** Errors of a request that was not run: the result has no `data`. */
export interface RequestFailure {
  readonly errors: readonly GraphQLError[];
}

/** Makes a refusal with one error. */
export function failRequest(code: RequestErrorCode, message: string): RequestFailure {
  return { errors: [lightened(new GraphQLError(message, { extensions: { code } }))] };
}

/** The same error without what it holds in memory: the document, and the calls that led to it. */
function lightened(error: GraphQLError): GraphQLError {
  return Object.assign(error, { stack: `${error.name}: ${error.message}` });
}

/**
 * Makes a refusal of what graphql-js reported: a code on each error that has none, at most 20 of them. Refusals are
 * remembered, so it keeps where the errors stand and forgets the document.
 */
export function failRequestWith(code: RequestErrorCode, errors: readonly GraphQLError[]): RequestFailure {
  const coded = errors.map(({ message, locations, extensions }) =>
    Object.assign(new GraphQLError(message, { extensions: { code, ...extensions } }), { locations }),
  );
  return { errors: capIssues(coded).map(lightened) };
}
