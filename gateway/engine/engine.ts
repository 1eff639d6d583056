import { type ExecutionResult, GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';
import type { Principal, RequestContext } from '../../subgraphs/platform/principal.ts';
import { authorizeOperation } from './authorization/permitted.ts';
import type { MissingScopes } from './authorization/requirements.ts';
import { createAnswers, type MakeAnswer } from './executor/answer.ts';
import {
  createErrorReporter,
  type ErrorReporter,
  type OnInternalError,
  type RecogniseError,
} from './executor/errors.ts';
import { type PrepareDeps, type PreparedOperation, prepareOperation } from './executor/prepare.ts';
import type { ExecutionState } from './executor/state.ts';
import { createConcurrencyLimiter } from './executor/time-slices.ts';
import type { OperationLimits } from './limits/document-limits.ts';
import { readOperation } from './planner/document.ts';
import {
  createOperationCache,
  type OperationCache,
  type OperationLookup,
} from './planner/operation-cache.ts';
import { createPlanner, type Planner } from './planner/planner.ts';
import { failRequest, type RequestFailure } from './planner/request-error.ts';
import type { ScalarInput } from './planner/scalar-inputs.ts';
import { readSupergraph } from './planner/supergraph.ts';
import type { RequestVariables } from './planner/variables.ts';
import { type SubscribableOperation, startSubscription } from './subscriptions/subscribe.ts';
import type { SubgraphTransport } from './transports/transport.ts';

/** A GraphQL request, as it comes over the wire. */
export interface GraphQLRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** A document of our own that was checked and compiled at boot. */
export interface TrustedDocument {
  readonly document: string;
  /** Resolves when the document is compiled; rejects with what is wrong with it. */
  readonly ready: Promise<void>;
}

/** Runs GraphQL operations over the subgraphs of one supergraph. */
export interface Engine {
  /** What clients may know: nothing `@inaccessible`, descriptions kept. */
  readonly publicSchema: GraphQLSchema;
  /** Says what is wrong with a public request, as far as that shows without planning it. */
  check(request: Omit<GraphQLRequest, 'variables'>): readonly GraphQLError[];
  /** Plans a public request without running it; says what is wrong with it. Rejects when the planner fails. */
  prepare(request: Omit<GraphQLRequest, 'variables'>): Promise<readonly GraphQLError[]>;
  /** Runs a query or mutation. Faults of the request or of subgraphs are in `errors`; it does not reject. */
  execute(request: GraphQLRequest, context: RequestContext): Promise<ExecutionResult>;
  /** Starts a subscription: a stream of results, or one result when it is refused. It does not reject. */
  subscribe(
    request: GraphQLRequest,
    context: RequestContext,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>;
  /** Prepares a document of our own, which may use `@inaccessible` parts of the supergraph. */
  prepareTrusted(document: string): TrustedDocument;
  /** Runs a trusted query or mutation; rejects when the document turned out not to be valid. */
  executeTrusted(
    document: TrustedDocument,
    variables: Readonly<Record<string, unknown>> | null,
    context: RequestContext,
  ): Promise<ExecutionResult>;
}

/** What an engine is made of. */
export interface EngineOptions {
  /** A Federation 2 supergraph. */
  readonly supergraphSdl: string;
  /** By subgraph name, as `@join__graph(name:)` of the supergraph has it. */
  readonly transports: Readonly<Record<string, SubgraphTransport>>;
  /** Called with the original of every error that no one set `extensions.code` on. */
  readonly onInternalError: OnInternalError;
  /** Whether clients see the messages of such errors; false in production. */
  readonly exposeInternalErrors: boolean;
  /** What clients are told of an error that no one set a code on. Default: that it is internal. */
  readonly recognise?: RecogniseError;
  /** Most operations kept compiled. Default 1,000. */
  readonly operationCacheSize?: number;
  /** Most bytes of memory that they take, by the measure of prepare.ts. Default 128 MiB. */
  readonly operationCacheBytes?: number;
  /** Called once for each public request, before it runs. */
  readonly onOperationLookup?: (lookup: OperationLookup) => void;
  /** Bounds of public requests, whose results then tell their cost in `extensions.cost`. Default: none. */
  readonly limits?: OperationLimits;
  /** Longest answer to a public request, and longest event, in bytes of JSON. Default: any. */
  readonly maxResponseBytes?: number;
  /** Whether public requests may introspect. Default: they may. */
  readonly introspection?: boolean;
  /** How custom scalars read what clients write. Default: every value is taken, and left to the subgraphs. */
  readonly scalars?: readonly ScalarInput[];
  /** Default: Hive Router's planner. */
  readonly planner?: Planner;
}

interface EngineState {
  readonly errors: ErrorReporter;
  readonly limits: OperationLimits | undefined;
  /** Answers of public requests. */
  readonly answer: MakeAnswer;
  /** The operation as the principal may run it; without one given, the whole operation. */
  prepare(
    request: GraphQLRequest,
    principal?: Principal | null,
  ): PreparedOperation | RequestFailure | Promise<PreparedOperation | RequestFailure>;
}

/** What an error of a refusal takes in memory. */
const BYTES_OF_ERROR = 2_000;

/** Answers that take more than one turn of the event loop are made one beside another, others wait: they fill memory. */
const LARGE_ANSWERS_AT_ONCE = 2;

type PreparedOperations = OperationCache<PreparedOperation | RequestFailure>;

function createState(variables: RequestVariables, context: RequestContext): ExecutionState {
  return {
    data: {},
    variables: variables.raw,
    conditions: variables.conditions,
    context,
    errors: [],
    omitted: 0,
    reportedNulls: [],
  };
}

async function run(
  operation: PreparedOperation,
  inputs: GraphQLRequest['variables'],
  context: RequestContext,
  answer: MakeAnswer,
  limits?: OperationLimits,
): Promise<ExecutionResult> {
  const variables = operation.readVariables(inputs);
  if ('errors' in variables) {
    return variables;
  }
  const cost = chargeFor(operation, variables, limits);
  if (cost !== null && 'errors' in cost) {
    return cost;
  }
  const state = createState(variables, context);
  const pending = operation.run(state);
  if (pending !== undefined) {
    await pending;
  }
  return answer(operation.project, state, cost === null ? undefined : { cost });
}

/** What a public request costs: told in its result, or the reason to refuse it; `null` where nothing limits. */
function chargeFor(
  operation: PreparedOperation,
  variables: RequestVariables,
  limits: OperationLimits | undefined,
): { readonly requested: number; readonly limit: number } | RequestFailure | null {
  if (operation.costOf === null || limits === undefined) {
    return null;
  }
  const requested = operation.costOf(variables.conditions);
  return requested > limits.cost
    ? failRequest(
        'COST_LIMIT_EXCEEDED',
        `The operation costs ${requested}; at most ${limits.cost} is allowed.`,
      )
    : { requested, limit: limits.cost };
}

async function execute(
  engine: EngineState,
  request: GraphQLRequest,
  context: RequestContext,
): Promise<ExecutionResult> {
  try {
    const prepared = engine.prepare(request, context.principal);
    const operation = prepared instanceof Promise ? await prepared : prepared;
    if ('errors' in operation) {
      return operation;
    }
    if (operation.kind === OperationTypeNode.SUBSCRIPTION) {
      return failRequest('UNSUPPORTED_OPERATION', 'Subscriptions need a connection that can carry events.');
    }
    return await run(operation, request.variables, context, engine.answer, engine.limits);
  } catch (error) {
    return { errors: [engine.errors.fromGateway(error, context)] };
  }
}

function toSubscribable(
  operation: PreparedOperation,
  variables: RequestVariables,
  answer: MakeAnswer,
): SubscribableOperation | null {
  return operation.source === null
    ? null
    : {
        source: operation.source,
        run: operation.run,
        createState: (context) => createState(variables, context),
        finish: (state) => answer(operation.project, state),
      };
}

async function subscribe(
  engine: EngineState,
  request: GraphQLRequest,
  context: RequestContext,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  try {
    const operation = await engine.prepare(request, context.principal);
    if ('errors' in operation) {
      return operation;
    }
    if (operation.kind !== OperationTypeNode.SUBSCRIPTION) {
      return failRequest('UNSUPPORTED_OPERATION', `A ${operation.kind} has no events to subscribe to.`);
    }
    const variables = operation.readVariables(request.variables);
    if ('errors' in variables) {
      return variables;
    }
    const cost = chargeFor(operation, variables, engine.limits);
    if (cost !== null && 'errors' in cost) {
      return cost;
    }
    const subscribable = toSubscribable(operation, variables, engine.answer);
    return subscribable === null
      ? failRequest('UNSUPPORTED_OPERATION', 'This subscription has no source of events.')
      : await startSubscription(subscribable, context);
  } catch (error) {
    return { errors: [engine.errors.fromGateway(error, context)] };
  }
}

function createTrusted(
  deps: PrepareDeps,
  cache: PreparedOperations,
  answer: MakeAnswer,
): Pick<Engine, 'prepareTrusted' | 'executeTrusted'> {
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
      const operation = await authorizeOperation(context.principal, whole, (missingScopes) =>
        cache.get(text, null, () => prepare(text, missingScopes), `trusted ${missingScopes.key}`),
      );
      return 'errors' in operation ? operation : run(operation, variables, context, answer);
    },
  };
}

/**
 * Makes an engine for a supergraph.
 *
 * @throws when the supergraph is not valid, or a subgraph has no transport.
 */
export function createEngine(options: EngineOptions): Engine {
  const scalars = options.scalars ?? [];
  const supergraph = readSupergraph(options.supergraphSdl, scalars);
  const missing = supergraph.subgraphs.find(({ name }) => options.transports[name] === undefined);
  if (missing !== undefined) {
    throw new Error(`There is no transport for the subgraph "${missing.name}".`);
  }
  const errors = createErrorReporter(options);
  const planner = options.planner ?? createPlanner(options.supergraphSdl);
  const deps: PrepareDeps = { supergraph, planner, transports: options.transports, errors, scalars };
  const cache: PreparedOperations = createOperationCache({
    entries: options.operationCacheSize ?? 1_000,
    bytes: options.operationCacheBytes ?? 128 * 1024 * 1024,
    sizeOf: (known) => ('errors' in known ? BYTES_OF_ERROR * known.errors.length : known.bytes),
    onLookup: options.onOperationLookup,
  });
  const { limits, introspection } = options;
  const limiter = createConcurrencyLimiter(LARGE_ANSWERS_AT_ONCE);
  const prepareOptions = { schema: supergraph.publicSchema, eager: false, limits, introspection };
  const engine: EngineState = {
    errors,
    limits,
    answer: createAnswers({ maxBytes: options.maxResponseBytes ?? Number.POSITIVE_INFINITY, limiter }),
    prepare({ query, operationName }, principal) {
      const name = operationName ?? null;
      const prepare = (missingScopes?: MissingScopes) =>
        cache.get(
          query,
          name,
          () => prepareOperation(query, name, { ...prepareOptions, missingScopes }, deps),
          missingScopes?.key,
        );
      const whole = prepare();
      return whole instanceof Promise
        ? whole.then((operation) => authorizeOperation(principal, operation, prepare))
        : authorizeOperation(principal, whole, prepare);
    },
  };
  return {
    publicSchema: supergraph.publicSchema,
    check: ({ query, operationName }) => {
      const read = readOperation(query, operationName ?? null, supergraph.publicSchema, prepareOptions);
      return 'errors' in read ? read.errors : [];
    },
    prepare: async (request) => {
      const operation = await engine.prepare(request);
      return 'errors' in operation ? operation.errors : [];
    },
    execute: (request, context) => execute(engine, request, context),
    subscribe: (request, context) => subscribe(engine, request, context),
    // The size of what our own documents answer is the business of whoever wrote them.
    ...createTrusted(deps, cache, createAnswers({ maxBytes: Number.POSITIVE_INFINITY, limiter })),
  };
}
