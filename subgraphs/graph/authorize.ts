import { GraphQLError } from 'graphql';
import { CATALOGUE, type ErrorCode } from '../kernel/errors/catalogue.ts';
import type { Result } from '../kernel/errors/result.ts';
import {
  type ConsoleSessionUse,
  PLATFORM_ACCOUNT,
  type Principal,
  type RequestContext,
} from '../kernel/principal.ts';

/** An error for the client: masking leaves its code and message. */
export function graphqlError(code: ErrorCode, message: string = CATALOGUE[code].message): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/**
 * The principal of the request. Which scopes it needs is declared by `@RequiresScopes` and checked before the resolver
 * runs.
 * @throws GraphQLError UNAUTHENTICATED without a principal
 */
export function authorize({ principal }: RequestContext): Principal {
  if (!principal) {
    throw graphqlError('UNAUTHENTICATED');
  }
  return principal;
}

/**
 * The principal, for what only a partner's server makes: a console session makes no other session, and no browser token that
 * would outlive it.
 * @throws GraphQLError UNAUTHENTICATED without a principal, FORBIDDEN in a console session
 */
export function authorizeKey(context: RequestContext): Principal {
  const principal = authorize(context);
  if (principal.consoleSession) {
    throw graphqlError('FORBIDDEN', 'This is done with an API key, not in a console session.');
  }
  return principal;
}

/**
 * The principal, for what makes API keys: keys that a console session makes end with the key that the session was made from. A
 * session of an operator's link, or of a sign-in by OpenID Connect, has none, and makes no keys.
 * @throws GraphQLError UNAUTHENTICATED without a principal, FORBIDDEN in a session that no key has made
 */
export function authorizeKeyMaker(context: RequestContext): Principal {
  const principal = authorize(context);
  if (principal.consoleSession?.sessionId === principal.keyId) {
    throw graphqlError(
      'FORBIDDEN',
      'A session that no API key has started makes no keys. Make them with an API key.',
    );
  }
  return principal;
}

/**
 * The principal of the platform's operators, in a console session of theirs. The scope `platform` is declared besides; a
 * caller that has it in any other way is none.
 * @throws GraphQLError UNAUTHENTICATED without a principal, FORBIDDEN for others
 */
export function authorizePlatform(
  context: RequestContext,
): Principal & { consoleSession: ConsoleSessionUse } {
  const principal = authorize(context);
  const { accountId, consoleSession } = principal;
  if (accountId !== PLATFORM_ACCOUNT || !consoleSession) {
    throw graphqlError('FORBIDDEN');
  }
  return { ...principal, consoleSession };
}

/**
 * The value of a result, for reads and subscriptions, which have no payload for failures.
 * @throws GraphQLError with the first failure's code
 */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) {
    return result.value;
  }
  const [failure] = result.failures;
  throw failure ? graphqlError(failure.code, failure.message) : new TypeError('A failed call has a reason');
}
