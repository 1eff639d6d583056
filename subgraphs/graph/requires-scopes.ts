import { Directive } from 'type-graphql';
import type { Scope } from '../kernel/principal.ts';

/**
 * Declares that a field, or whatever has a type, is for principals that hold one of these scopes. The gateway lets no
 * others through. The subgraph checks a field before its resolver runs ({@link enforceScopes}), and a type where it is
 * loaded as an entity: resolvers need no check of their own. A field that leads to a type requires at least as much.
 */
export function RequiresScopes(...oneOf: readonly Scope[]): ReturnType<typeof Directive> {
  return Directive(`@requiresScopes(scopes: ${JSON.stringify(oneOf.map((scope) => [scope]))})`);
}

/** The same for principals that hold all of these scopes. */
export function RequiresAllScopes(...all: readonly Scope[]): ReturnType<typeof Directive> {
  return Directive(`@requiresScopes(scopes: ${JSON.stringify([all])})`);
}
