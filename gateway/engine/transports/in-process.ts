import {
  // biome-ignore lint/suspicious/noDeprecatedImports: only its positional form is deprecated
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  parse,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { EngineContext } from '../context.ts';
import { inlineConditionalFragments } from './inline-fragments.ts';
import { createNeedsInterpreter, usesInputBeyondCompiler } from './jit-limits.ts';
import { rejectionToError, settleLists } from './settle-lists.ts';
import type {
  FetchVariables,
  PendingEvent,
  SubgraphFetch,
  SubgraphResponse,
  SubgraphTransport,
} from './transport.ts';

/** The options of a subgraph in this process. */
export interface InProcessOptions<Context extends EngineContext = EngineContext> {
  /**
   * Makes the resolvers' context, at most once per client request (for a subscription: per event). Default: the
   * request's context itself.
   */
  createContext?(context: Context): unknown;
  /** The number of runs by graphql-js before graphql-jit compiles a document. Default 2. */
  readonly runsBeforeCompiling?: number;
}

type Run = (
  root: unknown,
  context: unknown,
  variables: FetchVariables,
) => ExecutionResult | Promise<ExecutionResult>;

interface Runnable {
  readonly document: DocumentNode;
  readonly run: Run;
  compile(): void;
}

const COMPILER_OPTIONS = { useExperimentalPathBasedSkipInclude: true, disablingCapturingStackErrors: true };

/**
 * Interprets a document at first, because compiling costs more than a run. It never compiles documents that graphql-jit runs
 * wrongly. graphql-jit needs synchronous `resolveType` and `isTypeOf`.
 */
function createRunnable(schema: GraphQLSchema, fetch: SubgraphFetch, runsBeforeCompiling: number): Runnable {
  const document = parse(fetch.document, { noLocation: true });
  let runs = 0;
  let compiled: Run | null = null;
  const isCompilable = !usesInputBeyondCompiler(schema, document);
  const needsInterpreter = createNeedsInterpreter(document);
  const compile = (): void => {
    if (!isCompilable) {
      return;
    }
    const query = compileQuery(
      schema,
      inlineConditionalFragments(document),
      fetch.operationName ?? undefined,
      COMPILER_OPTIONS,
    );
    compiled = isCompiledQuery(query)
      ? (root, context, variables) => query.query(root, context, variables)
      : () => query;
  };
  return {
    document,
    compile: () => (compiled === null ? compile() : undefined),
    run(rootValue, contextValue, variables) {
      if (compiled === null && runs++ >= runsBeforeCompiling) {
        compile();
      }
      return compiled === null || needsInterpreter(variables)
        ? execute({ schema, document, rootValue, contextValue, variableValues: variables })
        : compiled(rootValue, contextValue, variables);
    },
  };
}

/**
 * Finds the runnable form of a fetch's document. It lives as long as one of the fetches that share it, so the operation
 * cache bounds its memory too.
 */
function createRunnables(
  schema: GraphQLSchema,
  options: InProcessOptions,
): (fetch: SubgraphFetch) => Runnable {
  const byDocument = new Map<string, WeakRef<Runnable>>();
  const forgotten = new FinalizationRegistry<string>((document) => {
    if (byDocument.get(document)?.deref() === undefined) {
      byDocument.delete(document);
    }
  });
  const byFetch = new WeakMap<SubgraphFetch, Runnable>();
  return (fetch) => {
    let runnable = byFetch.get(fetch) ?? byDocument.get(fetch.document)?.deref();
    if (runnable === undefined) {
      runnable = createRunnable(schema, fetch, options.runsBeforeCompiling ?? 2);
      byDocument.set(fetch.document, new WeakRef(runnable));
      forgotten.register(runnable, fetch.document);
    }
    byFetch.set(fetch, runnable);
    return runnable;
  };
}

function createContexts(options: InProcessOptions): (context: EngineContext) => unknown {
  if (options.createContext === undefined) {
    return (context) => context;
  }
  const made = new WeakMap<EngineContext, unknown>();
  return (context) => {
    if (!made.has(context)) {
      made.set(context, options.createContext?.(context));
    }
    return made.get(context);
  };
}

function toResponse(result: ExecutionResult): SubgraphResponse {
  return { data: result.data, errors: result.errors };
}

/**
 * Creates a transport to a subgraph schema in this process. It changes the schema in ways that no other user of the schema
 * notices: see `accelerateEntities` and `settleLists`.
 */
export function createInProcessTransport<Context extends EngineContext = EngineContext>(
  schema: GraphQLSchema,
  options: InProcessOptions<Context> = {},
): SubgraphTransport<Context> {
  accelerateEntities(schema);
  settleLists(schema);
  const runnableOf = createRunnables(schema, options);
  const contextOf = createContexts(options);
  return {
    execute: (fetch, variables, context) => runnableOf(fetch).run(undefined, contextOf(context), variables),
    async subscribe(fetch, variables, context) {
      const runnable = runnableOf(fetch);
      const source = await createSourceEventStream({
        schema,
        document: runnable.document,
        contextValue: contextOf(context),
        variableValues: variables,
      });
      if (!(Symbol.asyncIterator in source)) {
        return toResponse(source);
      }
      return mapEvents(source, (event) => ({
        // A value that is not an object is not shared.
        event: typeof event === 'object' && event !== null ? event : {},
        respond: async (own) => toResponse(await runnable.run(event, contextOf(own), variables)),
      }));
    },
    prepare: (fetch) => runnableOf(fetch).compile(),
  };
}

/** Maps events. Unlike an async generator, it ends at once on `return`, even while it waits for an event. */
function mapEvents(
  source: AsyncIterable<unknown>,
  map: (event: unknown) => PendingEvent,
): AsyncIterableIterator<PendingEvent> {
  const iterator = source[Symbol.asyncIterator]();
  const toPending = (item: IteratorResult<unknown>): IteratorResult<PendingEvent> =>
    item.done === true ? { value: undefined, done: true } : { value: map(item.value), done: false };
  return {
    next: () => iterator.next().then(toPending),
    async return() {
      await iterator.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface Reference {
  readonly __typename: string;
}

type ResolveReference = (reference: unknown, context: unknown, info: GraphQLResolveInfo) => unknown;

function referenceResolver(type: GraphQLObjectType): ResolveReference | undefined {
  // `@apollo/subgraph` puts it there, and exports no type for it.
  const apollo = type.extensions.apollo as { subgraph?: { resolveReference?: ResolveReference } } | undefined;
  return apollo?.subgraph?.resolveReference;
}

/** The entity with its `__typename`, where `_Entity` looks for it. An object that already has the name stays as it is. */
function withTypename(entity: unknown, typename: string): unknown {
  if (typeof entity !== 'object' || entity === null) {
    return entity;
  }
  if ('__typename' in entity) {
    return entity.__typename === typename ? entity : { ...entity, __typename: typename };
  }
  return Object.isExtensible(entity)
    ? Object.defineProperty(entity, '__typename', { value: typename })
    : Object.create(entity, { __typename: { value: typename } });
}

/**
 * Replaces the `_entities` resolver of a schema made by `@apollo/subgraph`. The new one makes no promise for an entity whose
 * `__resolveReference` needs none, and an entity whose resolver throws fails alone. References to interfaces go to the
 * original resolver.
 * Changes the schema; a schema without `_entities` is left alone.
 */
function accelerateEntities(schema: GraphQLSchema): void {
  const field = schema.getQueryType()?.getFields()._entities;
  const original = field?.resolve;
  if (field === undefined || original === undefined || field.extensions.accelerated === true) {
    return;
  }
  field.extensions = { ...field.extensions, accelerated: true };
  field.resolve = (source, args, context, info) => {
    const references: readonly Reference[] = args.representations;
    if (references.some(({ __typename }) => !isObjectType(schema.getType(__typename)))) {
      return original(source, args, context, info);
    }
    return references.map((reference) => rejectionToError(() => resolveReference(reference, context, info)));
  };

  function resolveReference(reference: Reference, context: unknown, info: GraphQLResolveInfo): unknown {
    const typename = reference.__typename;
    const type = schema.getType(typename);
    const resolve = isObjectType(type) ? referenceResolver(type) : undefined;
    const entity = resolve === undefined ? reference : resolve(reference, context, info);
    return entity instanceof Promise
      ? entity.then((value) => withTypename(value, typename))
      : withTypename(entity, typename);
  }
}
