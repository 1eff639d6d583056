import { GraphQLError } from 'graphql';
import { CATALOGUE, type ErrorCode } from '../errors/catalogue.ts';
import type { Result } from '../errors/result.ts';
import type { Principal, RequestContext, Scope } from '../principal.ts';

/** A fault that the client is meant to see: its code and message survive masking. */
export function graphqlError(code: ErrorCode, message: string = CATALOGUE[code].message): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/**
 * The principal of the request, who must hold `scope`.
 * @throws GraphQLError UNAUTHENTICATED without a principal, FORBIDDEN without the scope
 */
export function authorize(context: RequestContext, scope: Scope = 'partner'): Principal {
  if (!context.principal) {
    throw graphqlError('UNAUTHENTICATED');
  }
  if (!context.principal.scopes.includes(scope)) {
    throw graphqlError('FORBIDDEN');
  }
  return context.principal;
}

/**
 * The principal of a request that changes how the partner is served: `partner_admin` beside `partner`, without which a
 * key may not call anything (decisions, section 0, "Scopes").
 * @throws GraphQLError UNAUTHENTICATED without a principal, FORBIDDEN without one of the scopes
 */
export function authorizeAdmin(context: RequestContext): Principal {
  authorize(context);
  return authorize(context, 'partner_admin');
}

/**
 * The value of a result where there is no payload to tell a refusal in: reads and subscriptions.
 * @throws GraphQLError with the first refusal's code
 */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) {
    return result.value;
  }
  const [failure] = result.failures;
  throw failure ? graphqlError(failure.code, failure.message) : new TypeError('A refused call has a reason');
}
