import type { ReferenceResolver, Representation, SchemaExtension } from '../../graph/subgraph.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { type NodeType, withNodes } from './extend-document.ts';
import { fromNodeId, toNodeId } from './node-id.ts';

/** An entity that becomes a node, and how its own subgraph finds it. */
export interface NodeEntity extends NodeType {
  readonly find: ReferenceResolver;
}

export interface NodesDeps {
  readonly entities: readonly NodeEntity[];
  /** How the subgraph that serves `node` finds entities of which it has more than the keys. */
  readonly references: Readonly<Record<string, ReferenceResolver>>;
}

/**
 * `node` and the `nodeId` of every entity, for the subgraph that serves them (Relay, "Global Object Identification"). Missing
 * entities, unreadable ids and another account's entities are all null.
 */
export function createNodes({ entities, references }: NodesDeps): SchemaExtension {
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  const nodeIds = entities.map(({ name: type, key }) => [
    type,
    { nodeId: (entity: Readonly<Record<string, unknown>>) => toNodeId({ type, id: String(entity[key]) }) },
  ]);
  return {
    extend: (sdl) => withNodes(sdl, entities),
    resolvers: {
      ...Object.fromEntries(nodeIds),
      Node: { __resolveType: ({ __typename }: Representation) => __typename },
      Query: {
        node: (_source: unknown, { id }: { id: string }, context: RequestContext) =>
          findNode(byName, references, id, context),
      },
    },
  };
}

async function findNode(
  entities: ReadonlyMap<string, NodeEntity>,
  references: NodesDeps['references'],
  nodeId: string,
  context: RequestContext,
): Promise<object | null> {
  const { type, id } = fromNodeId(nodeId) ?? { type: '', id: '' };
  const entity = entities.get(type);
  if (!entity) {
    return null;
  }
  const representation: Representation = { __typename: type, [entity.key]: id };
  const [found] = await entity.find([representation], context);
  const own = references[type];
  if (!found) {
    return null;
  }
  return own === entity.find
    ? { ...found, __typename: type }
    : ((await loadHere(references, [representation], context))[0] ?? null);
}

/**
 * The fields that the subgraph of nodes itself has of existing entities of one type. They are read from here, not from the
 * answer of the entity's own subgraph.
 */
export async function loadHere(
  references: NodesDeps['references'],
  representations: readonly Representation[],
  context: RequestContext,
): Promise<(object | null)[]> {
  const type = representations[0]?.__typename ?? '';
  const loaded = (await references[type]?.(representations, context)) ?? representations;
  return loaded.map((entity) => entity && { ...entity, __typename: type });
}
