import { type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { authorizeOperation, type Caller, type MissingScopes } from './authorization/missing-scopes.ts';
import type { EngineContext } from './context.ts';
import { createAnswers, type MakeAnswer } from './executor/answer.ts';
import { createErrorReporter, type OnInternalError, type RecogniseError } from './executor/errors.ts';
import { createConcurrencyLimiter } from './executor/time-slices.ts';
import { type ChainedHooks, chainHooks, type EngineHooks, hookOperations } from './hooks.ts';
import type { OperationLimits } from './limits/document-limits.ts';
import { readOperation } from './operation/document.ts';
import { createOperationCache, type OperationCache } from './operation/operation-cache.ts';
import { createHivePlanner } from './planner/hive/hive-planner.ts';
import type { Planner } from './planner/planner.ts';
import { type PrepareDeps, type PreparedOperation, prepareOperation } from './prepare.ts';
import type { RequestFailure } from './request-error.ts';
import { execute, type OperationRunner, runOperation, subscribe } from './run.ts';
import type { ScalarInput } from './supergraph/scalar-inputs.ts';
import { readSupergraph } from './supergraph/supergraph.ts';
import type { SubgraphTransport } from './transports/transport.ts';

/** A GraphQL request, as it comes over the wire. */
export interface GraphQLRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** A document of your own that is checked and compiled before it is used. */
export interface TrustedDocument {
  readonly document: string;
  /** Resolves when the document is compiled; rejects with what is wrong with it. */
  readonly ready: Promise<void>;
}

/** Runs GraphQL operations over the subgraphs of one supergraph. */
export interface Engine<Context extends EngineContext> {
  /** What clients may know: nothing `@inaccessible`, descriptions kept. */
  readonly publicSchema: GraphQLSchema;
  /** Says what is wrong with a public request, as far as that shows without planning it. */
  check(request: Omit<GraphQLRequest, 'variables'>): readonly GraphQLError[];
  /** Plans a public request without running it; resolves to its errors. Rejects when the planner fails. */
  prepare(request: Omit<GraphQLRequest, 'variables'>): Promise<readonly GraphQLError[]>;
  /** Runs a query or mutation. What fails is in the result's `errors`; it does not reject. */
  execute(request: GraphQLRequest, context: Context): Promise<ExecutionResult>;
  /** Starts a subscription: its results, or one result when it does not start. It does not reject. */
  subscribe(
    request: GraphQLRequest,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;
  /** Prepares a document of your own, which may use `@inaccessible` parts of the supergraph. */
  prepareTrusted(document: string): TrustedDocument;
  /** Runs a trusted query or mutation. Rejects when the document turned out not to be valid. */
  executeTrusted(
    document: TrustedDocument,
    variables: Readonly<Record<string, unknown>> | null,
    context: Context,
  ): Promise<ExecutionResult>;
}

/** What an engine is made of. */
export interface EngineOptions<Context extends EngineContext> {
  /** A Federation 2 supergraph. */
  readonly supergraphSdl: string;
  /** By subgraph name, as `@join__graph(name:)` of the supergraph has it. */
  readonly transports: Readonly<Record<string, SubgraphTransport<Context>>>;
  /** Called once with the original of every error that no one set `extensions.code` on. */
  readonly onInternalError: OnInternalError;
  /** Whether clients see the messages of such errors; false in production. */
  readonly exposeInternalErrors: boolean;
  /** Gives code and message to such an error. Default: `INTERNAL_SERVER_ERROR` for all of them. */
  readonly recognise?: RecogniseError;
  /**
   * Who a request is from, for `@authenticated` and `@requiresScopes`; `null` for a caller that is not known.
   * Default: no caller is known.
   */
  callerOf?(context: Context): Caller | null;
  /** Most operations kept compiled. Default 1,000. */
  readonly operationCacheSize?: number;
  /** Most bytes of memory that they take, by the estimate of prepare.ts. Default 128 MiB. */
  readonly operationCacheBytes?: number;
  /** Bounds of public requests, whose results then have their cost in `extensions.cost`. Default: none. */
  readonly limits?: OperationLimits;
  /** Longest answer to a public request, and longest event, in bytes of JSON. Default: any. */
  readonly maxResponseBytes?: number;
  /** Whether public requests may introspect. Default: they may. */
  readonly introspection?: boolean;
  /** How custom scalars read what clients write. Default: every value passes, and subgraphs check it. */
  readonly scalars?: readonly ScalarInput[];
  /**
   * Fields that are read of each event of a subscription, beside what the client selects, such as the cursor by which it
   * is resumed: `eventFieldsOf` tells them of a result. The subgraph of the subscription must have them itself; types of
   * events without them are left as they are. Default: none.
   */
  readonly eventFields?: readonly string[];
  /**
   * Who shares what is made of one event of an in-process subgraph: callers with the same text, with the same document and
   * variables, within a second. What a result has may depend on nothing else of a caller. The arguments of the
   * subscription's own field may differ: they choose events, and must not change what an event has. `null` shares with no
   * one. Default: nobody shares.
   */
  shareEventsBy?(context: Context): string | null;
  /** Hooks around what the engine does, the first outermost. Default: none. */
  readonly hooks?: readonly EngineHooks<Context>[];
  /** Default: Hive Router's planner. */
  readonly planner?: Planner;
}

/** What an error of a failed request takes in memory, in bytes. */
const BYTES_OF_ERROR = 2_000;

/** Of answers that take more than one turn of the event loop so many are made at the same time: they fill memory. */
const LARGE_ANSWERS_AT_ONCE = 2;

type PreparedOperations = OperationCache<PreparedOperation | RequestFailure>;

/** What all ways to run an operation share. */
interface EngineParts {
  readonly deps: PrepareDeps;
  readonly cache: PreparedOperations;
  callerOf(context: EngineContext): Caller | null;
}

function createRunner(
  { deps, cache, callerOf }: EngineParts,
  engine: Pick<EngineOptions<EngineContext>, 'limits' | 'introspection' | 'shareEventsBy'>,
  answer: MakeAnswer,
  onEvent: ChainedHooks['onEvent'],
): OperationRunner {
  const { limits, introspection } = engine;
  const options = { schema: deps.supergraph.publicSchema, eager: false, limits, introspection };
  return {
    errors: deps.errors,
    limits,
    answer,
    onEvent,
    find({ query, operationName }, missingScopes) {
      const name = operationName ?? null;
      return cache.get(
        query,
        name,
        () => prepareOperation(query, name, { ...options, missingScopes }, deps),
        missingScopes?.key,
      );
    },
    callerOf,
    shareEventsBy: (context) => engine.shareEventsBy?.(context) ?? null,
  };
}

function createTrusted(
  { deps, cache, callerOf }: EngineParts,
  answer: MakeAnswer,
): Pick<Engine<EngineContext>, 'prepareTrusted' | 'executeTrusted'> {
  const prepared = new WeakMap<TrustedDocument, Promise<PreparedOperation>>();
  async function prepare(document: string, missingScopes?: MissingScopes): Promise<PreparedOperation> {
    const options = { schema: deps.supergraph.fullSchema, eager: true, missingScopes };
    const operation = await prepareOperation(document, null, options, deps);
    if ('errors' in operation) {
      const [first] = operation.errors;
      throw new GraphQLError(`A trusted document is not valid: ${first?.message}\n${document}`);
    }
    return operation;
  }
  return {
    prepareTrusted(document) {
      const operation = prepare(document);
      const trusted: TrustedDocument = { document, ready: operation.then(() => undefined) };
      // Whoever ignores `ready` learns of a failure from `executeTrusted`, not from a process that ends.
      trusted.ready.catch(() => undefined);
      prepared.set(trusted, operation);
      return trusted;
    },
    async executeTrusted(document, variables, context) {
      const whole = await prepared.get(document);
      if (whole === undefined) {
        throw new Error('This trusted document was prepared by another engine.');
      }
      const text = document.document;
      const operation = await authorizeOperation(callerOf(context), whole, (missingScopes) =>
        cache.get(text, null, () => prepare(text, missingScopes), `trusted ${missingScopes.key}`),
      );
      return 'errors' in operation ? operation : runOperation(operation, variables, context, answer);
    },
  };
}

function createParts(options: EngineOptions<EngineContext>, hooks: ChainedHooks): EngineParts {
  const { supergraphSdl, transports, scalars = [] } = options;
  const supergraph = readSupergraph(supergraphSdl, scalars);
  const missing = supergraph.subgraphs.find(({ name }) => transports[name] === undefined);
  if (missing !== undefined) {
    throw new Error(`There is no transport for the subgraph "${missing.name}".`);
  }
  const planner = options.planner ?? createHivePlanner({ supergraphSdl, supergraph, scalars });
  const { onPlan, onFetch } = hooks;
  return {
    deps: {
      supergraph,
      planner,
      transports,
      errors: createErrorReporter(options),
      onPlan,
      onFetch,
      eventFields: options.eventFields ?? [],
    },
    cache: createOperationCache({
      entries: options.operationCacheSize ?? 1_000,
      bytes: options.operationCacheBytes ?? 128 * 1024 * 1024,
      sizeOf: (known) => ('errors' in known ? BYTES_OF_ERROR * known.errors.length : known.bytes),
      onLookup: hooks.onLookup,
    }),
    callerOf: (context) => options.callerOf?.(context) ?? null,
  };
}

function build(options: EngineOptions<EngineContext>): Engine<EngineContext> {
  const given = options.hooks ?? [];
  const hooks = chainHooks(given);
  const parts = createParts(options, hooks);
  const limiter = createConcurrencyLimiter(LARGE_ANSWERS_AT_ONCE);
  const { maxResponseBytes = Number.POSITIVE_INFINITY } = options;
  const answer = createAnswers({ maxBytes: maxResponseBytes, limiter });
  const runner = createRunner(parts, options, answer, hooks.onEvent);
  const engine: Engine<EngineContext> = {
    publicSchema: parts.deps.supergraph.publicSchema,
    check: ({ query, operationName }) => {
      const { publicSchema } = parts.deps.supergraph;
      const { limits, introspection } = options;
      const read = readOperation(query, operationName ?? null, publicSchema, { limits, introspection });
      return 'errors' in read ? read.errors : [];
    },
    prepare: async (request) => {
      const operation = await runner.find(request);
      return 'errors' in operation ? operation.errors : [];
    },
    execute: (request, context) => execute(runner, request, context),
    subscribe: (request, context) => subscribe(runner, request, context),
    // Whoever writes a trusted document is responsible for the size of its answers.
    ...createTrusted(parts, createAnswers({ maxBytes: Number.POSITIVE_INFINITY, limiter })),
  };
  for (const hook of given) {
    hook.onBuild?.(engine);
  }
  return hookOperations(engine, hooks, parts.deps.errors);
}

/**
 * Builds an engine for a supergraph.
 *
 * @throws when the supergraph is not valid, or a subgraph has no transport.
 */
export function buildEngine<Context extends EngineContext>(options: EngineOptions<Context>): Engine<Context> {
  // Inside, a context is no more than an EngineContext: it is handed on, and copied, but never made up.
  return build(options);
}
