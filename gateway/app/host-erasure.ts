import type { SubgraphDefinition } from '../../subgraphs/graph/subgraph.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import { EraseUserMutation } from '../../subgraphs/users/index.ts';
import type { UserErasure } from '../../subgraphs/users/use-cases/erase-user.ts';

/** The subgraphs of the slices, that of users with the erasure, which reaches the records of all of them. */
export function hostErasure(
  slices: Readonly<Record<string, { readonly subgraph: SubgraphDefinition }>>,
  { erasure, apiKeys }: { readonly erasure: UserErasure; readonly apiKeys: Pick<ApiKeys, 'find'> },
): SubgraphDefinition[] {
  return Object.values(slices).map(({ subgraph }) =>
    subgraph.name === 'users'
      ? { ...subgraph, resolvers: [...subgraph.resolvers, new EraseUserMutation(erasure, apiKeys)] }
      : subgraph,
  );
}
