import type { SubgraphDefinition } from '../../subgraphs/graph/subgraph.ts';
import { EraseUserMutation } from '../../subgraphs/users/index.ts';
import type { UserErasure } from '../../subgraphs/users/use-cases/erase-user.ts';

/** Adds the erasure of users, which reaches the records of all slices, to the subgraph of users. */
export function hostErasure(
  definitions: readonly SubgraphDefinition[],
  erasure: UserErasure,
): SubgraphDefinition[] {
  return definitions.map((definition) =>
    definition.name === 'users'
      ? { ...definition, resolvers: [...definition.resolvers, new EraseUserMutation(erasure)] }
      : definition,
  );
}
