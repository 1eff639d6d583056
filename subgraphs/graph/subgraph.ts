import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  isUnionType,
  Kind,
  parse,
  print,
} from 'graphql';
import { buildSchema, createResolversMap, type NonEmptyArray } from 'type-graphql';
import { fieldOf } from '../kernel/objects.ts';
import type { RequestContext } from '../kernel/principal.ts';
import { checkScopes, enforceScopes, requirementOf, type ScopeRequirement } from './enforce-scopes.ts';
import { createExecutableSchema, type Resolvers } from './executable-schema.ts';
import { createReadShares, limitReads, type ReadShares } from './limit-reads.ts';
import type { SearchSource } from './search.ts';
import type { TimelineSource } from './timeline.ts';
import type { VerdictSource } from './verdict.ts';

/** A reference to an entity: its `__typename` and the fields of one of its keys. */
export type Representation = Readonly<Record<string, unknown>> & { readonly __typename: string };

/** Loads a batch of references of one type, in their order; null for entities that are hidden or do not exist. */
export type ReferenceResolver = (
  representations: readonly Representation[],
  context: RequestContext,
) => Promise<readonly (object | null)[]>;

/**
 * Makes a reference resolver for one key field. It reads all entities of a batch together.
 * @param find finds the existing entities of these keys, within the caller's tenant
 */
export function referenceBy<Stored>(
  field: string,
  find: (keys: readonly string[], context: RequestContext) => Promise<ReadonlyMap<string, Stored>>,
  present: (stored: Stored) => object,
): ReferenceResolver {
  return async (representations, context) => {
    const keys = representations.map((representation) => String(representation[field]));
    const found = await find(keys, context);
    return keys.map((key) => {
      const stored = found.get(key);
      return stored === undefined ? null : present(stored);
    });
  };
}

/** A subgraph before it is built: resolver instances and how its entities are found again. */
export interface SubgraphDefinition {
  /** Name in the supergraph, such as `request-money`. */
  readonly name: string;
  readonly resolvers: readonly object[];
  /**
   * Reference resolvers by GraphQL type name. A type without one is answered by its reference: it only lends fields to
   * others.
   */
  readonly references: Readonly<Record<string, ReferenceResolver>>;
  /** How its records are found by what partners know of them; the subgraph that serves `search` uses it. */
  readonly search?: readonly SearchSource[];
  /** How the timelines of its records are read; the subgraph that serves timelines uses it. */
  readonly timeline?: readonly TimelineSource[];
  /** How the verdicts on its records are found; the subgraph that serves timelines uses it. */
  readonly verdicts?: readonly VerdictSource[];
  /** Additions to the SDL that the resolvers make. */
  readonly extension?: SchemaExtension;
}

/** An addition to a subgraph's SDL, with its resolvers by type and field. */
export interface SchemaExtension {
  extend(sdl: DocumentNode): DocumentNode;
  readonly resolvers: Resolvers;
}

/** A subgraph ready to serve and to compose. */
export interface Subgraph {
  readonly name: string;
  /** For a gateway in the same process. */
  readonly schema: GraphQLSchema;
  /** The same for gateways elsewhere, as `@apollo/subgraph` makes it: with its SDL, in `_service`. */
  federatedSchema(): Promise<GraphQLSchema>;
  /** Federation 2 SDL, without the machinery that federation adds. */
  readonly sdl: string;
}

const FEDERATION_LINK = parse(
  `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable", "@inaccessible", "@authenticated", "@requiresScopes"])`,
).definitions;

/** type-graphql needs a pub-sub, but no subscription here has a topic: each reads the event log by its own `subscribe`. */
const NO_TOPICS = {
  publish: (topic: string) => {
    throw new Error(`Nothing is published to ${topic}: append to the event log`);
  },
  subscribe: (topic: string) => {
    throw new Error(`Nothing follows ${topic}: follow the event log`);
  },
};

/**
 * Builds the executable Federation 2 schema of a slice from its type-graphql resolvers.
 * @param shares reads of each account, which the subgraphs of a process share. Default: its own
 */
export async function buildSubgraph(
  definition: SubgraphDefinition,
  shares: ReadShares = createReadShares(),
): Promise<Subgraph> {
  // The cast: every slice has a resolver, and `constructor` is typed as any function.
  const classes = definition.resolvers.map((resolver) => resolver.constructor) as unknown as NonEmptyArray<
    () => void
  >;
  const instances = new Map(definition.resolvers.map((resolver) => [resolver.constructor, resolver]));
  const source = await buildSchema({
    resolvers: classes,
    container: { get: (type) => instances.get(type) },
    validate: false,
    pubSub: NO_TOPICS,
    // By an introspection; composition checks it.
    skipCheck: true,
  });
  const { extension } = definition;
  const described = inFixedOrder(describeRoots(getDocumentNodeFromSchema(source)));
  const own = { ...described, definitions: [...FEDERATION_LINK, ...described.definitions] };
  const typeDefs = extension ? extension.extend(own) : own;
  const added = extension?.resolvers ?? {};
  // Before the fields get checks and limits: the schema is `source` itself when there is nothing to add to it.
  const unlimited = createResolversMap(source);
  const schema = createExecutableSchema(source, typeDefs, added);
  batchEntities(schema, definition.references);
  limitReads(schema, shares);
  enforceScopes(schema);
  return {
    name: definition.name,
    schema,
    federatedSchema: async () => {
      const { buildSubgraphSchema } = await import('./federated-schema.ts');
      // The cast: both packages have types of their own for the same resolvers.
      const resolvers = mergeResolvers(unlimited, added) as never;
      const federated = buildSubgraphSchema({ typeDefs, resolvers });
      batchEntities(federated, definition.references);
      limitReads(federated, shares);
      enforceScopes(federated);
      return federated;
    },
    get sdl() {
      return `${print(typeDefs)}\n`;
    },
  };
}

/** Descriptions of the root types; every subgraph uses the same. */
const ROOT_DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  [
    'Query',
    "Queries. They read only the data of the key's partner: records of other partners do not exist for them.",
  ],
  [
    'Mutation',
    'Mutations. A payload has the changed record, or the reasons of the failure in `userErrors`; a mutation that fails changes nothing.',
  ],
  [
    'Subscription',
    'Live events, in order for each record. Each event has a `cursor`. Pass the last one as `after` when you subscribe again, and the events that you missed arrive first.',
  ],
]);

/** The resolvers make the root types, and have no place to describe them. */
function describeRoots(sdl: DocumentNode): DocumentNode {
  const definitions = sdl.definitions.map((definition) => {
    const value =
      definition.kind === Kind.OBJECT_TYPE_DEFINITION
        ? ROOT_DESCRIPTIONS.get(definition.name.value)
        : undefined;
    return value === undefined
      ? definition
      : { ...definition, description: { kind: Kind.STRING, value } as const };
  });
  return { ...sdl, definitions };
}

/**
 * Root types first, then everything by name, and the fields of root types by name. type-graphql has the order in which
 * modules were loaded: a new import would rearrange the schema.
 */
function inFixedOrder(sdl: DocumentNode): DocumentNode {
  const roots = [...ROOT_DESCRIPTIONS.keys()];
  const key = (definition: DefinitionNode) => {
    const name = 'name' in definition ? (definition.name?.value ?? '') : '';
    return roots.includes(name) ? `0${roots.indexOf(name)}` : `1${name}`;
  };
  const definitions = sdl.definitions.map((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION && roots.includes(definition.name.value)
      ? { ...definition, fields: sortedBy(definition.fields ?? [], ({ name }) => name.value) }
      : definition,
  );
  return { ...sdl, definitions: sortedBy(definitions, key) };
}

function sortedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}

function mergeResolvers(own: object, added: Resolvers): object {
  const types = Object.entries(added).map(([type, fields]) => [
    type,
    { ...Object(fieldOf(own, type)), ...fields },
  ]);
  return { ...own, ...Object.fromEntries(types) };
}

/** Makes `_entities` load the references of each type together, for callers that may read the type. */
function batchEntities(schema: GraphQLSchema, references: SubgraphDefinition['references']): void {
  const field = schema.getQueryType()?.getFields()._entities;
  const entity = schema.getType('_Entity');
  if (!field || !isUnionType(entity)) {
    return;
  }
  const loaders = new Map(
    entity.getTypes().map(({ name }) => {
      const requirement = requirementOf(schema, name) ?? FOR_PARTNERS;
      const load = references[name] ?? answerAsGiven;
      const checkAndLoad: ReferenceResolver = (representations, context) => {
        checkScopes(context, requirement);
        return load(representations, context);
      };
      return [name, checkAndLoad];
    }),
  );
  field.extensions = { ...field.extensions, accelerated: true };
  field.resolve = (_source, args: { representations: Representation[] }, context: RequestContext) =>
    resolveEntities(args.representations, loaders, context);
}

/** The scopes of an entity that declares none: one that only lends fields to another subgraph's type. */
const FOR_PARTNERS: ScopeRequirement = [['partner']];

const answerAsGiven: ReferenceResolver = async (representations) => representations;

async function resolveEntities(
  representations: readonly Representation[],
  loaders: ReadonlyMap<string, ReferenceResolver>,
  context: RequestContext,
): Promise<(object | null)[]> {
  const answers: (object | null)[] = new Array(representations.length).fill(null);
  await Promise.all(
    [...groupByType(representations)].map(async ([typename, group]) => {
      const batch = group.map(({ representation }) => representation);
      const found = (await loaders.get(typename)?.(batch, context)) ?? batch;
      group.forEach(({ index }, position) => {
        const entity = found[position];
        answers[index] = entity ? { ...entity, __typename: typename } : null;
      });
    }),
  );
  return answers;
}

interface Placed {
  readonly representation: Representation;
  /** Its place in the list of all. */
  readonly index: number;
}

function groupByType(representations: readonly Representation[]): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  representations.forEach((representation, index) => {
    const group = groups.get(representation.__typename);
    if (group) {
      group.push({ representation, index });
    } else {
      groups.set(representation.__typename, [{ representation, index }]);
    }
  });
  return groups;
}
