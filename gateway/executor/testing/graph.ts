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
import type { RequestContext } from '../../../subgraphs/platform/principal.ts';
import { createEngine, type Engine, type EngineOptions } from '../../engine.ts';
import { createInProcessTransport, type InProcessOptions } from '../../transports/in-process.ts';
import type { FetchVariables, SubgraphFetch, SubgraphTransport } from '../../transports/transport.ts';

/** A resolver of a test graph; the same one serves the subgraph and the monolith. */
export type TestResolver = GraphQLFieldResolver<Record<string, unknown>, RequestContext>;
/** `subscribe` of a subscription field, with an optional `resolve`. */
export interface TestSubscription {
  readonly subscribe: TestResolver;
  readonly resolve?: TestResolver;
}

/** A graph written once and served twice: divided into subgraphs, and as one schema. */
export interface TestGraphOptions {
  /** Type definitions by subgraph, without the `@link` header. */
  readonly subgraphs: Readonly<Record<string, string>>;
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, TestResolver | TestSubscription>>>>;
  /** Finds the record that a reference means, by type. */
  readonly references?: Readonly<
    Record<string, (reference: Record<string, unknown>, context: RequestContext) => unknown>
  >;
  readonly engine?: Partial<EngineOptions>;
  readonly transport?: InProcessOptions;
  /** Puts something between the engine and a subgraph. */
  decorate?(transport: SubgraphTransport, subgraph: string): SubgraphTransport;
}

/** A fetch that the engine made. */
export interface RecordedFetch {
  readonly subgraph: string;
  readonly document: string;
  readonly variables: FetchVariables;
}

/** The graph, running. */
export interface TestGraph {
  readonly engine: Engine;
  readonly supergraphSdl: string;
  readonly schemas: Readonly<Record<string, GraphQLSchema>>;
  readonly fetches: RecordedFetch[];
  readonly internalErrors: unknown[];
  /** The public schema over the same resolvers, run by graphql-js. */
  runMonolith(query: string, variables?: Record<string, unknown>): Promise<ExecutionResult>;
  readonly monolith: GraphQLSchema;
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable",
  "@requires", "@provides", "@external", "@inaccessible", "@override", "@interfaceObject", "@extends", "@tag",
  "@authenticated", "@requiresScopes"])\n`;

/** The context of tests that do not care. */
export function testContext(overrides: Partial<RequestContext> = {}): RequestContext {
  return { principal: null, requestId: 'request-1', ...overrides };
}

function definedTypes(document: DocumentNode): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  for (const node of document.definitions) {
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION) {
      types.set(node.name.value, new Set((node.fields ?? []).map((field) => field.name.value)));
    }
  }
  return types;
}

function subgraphSchema(sdl: string, { resolvers = {}, references = {} }: TestGraphOptions): GraphQLSchema {
  const typeDefs = parse(LINK + sdl);
  const own: Record<string, Record<string, unknown>> = {};
  for (const [type, fields] of definedTypes(typeDefs)) {
    const entries = Object.entries(resolvers[type] ?? {}).filter(([field]) => fields.has(field));
    const reference = references[type];
    own[type] = Object.fromEntries(entries);
    if (reference !== undefined) {
      own[type].__resolveReference = reference;
    }
  }
  return buildSubgraphSchema([{ typeDefs, resolvers: own as never }]);
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
      }
    }
  }
  return schema;
}

function recording(transport: SubgraphTransport, fetches: RecordedFetch[]): SubgraphTransport {
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

/** Composes the subgraphs and puts an engine over them; throws with composition's messages when they do not fit. */
export function createTestGraph(options: TestGraphOptions): TestGraph {
  const services = Object.entries(options.subgraphs).map(([name, sdl]) => ({
    name,
    url: '',
    typeDefs: parse(LINK + sdl),
  }));
  const composed = composeServices(services);
  if (composed.supergraphSdl === undefined) {
    throw new Error(composed.errors?.map((error) => error.message).join('\n'));
  }
  const fetches: RecordedFetch[] = [];
  const internalErrors: unknown[] = [];
  const schemas: Record<string, GraphQLSchema> = {};
  const transports: Record<string, SubgraphTransport> = {};
  for (const [name, sdl] of Object.entries(options.subgraphs)) {
    const schema = subgraphSchema(sdl, options);
    const transport = createInProcessTransport(schema, options.transport ?? {});
    schemas[name] = schema;
    transports[name] = recording(options.decorate?.(transport, name) ?? transport, fetches);
  }
  const engine = createEngine({
    supergraphSdl: composed.supergraphSdl,
    transports,
    onInternalError: (error) => internalErrors.push(error),
    exposeInternalErrors: true,
    ...options.engine,
  });
  const monolith = monolithSchema(engine.publicSchema, options);
  return {
    engine,
    supergraphSdl: composed.supergraphSdl,
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
