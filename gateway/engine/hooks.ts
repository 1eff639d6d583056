import type { ExecutionResult } from 'graphql';
import type { Engine, GraphQLRequest, TrustedDocument } from './api.ts';
import type { EngineContext } from './context.ts';
import type { ErrorReporter } from './executor/errors.ts';
import type { OperationLookup } from './operation/operation-cache.ts';
import type { OperationPlan } from './planner/planner.ts';
import type { RequestFailure } from './request-error.ts';
import type { SubgraphFetch, SubgraphResponse } from './transports/transport.ts';

/** An operation before it runs. */
export interface OperationInfo {
  readonly document: string;
  /** The name in the request; for a trusted document, the name of its operation. Absent for an operation without a name. */
  readonly operationName: string | undefined;
  /** The variables as the client sent them, before they are checked. */
  readonly variables: Readonly<Record<string, unknown>> | null;
  /** Whether it is a trusted document, prepared by `prepareTrusted`. */
  readonly isTrusted: boolean;
}

/** A document before it is planned. */
export interface PlanInfo {
  readonly document: string;
  readonly operationName: string | undefined;
}

/** The events of a subscription, or one result when it does not start. */
export type SubscriptionResult = AsyncIterableIterator<ExecutionResult> | ExecutionResult;

/**
 * Hooks around the engine's work. Each is optional, and an absent hook costs nothing. A hook gets `next`, which does
 * the work, and returns a result: the result of `next`, or another one. So a hook can act before and after the work
 * (spans, metrics; see `observe`), pass another context (time-outs), or return its own answer. It calls `next` at
 * most once. The first of several hooks is the outermost. An error that a hook throws counts as an error of the work:
 * a public request gets an internal error, and a started subscription ends.
 */
export interface EngineHooks<Context extends EngineContext> {
  /**
   * Called once, before the engine serves. `engine` runs operations without `onOperation` and `onSubscribe`: hooks use it to
   * run operations of their own inside others.
   */
  onBuild?(engine: Engine<Context>): void;
  /** Called for each public request before it runs, and for each `prepare`. It gets whether the plan was in the cache. */
  onLookup?(lookup: OperationLookup): void;
  /** Around each query and mutation, public or trusted. `next` does not reject for public requests. */
  onOperation?(
    operation: OperationInfo,
    context: Context,
    next: (context: Context) => Promise<ExecutionResult>,
  ): Promise<ExecutionResult>;
  /** Around the start of each subscription. `next` resolves when the subgraph has accepted it. */
  onSubscribe?(
    operation: OperationInfo,
    context: Context,
    next: (context: Context) => Promise<SubscriptionResult>,
  ): Promise<SubscriptionResult>;
  /** Around the planning of a document. A document is planned once as long as it stays in the cache. */
  onPlan?(
    plan: PlanInfo,
    next: () => Promise<OperationPlan | RequestFailure>,
  ): Promise<OperationPlan | RequestFailure>;
  /**
   * Around each fetch of a plan. `next` may answer without a promise. A rejection means that the subgraph is
   * unreachable; errors that the subgraph itself reports are in the response's `errors`.
   */
  onFetch?(
    fetch: SubgraphFetch,
    context: Context,
    next: (context: Context) => SubgraphResponse | Promise<SubgraphResponse>,
  ): SubgraphResponse | Promise<SubgraphResponse>;
  /**
   * Around each event of a subscription: the fetches that complete it, and its result. For an event that several subscribers
   * share it runs once, with the context of the first.
   */
  onEvent?(
    subscription: OperationInfo,
    context: Context,
    next: (context: Context) => Promise<ExecutionResult>,
  ): Promise<ExecutionResult>;
}

/** The outcome of some work. */
export interface Outcome<Result> {
  /** Absent when the work failed. */
  readonly result?: Result;
  /** The error that the work threw; absent if it succeeded. */
  readonly error?: unknown;
  readonly durationMs: number;
}

/** Does work, and calls `end` once with its outcome. It returns the result of the work, or throws its error. */
export function observe<T>(work: () => Promise<T>, end: (outcome: Outcome<T>) => void): Promise<T>;
export function observe<T>(work: () => T | Promise<T>, end: (outcome: Outcome<T>) => void): T | Promise<T>;
export function observe<T>(work: () => T | Promise<T>, end: (outcome: Outcome<T>) => void): T | Promise<T> {
  const start = performance.now();
  const succeed = (result: T): T => {
    end({ result, durationMs: performance.now() - start });
    return result;
  };
  const fail = (error: unknown): never => {
    end({ error, durationMs: performance.now() - start });
    throw error;
  };
  let result: T | Promise<T>;
  try {
    result = work();
  } catch (error) {
    return fail(error);
  }
  return result instanceof Promise ? result.then(succeed, fail) : succeed(result);
}

/** A hook around one kind of work. */
type Around<Info, Result> = (
  info: Info,
  context: EngineContext,
  next: (context: EngineContext) => Result,
) => Result;

type OnSubscribe = Around<OperationInfo, Promise<SubscriptionResult>>;

/** All hooks of an engine, combined to one hook of each kind; a kind without hooks is absent. */
export interface ChainedHooks {
  readonly onLookup: ((lookup: OperationLookup) => void) | undefined;
  readonly onOperation: Around<OperationInfo, Promise<ExecutionResult>> | undefined;
  readonly onSubscribe: OnSubscribe | undefined;
  readonly onPlan: EngineHooks<EngineContext>['onPlan'];
  readonly onFetch: Around<SubgraphFetch, SubgraphResponse | Promise<SubgraphResponse>> | undefined;
  readonly onEvent: Around<OperationInfo, Promise<ExecutionResult>> | undefined;
}

function chain<Info, Result>(
  hooks: readonly (Around<Info, Result> | undefined)[],
): Around<Info, Result> | undefined {
  const given = hooks.filter((hook) => hook !== undefined);
  return given.length === 0
    ? undefined
    : given.reduce(
        (outer, inner) => (info, context, next) => outer(info, context, (own) => inner(info, own, next)),
      );
}

/**
 * The same hook, made safe: when it fails after its subscription has started, the subscription ends, because nobody would
 * read it.
 */
function endingOnFailure(hook: OnSubscribe): OnSubscribe {
  return async (info, context, next) => {
    let started: SubscriptionResult | undefined;
    try {
      return await hook(info, context, async (own) => {
        started = await next(own);
        return started;
      });
    } catch (error) {
      if (started !== undefined && Symbol.asyncIterator in started) {
        await started.return?.();
      }
      throw error;
    }
  };
}

/** Makes one hook of each kind out of several, the first outermost. */
export function chainHooks(hooks: readonly EngineHooks<EngineContext>[]): ChainedHooks {
  const lookups = hooks.filter((one) => one.onLookup !== undefined);
  const plans = hooks.flatMap((one) => one.onPlan?.bind(one) ?? []);
  return {
    onLookup:
      lookups.length === 0
        ? undefined
        : (lookup) => {
            for (const one of lookups) {
              one.onLookup?.(lookup);
            }
          },
    onOperation: chain(hooks.map((one) => one.onOperation?.bind(one))),
    onSubscribe: chain(hooks.map((one) => one.onSubscribe && endingOnFailure(one.onSubscribe.bind(one)))),
    onPlan:
      plans.length === 0
        ? undefined
        : (info, next) =>
            plans.reduceRight<typeof next>((inner, onPlan) => () => onPlan(info, inner), next)(),
    onFetch: chain(hooks.map((one) => one.onFetch?.bind(one))),
    onEvent: chain(hooks.map((one) => one.onEvent?.bind(one))),
  };
}

/** The name of the only operation of a trusted document. */
function trustedName(document: string): string | undefined {
  return /\b(?:query|mutation)\s+(\w+)/.exec(document)?.[1];
}

/** Describes a public request to hooks. */
export function requestInfo({ query, operationName, variables }: GraphQLRequest): OperationInfo {
  return {
    document: query,
    operationName: operationName ?? undefined,
    variables: variables ?? null,
    isTrusted: false,
  };
}

/**
 * Wraps an engine so that its operations pass `onOperation` and `onSubscribe`; returns the engine itself without such hooks.
 * It does not reject for public requests, whatever the hooks do.
 */
export function hookOperations(
  engine: Engine<EngineContext>,
  { onOperation, onSubscribe }: Pick<ChainedHooks, 'onOperation' | 'onSubscribe'>,
  errors: Pick<ErrorReporter, 'fromGateway'>,
): Engine<EngineContext> {
  const trustedNames = new WeakMap<TrustedDocument, string | undefined>();
  const nameOf = (trusted: TrustedDocument): string | undefined => {
    if (!trustedNames.has(trusted)) {
      trustedNames.set(trusted, trustedName(trusted.document));
    }
    return trustedNames.get(trusted);
  };
  return {
    ...engine,
    ...(onOperation && {
      execute: async (request, context) => {
        try {
          return await onOperation(requestInfo(request), context, (own) => engine.execute(request, own));
        } catch (error) {
          return { errors: [errors.fromGateway(error, context)] };
        }
      },
      executeTrusted: (trusted, variables, context) =>
        onOperation(
          { document: trusted.document, operationName: nameOf(trusted), variables, isTrusted: true },
          context,
          (own) => engine.executeTrusted(trusted, variables, own),
        ),
    }),
    ...(onSubscribe && {
      subscribe: async (request, context) => {
        try {
          return await onSubscribe(requestInfo(request), context, (own) => engine.subscribe(request, own));
        } catch (error) {
          return { errors: [errors.fromGateway(error, context)] };
        }
      },
    }),
  };
}
