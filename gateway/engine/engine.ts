import { GraphQLError } from 'graphql';
import type { Engine, TrustedDocument } from './api.ts';
import { authorizeOperation, type Caller, type MissingScopes } from './authorization/missing-scopes.ts';
import type { EngineContext } from './context.ts';
import { createAnswers, type MakeAnswer } from './executor/answer.ts';
import { createErrorReporter, type OnInternalError, type RecogniseError } from './executor/errors.ts';
import { createConcurrencyLimiter } from './executor/time-slices.ts';
import { type ChainedHooks, chainHooks, type EngineHooks, hookOperations } from './hooks.ts';
import type { OperationLimits } from './limits/document-limits.ts';
import { readOperation } from './operation/document.ts';
import { createOperationCache, type OperationCache } from './operation/operation-cache.ts';
import type { Planner } from './planner/planner.ts';
import { createQueryPlanner } from './planner/query-planner.ts';
import { type PrepareDeps, type PreparedOperation, prepareOperation } from './prepare.ts';
import type { RequestFailure } from './request-error.ts';
import { execute, type OperationRunner, runOperation, subscribe } from './run.ts';
import type { ScalarInput } from './supergraph/scalar-inputs.ts';
import { readSupergraph } from './supergraph/supergraph.ts';
import type { SubgraphTransport } from './transports/transport.ts';

/** The options of an engine. */
export interface EngineOptions<Context extends EngineContext> {
  /** A Federation 2 supergraph. */
  readonly supergraphSdl: string;
  /** By subgraph name, as `@join__graph(name:)` of the supergraph has it. */
  readonly transports: Readonly<Record<string, SubgraphTransport<Context>>>;
  /** Called once for every error that has no `extensions.code`, with the original error. */
  readonly onInternalError: OnInternalError;
  /** Whether clients see the messages of errors without a code; false in production. */
  readonly exposeInternalErrors: boolean;
  /** Returns a code and a message for an error without a code. Default: `INTERNAL_SERVER_ERROR` for all of them. */
  readonly recognise?: RecogniseError;
  /**
   * Finds the caller of a request, for `@authenticated` and `@requiresScopes`; `null` for an unknown caller. Default: every
   * caller is unknown.
   */
  callerOf?(context: Context): Caller | null;
  /** Most operations kept compiled. Default 1,000. */
  readonly operationCacheSize?: number;
  /** Most bytes of memory that they take, as prepare.ts estimates it. Default 128 MiB. */
  readonly operationCacheBytes?: number;
  /** Limits of public requests. With limits, results have their cost in `extensions.cost`. Default: no limits. */
  readonly limits?: OperationLimits;
  /** Longest answer to a public request, and longest event, in bytes of JSON. Default: no limit. */
  readonly maxResponseBytes?: number;
  /** Whether public requests may introspect. Default: they may. */
  readonly introspection?: boolean;
  /** The parsers of custom scalars for clients' values. Default: every value passes, and subgraphs check it. */
  readonly scalars?: readonly ScalarInput[];
  /**
   * Fields that the engine reads of each event of a subscription beside what the client selects, such as the cursor by which
   * the client resumes. `eventFieldsOf` returns them for a result. The subgraph of the subscription must have the fields
   * itself; the engine does not read them from events of types that lack them. Default: none.
   */
  readonly eventFields?: readonly string[];
  /**
   * Lets callers share the result of one event of an in-process subgraph: callers for which this returns the same text, with
   * the same document and variables, within a second. The result must not depend on anything else about a caller. The
   * arguments of the subscription's own field may differ: they choose events, and must not change their content. `null`
   * shares with no one. Default: nobody shares.
   */
  shareEventsBy?(context: Context): string | null;
  /** Hooks around the engine's work, the first outermost. Default: none. */
  readonly hooks?: readonly EngineHooks<Context>[];
  /**
   * Whether each new plan is verified before it is used. A wrong plan fails as an internal error that names the
   * document's hash. It adds 60 to 200 % to the time of planning. Default: false.
   */
  readonly verifyPlans?: boolean;
  /** Default: the engine's own. */
  readonly planner?: Planner;
}

/** Bytes of memory that an error of a failed request takes. */
const BYTES_OF_ERROR = 2_000;

/**
 * The number of answers longer than one turn of the event loop that are made at the same time. Each of them fills
 * memory.
 */
const LARGE_ANSWERS_AT_ONCE = 2;

type PreparedOperations = OperationCache<PreparedOperation | RequestFailure>;

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
      // A caller that ignores `ready` gets the failure from `executeTrusted`. Without this handler the process would end.
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
  const planner = options.planner ?? createQueryPlanner({ supergraph, scalars, verify: options.verifyPlans });
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
    // The author of a trusted document is responsible for the size of its answers.
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
  // Inside the engine a context is only an EngineContext: the engine passes it on and copies it, but never creates one.
  return build(options);
}
