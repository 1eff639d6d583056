import { READS_ONLY } from '../../subgraphs/platform/graphql/enforce-scopes.ts';
import type { RequestContext } from '../../subgraphs/platform/principal.ts';
import type { EngineHooks } from '../engine/index.ts';

/**
 * Hooks that send no mutation to a subgraph for a caller with a browser token. Our own subgraphs check this too; subgraphs of
 * a former version, or others in the same supergraph, do not know such tokens.
 */
export function withoutMutationsInBrowsers(): EngineHooks<RequestContext> {
  return {
    onFetch: (fetch, context, next) =>
      fetch.operationKind === 'mutation' && context.principal?.browserToken
        ? { errors: [{ message: READS_ONLY, extensions: { code: 'FORBIDDEN' } }] }
        : next(context),
  };
}
