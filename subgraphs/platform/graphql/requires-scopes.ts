import { Directive } from 'type-graphql';
import type { Scope } from '../principal.ts';

/**
 * Says in the SDL that a field, or whatever has a type, is for principals that hold one of these scopes. The gateway lets
 * no others through; resolvers check by `authorize` all the same, for they can be reached without it.
 */
export function RequiresScopes(...oneOf: readonly Scope[]): ReturnType<typeof Directive> {
  return Directive(`@requiresScopes(scopes: ${JSON.stringify(oneOf.map((scope) => [scope]))})`);
}

/** The same for principals that hold all of these scopes. */
export function RequiresAllScopes(...all: readonly Scope[]): ReturnType<typeof Directive> {
  return Directive(`@requiresScopes(scopes: ${JSON.stringify([all])})`);
}
