import type { AccountGraph } from '../../subgraphs/account/index.ts';
import { createNodes, type NodeEntity } from '../../subgraphs/account/node/nodes.ts';
import { createSearch } from '../../subgraphs/account/node/search.ts';
import type { SchemaExtension, SubgraphDefinition } from '../../subgraphs/platform/graphql/subgraph.ts';

/** The types with a `nodeId`, by the subgraph that finds them. */
const NODES: Readonly<Record<string, Omit<NodeEntity, 'find'>[]>> = {
  operations: [{ name: 'Operation', key: 'id' }],
  users: [
    { name: 'User', key: 'id' },
    { name: 'Contact', key: 'id' },
    { name: 'PaymentMethod', key: 'id' },
  ],
  links: [
    { name: 'Link', key: 'id' },
    { name: 'WebhookDelivery', key: 'id' },
  ],
  'request-money': [
    { name: 'RequestMoney', key: 'referenceId', keyType: 'String' },
    { name: 'Remittance', key: 'correlationId' },
  ],
};

/**
 * Adds the account to one of the subgraphs: this part of the graph has no subgraph and no process of its own. @param host the
 * subgraph's name
 */
export function hostAccount(
  definitions: readonly SubgraphDefinition[],
  host: string,
  account: AccountGraph,
): SubgraphDefinition[] {
  const merged = definitions.map((definition) =>
    definition.name === host
      ? {
          ...definition,
          resolvers: [...definition.resolvers, ...account.resolvers],
          references: { ...definition.references, ...account.references },
        }
      : definition,
  );
  const entities = merged.flatMap(entitiesOf);
  const sources = merged.flatMap(({ search = [] }) => search);
  return merged.map((definition) =>
    definition.name === host
      ? { ...definition, extension: extensionOf({ entities, sources, references: definition.references }) }
      : definition,
  );
}

/** `node` comes first, because `search` returns nodes. */
function extensionOf(deps: Parameters<typeof createSearch>[0]): SchemaExtension {
  const [nodes, search] = [createNodes(deps), createSearch(deps)];
  return {
    extend: (sdl) => search.extend(nodes.extend(sdl)),
    resolvers: {
      ...nodes.resolvers,
      ...search.resolvers,
      Query: { ...nodes.resolvers.Query, ...search.resolvers.Query },
    },
  };
}

function entitiesOf({ name, references }: SubgraphDefinition): NodeEntity[] {
  return (NODES[name] ?? []).flatMap((node) => {
    const find = references[node.name];
    return find ? [{ ...node, find }] : [];
  });
}
