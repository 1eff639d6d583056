import { type ExecutionResult, OperationTypeNode } from 'graphql';
import type { GraphQLRequest } from './api.ts';
import { authorizeOperation, type Caller, type MissingScopes } from './authorization/missing-scopes.ts';
import type { EngineContext } from './context.ts';
import type { MakeAnswer } from './executor/answer.ts';
import type { ErrorReporter } from './executor/errors.ts';
import type { ExecutionState } from './executor/state.ts';
import { type ChainedHooks, requestInfo, type SubscriptionResult } from './hooks.ts';
import type { OperationLimits } from './limits/document-limits.ts';
import type { RequestVariables } from './operation/variables.ts';
import type { PreparedOperation } from './prepare.ts';
import { failRequest, type RequestFailure } from './request-error.ts';
import { type SubscribableOperation, startSubscription } from './subscriptions/subscribe.ts';

type Found = PreparedOperation | RequestFailure;

/** The parts that run public requests. */
export interface OperationRunner {
  readonly errors: ErrorReporter;
  readonly limits: OperationLimits | undefined;
  readonly answer: MakeAnswer;
  readonly onEvent: ChainedHooks['onEvent'];
  /**
   * Finds the operation of a request; with `missingScopes`, the part of it that callers with these missing scopes may run.
   */
  find(request: GraphQLRequest, missingScopes?: MissingScopes): Found | Promise<Found>;
  callerOf(context: EngineContext): Caller | null;
  /** See `EngineOptions.shareEventsBy`. */
  shareEventsBy(context: EngineContext): string | null;
}

function createState(variables: RequestVariables, context: EngineContext): ExecutionState {
  return {
    data: {},
    variables: variables.raw,
    conditions: variables.conditions,
    context,
    errors: [],
    omitted: 0,
    planPaths: new WeakMap(),
    reportedNulls: [],
  };
}

/** The checked variables of a request, and its cost; no cost without limits. */
interface Admitted {
  readonly variables: RequestVariables;
  readonly extensions: { readonly cost: { readonly requested: number; readonly limit: number } } | undefined;
}

function admit(
  operation: PreparedOperation,
  inputs: GraphQLRequest['variables'],
  limits: OperationLimits | undefined,
): Admitted | RequestFailure {
  const variables = operation.readVariables(inputs);
  if ('errors' in variables) {
    return variables;
  }
  if (operation.costOf === null || limits === undefined) {
    return { variables, extensions: undefined };
  }
  const requested = operation.costOf(variables.conditions);
  const limit = limits.cost;
  return requested > limit
    ? failRequest('COST_LIMIT_EXCEEDED', `The operation costs ${requested}; at most ${limit} is allowed.`)
    : { variables, extensions: { cost: { requested, limit } } };
}

/** Runs a prepared query or mutation. */
export async function runOperation(
  operation: PreparedOperation,
  inputs: GraphQLRequest['variables'],
  context: EngineContext,
  answer: MakeAnswer,
  limits?: OperationLimits,
): Promise<ExecutionResult> {
  const admitted = admit(operation, inputs, limits);
  if ('errors' in admitted) {
    return admitted;
  }
  const state = createState(admitted.variables, context);
  const pending = operation.run(state);
  if (pending !== undefined) {
    await pending;
  }
  return answer(operation.shapeOf, state, admitted.extensions);
}

/** Finds the part of a request's operation that its caller may run. */
function findFor(
  runner: OperationRunner,
  request: GraphQLRequest,
  context: EngineContext,
): Found | Promise<Found> {
  const whole = runner.find(request);
  const authorize = (operation: Found) =>
    authorizeOperation(runner.callerOf(context), operation, (missing) => runner.find(request, missing));
  return whole instanceof Promise ? whole.then(authorize) : authorize(whole);
}

/** Runs a public query or mutation. */
export async function execute(
  runner: OperationRunner,
  request: GraphQLRequest,
  context: EngineContext,
): Promise<ExecutionResult> {
  try {
    const found = findFor(runner, request, context);
    const operation = found instanceof Promise ? await found : found;
    if ('errors' in operation) {
      return operation;
    }
    if (operation.kind === OperationTypeNode.SUBSCRIPTION) {
      return failRequest('UNSUPPORTED_OPERATION', 'Subscriptions need a connection that can carry events.');
    }
    return await runOperation(operation, request.variables, context, runner.answer, runner.limits);
  } catch (error) {
    return { errors: [runner.errors.fromGateway(error, context)] };
  }
}

function toSubscribable(
  operation: PreparedOperation,
  variables: RequestVariables,
  sharedBy: string | null,
  { answer }: OperationRunner,
): SubscribableOperation | null {
  const { source, events } = operation;
  if (source === null || events === null) {
    return null;
  }
  // An absent variable takes its default; a null variable does not.
  const given = events.variables.filter((name) => Object.hasOwn(variables.raw, name));
  const key = JSON.stringify([sharedBy, given.map((name) => [name, variables.raw[name]])]);
  return {
    source,
    share: sharedBy === null ? undefined : (event, make) => events.share(event, key, make),
    run: operation.run,
    createState: (context) => createState(variables, context),
    finish: (state) => answer(operation.shapeOf, state),
  };
}

/** Starts a public subscription. */
export async function subscribe(
  runner: OperationRunner,
  request: GraphQLRequest,
  context: EngineContext,
): Promise<SubscriptionResult> {
  try {
    const operation = await findFor(runner, request, context);
    if ('errors' in operation) {
      return operation;
    }
    if (operation.kind !== OperationTypeNode.SUBSCRIPTION) {
      return failRequest('UNSUPPORTED_OPERATION', `A ${operation.kind} has no events to subscribe to.`);
    }
    const admitted = admit(operation, request.variables, runner.limits);
    if ('errors' in admitted) {
      return admitted;
    }
    const sharedBy = runner.shareEventsBy(context);
    const subscribable = toSubscribable(operation, admitted.variables, sharedBy, runner);
    if (subscribable === null) {
      return failRequest('UNSUPPORTED_OPERATION', 'This subscription has no source of events.');
    }
    const { onEvent } = runner;
    const info = requestInfo(request);
    return await startSubscription(
      subscribable,
      context,
      onEvent && ((own, next) => onEvent(info, own, next)),
    );
  } catch (error) {
    return { errors: [runner.errors.fromGateway(error, context)] };
  }
}
