import { findMutationIssue } from '../../subgraphs/graph/enforce-scopes.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import type { EngineHooks } from '../engine/index.ts';

/**
 * Hooks that send no mutation to a subgraph for a caller that only reads: with a browser token, or in a console session for
 * reading. Our own subgraphs check this too; other subgraphs in the same supergraph do not know such callers.
 */
export function withoutMutationsOfReaders(): EngineHooks<RequestContext> {
  return {
    onFetch: (fetch, context, next) => {
      const issue =
        fetch.operationKind === 'mutation' && context.principal
          ? findMutationIssue(context.principal)
          : undefined;
      return issue === undefined
        ? next(context)
        : { errors: [{ message: issue, extensions: { code: 'FORBIDDEN' } }] };
    },
  };
}
