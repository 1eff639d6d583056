import { type GraphQLObjectType, type GraphQLSchema, type OperationTypeNode } from 'graphql';
import { type CostOf, compileCost } from '../limits/cost.ts';
import type { OperationContext } from '../planner/collect-fields.ts';
import { type ReadOptions, readOperation } from '../planner/document.ts';
import { normaliseOperation } from '../planner/normalise.ts';
import type { PlanNode, Planner } from '../planner/planner.ts';
import type { Refused } from '../planner/request-error.ts';
import { createResponseKeys } from '../planner/response-keys.ts';
import type { Supergraph } from '../planner/supergraph.ts';
import { type RequestVariables, readVariables } from '../planner/variables.ts';
import type { SubgraphTransport } from '../transports/transport.ts';
import type { ErrorReporter } from './errors.ts';
import type { FetchDeps } from './fetch.ts';
import { compileIntrospection } from './introspection.ts';
import { createMerge } from './merge.ts';
import { createProjector, type Projector } from './projector.ts';
import type { Step } from './state.ts';
import { compileSteps, inParallel, inSequence } from './steps.ts';
import { compileSubscription, type SubscriptionSource } from './subscription-source.ts';

/** What operations are prepared with. */
export interface PrepareDeps {
  readonly supergraph: Supergraph;
  readonly planner: Planner;
  readonly transports: Readonly<Record<string, SubgraphTransport>>;
  readonly errors: ErrorReporter;
}

/** An operation, ready to run any number of times. */
export interface PreparedOperation {
  readonly kind: OperationTypeNode;
  /** What the operation costs, for a request's variables; only where there are limits. */
  readonly costOf: CostOf | null;
  /** Checks a request's variables. */
  readVariables(inputs: Readonly<Record<string, unknown>> | null | undefined): RequestVariables | Refused;
  /** The whole plan; for a subscription, what is to do for each event. */
  readonly run: Step;
  readonly project: Projector;
  /** Where a subscription's events come from; `null` for queries and mutations. */
  readonly source: SubscriptionSource | null;
}

/** How one operation is prepared. */
export interface PrepareOptions extends ReadOptions {
  /** The public schema, or the full one for trusted documents. */
  readonly schema: GraphQLSchema;
  /** Compiles at once what otherwise is compiled when an operation is run again. */
  readonly ahead: boolean;
}

function compilePlans(
  plans: readonly PlanNode[],
  deps: FetchDeps,
): { run: Step; source: SubscriptionSource | null } {
  const [first] = plans;
  const subscription = first === undefined ? null : compileSubscription(first, deps);
  return subscription ?? { run: inSequence(plans.map((plan) => compileSteps(plan, deps))), source: null };
}

function rootTypeOf(schema: GraphQLSchema, kind: OperationTypeNode): GraphQLObjectType {
  const type = schema.getRootType(kind);
  if (type === undefined || type === null) {
    throw new Error(`The schema has no ${kind} type, yet an operation passed validation.`);
  }
  return type;
}

/**
 * Turns a document into a prepared operation: parse, validate, plan, compile.
 *
 * @throws when the planner fails or makes a plan that the executor does not support.
 */
export async function prepareOperation(
  text: string,
  operationName: string | null,
  options: PrepareOptions,
  deps: PrepareDeps,
): Promise<PreparedOperation | Refused> {
  const { schema, ahead, limits } = options;
  const valid = readOperation(text, operationName, schema, options);
  if ('errors' in valid) {
    return valid;
  }
  const { operation, fragments } = valid;
  const { types, fieldNames, partlyHiddenTypes } = deps.supergraph;
  const keys = createResponseKeys(fieldNames);
  const context: OperationContext = { schema, fragments, keys };
  const rootType = rootTypeOf(schema, operation.operation);
  const normal = normaliseOperation(context, operation, rootType, partlyHiddenTypes);
  if ('errors' in normal) {
    return normal;
  }
  const plans = await Promise.all(normal.documents.map((document) => deps.planner.plan(document)));
  const compiled = compilePlans(plans, {
    transports: deps.transports,
    types,
    errors: deps.errors,
    merge: createMerge(types),
    ahead,
    clientKey: keys.clientKey,
  });
  const { introspection } = normal;
  const introspect = introspection === null ? [] : [compileIntrospection(context, operation, introspection)];
  return {
    kind: operation.operation,
    costOf: limits === undefined ? null : compileCost(schema, operation, fragments),
    readVariables: (inputs) => readVariables(schema, valid, inputs),
    run: inParallel([...introspect, compiled.run]),
    source: compiled.source,
    project: createProjector(
      context,
      rootType,
      [{ selectionSet: operation.selectionSet, conditions: [] }],
      ahead ? 0 : undefined,
    ),
  };
}
