import { buildSubgraphSchema } from '@apollo/subgraph';
import { composeServices } from '@theguild/federation-composition';
import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  printSchema,
} from 'graphql';
import { type Engine } from '../api.ts';
import type { Caller } from '../authorization/missing-scopes.ts';
import type { EngineContext } from '../context.ts';
import { buildEngine, type EngineOptions } from '../engine.ts';
import { createInProcessTransport, type InProcessOptions } from '../transports/in-process.ts';
import type { FetchVariables, SubgraphFetch, SubgraphTransport } from '../transports/transport.ts';

/** The context of test graphs. */
export interface TestContext extends EngineContext {
  /** The caller of the request. Default: an unknown caller. */
  readonly caller?: Caller | null;
}

/** A resolver of a test graph; the same one serves the subgraph and the monolith. */
export type TestResolver = GraphQLFieldResolver<Record<string, unknown>, TestContext>;
/** `subscribe` of a subscription field, with an optional `resolve`. */
export interface TestSubscription {
  readonly subscribe: TestResolver;
  readonly resolve?: TestResolver;
}

/** Resolvers by type and field. */
export type TestResolvers = Readonly<
  Record<string, Readonly<Record<string, TestResolver | TestSubscription>>>
>;
/** Finds the record of a reference, by type. */
export type TestReferences = Readonly<
  Record<string, (reference: Record<string, unknown>, context: TestContext) => unknown>
>;

/** A subgraph with something of its own. */
export interface TestSubgraph {
  readonly typeDefs: string;
  /** Tried before the graph's. */
  readonly resolvers?: TestResolvers;
  readonly references?: TestReferences;
  /** Version of the federation specification; 1 means none is linked. Default 2. */
  readonly federation?: 1 | 2;
}

/** A graph written once and served twice: divided into subgraphs, and as one schema. */
export interface TestGraphOptions {
  /** Type definitions by subgraph, without the `@link` header. */
  readonly subgraphs: Readonly<Record<string, string | TestSubgraph>>;
  readonly resolvers?: TestResolvers;
  readonly references?: TestReferences;
  readonly engine?: Partial<EngineOptions<TestContext>>;
  readonly transport?: InProcessOptions<TestContext>;
  /** The supergraph. Default: composed from the subgraphs. */
  readonly supergraphSdl?: string;
  /** Makes the transport to a subgraph. Default: in process. */
  connect?(schema: GraphQLSchema, subgraph: string): SubgraphTransport<TestContext>;
  /** Puts something between the engine and a subgraph. */
  decorate?(transport: SubgraphTransport<TestContext>, subgraph: string): SubgraphTransport<TestContext>;
}

/** A fetch that the engine made. */
interface RecordedFetch {
  readonly subgraph: string;
  readonly document: string;
  readonly variables: FetchVariables;
}

/** The graph, running. */
export interface TestGraph {
  readonly engine: Engine<TestContext>;
  readonly supergraphSdl: string;
  readonly schemas: Readonly<Record<string, GraphQLSchema>>;
  readonly fetches: RecordedFetch[];
  readonly internalErrors: unknown[];
  /** The public schema over the same resolvers, run by graphql-js. */
  runMonolith(query: string, variables?: Record<string, unknown>): Promise<ExecutionResult>;
  readonly monolith: GraphQLSchema;
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable",
  "@requires", "@provides", "@external", "@inaccessible", "@override", "@interfaceObject", "@extends", "@tag",
  "@authenticated", "@requiresScopes"])\n`;

function read(subgraph: string | TestSubgraph): TestSubgraph & { readonly document: DocumentNode } {
  const own = typeof subgraph === 'string' ? { typeDefs: subgraph } : subgraph;
  return { ...own, document: parse(own.federation === 1 ? own.typeDefs : LINK + own.typeDefs) };
}

/** A context with the given fields. */
export function testContext<Own extends object>(own?: Own): TestContext & Own;
export function testContext(own?: object): TestContext {
  return { requestId: 'request-1', ...own };
}

const WITH_FIELDS: ReadonlySet<string> = new Set([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_EXTENSION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_EXTENSION,
]);

function definedTypes(document: DocumentNode): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  for (const node of document.definitions) {
    if (WITH_FIELDS.has(node.kind) && 'fields' in node && 'name' in node && node.name !== undefined) {
      const names = (node.fields ?? []).map((field) => field.name.value);
      types.set(node.name.value, new Set([...(types.get(node.name.value) ?? []), ...names]));
    }
  }
  return types;
}

/** A new executable schema of one subgraph. */
export function createSubgraphSchema(options: TestGraphOptions, name: string): GraphQLSchema {
  const { document: typeDefs, ...own } = read(options.subgraphs[name] ?? '');
  const resolvers: Record<string, Record<string, unknown>> = {};
  for (const [type, fields] of definedTypes(typeDefs)) {
    const known = { ...options.resolvers?.[type], ...own.resolvers?.[type] };
    const reference = own.references?.[type] ?? options.references?.[type];
    resolvers[type] = Object.fromEntries(Object.entries(known).filter(([field]) => fields.has(field)));
    if (reference !== undefined) {
      resolvers[type].__resolveReference = reference;
    }
  }
  return buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }]);
}

function monolithSchema(publicSchema: GraphQLSchema, { resolvers = {} }: TestGraphOptions): GraphQLSchema {
  const schema = buildSchema(printSchema(publicSchema));
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const names = [type.name, ...type.getInterfaces().map((parent) => parent.name)];
    for (const field of Object.values(type.getFields())) {
      const resolver = names
        .map((name) => resolvers[name]?.[field.name])
        .find((found) => found !== undefined);
      if (typeof resolver === 'function') {
        field.resolve = resolver;
      } else {
        Object.assign(field, resolver);
      }
    }
  }
  return schema;
}

function recording(
  transport: SubgraphTransport<TestContext>,
  fetches: RecordedFetch[],
): SubgraphTransport<TestContext> {
  const note = (fetch: SubgraphFetch, variables: FetchVariables) => {
    fetches.push({ subgraph: fetch.subgraph, document: fetch.document, variables });
  };
  return {
    ...transport,
    execute(fetch, variables, context) {
      note(fetch, variables);
      return transport.execute(fetch, variables, context);
    },
  };
}

/** Composes subgraphs; throws with composition's messages when they do not fit. */
export function composeTestGraph(subgraphs: TestGraphOptions['subgraphs']): string {
  const services = Object.entries(subgraphs).map(([name, subgraph]) => ({
    name,
    url: '',
    typeDefs: read(subgraph).document,
  }));
  const composed = composeServices(services);
  if (composed.supergraphSdl === undefined) {
    throw new Error(composed.errors?.map((error) => error.message).join('\n'));
  }
  return composed.supergraphSdl;
}

/** Composes the subgraphs and puts an engine over them; throws with composition's messages when they do not fit. */
export function createTestGraph(options: TestGraphOptions): TestGraph {
  const supergraphSdl = options.supergraphSdl ?? composeTestGraph(options.subgraphs);
  const fetches: RecordedFetch[] = [];
  const internalErrors: unknown[] = [];
  const schemas: Record<string, GraphQLSchema> = {};
  const transports: Record<string, SubgraphTransport<TestContext>> = {};
  for (const name of Object.keys(options.subgraphs)) {
    const schema = createSubgraphSchema(options, name);
    const transport =
      options.connect?.(schema, name) ?? createInProcessTransport(schema, options.transport ?? {});
    schemas[name] = schema;
    transports[name] = recording(options.decorate?.(transport, name) ?? transport, fetches);
  }
  const engine = buildEngine<TestContext>({
    callerOf: ({ caller = null }) => caller,
    supergraphSdl,
    transports,
    onInternalError: (error) => internalErrors.push(error),
    exposeInternalErrors: true,
    verifyPlans: true,
    ...options.engine,
  });
  const monolith = monolithSchema(engine.publicSchema, options);
  return {
    engine,
    supergraphSdl,
    schemas,
    fetches,
    internalErrors,
    monolith,
    runMonolith: async (query, variables) =>
      execute({
        schema: monolith,
        document: parse(query),
        variableValues: variables,
        contextValue: testContext(),
      }),
  };
}
