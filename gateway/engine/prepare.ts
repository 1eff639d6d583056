import { createHash } from 'node:crypto';
import {
  type ASTNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import type { MissingScopes } from './authorization/missing-scopes.ts';
import {
  findGuardedFields,
  type GuardedFields,
  requirementsOf,
  unauthorizedFields,
  withoutFields,
} from './authorization/operation.ts';
import { reportMissingScopes, rootFailures } from './authorization/report.ts';
import { type AnswerShape, createAnswerShape } from './executor/answer-shape.ts';
import type { ErrorReporter } from './executor/errors.ts';
import type { FetchDeps } from './executor/fetch.ts';
import { compileIntrospection, type Introspection } from './executor/introspection.ts';
import { createMerge } from './executor/merge.ts';
import type { Step } from './executor/state.ts';
import { compileOptional, inOrder, inParallel, inSequence } from './executor/steps.ts';
import {
  compileSubscription,
  type ReadOfEvents,
  type SubscriptionSource,
} from './executor/subscription-source.ts';
import { tidyErrors } from './executor/tidy-errors.ts';
import type { ChainedHooks } from './hooks.ts';
import { type CostOf, compileCost } from './limits/cost.ts';
import type { OperationLimits } from './limits/document-limits.ts';
import type { OperationContext, SelectionEntry } from './operation/collect-fields.ts';
import { type ReadOptions, readOperation, type ValidOperation } from './operation/document.ts';
import { type RequestVariables, readVariables } from './operation/variables.ts';
import { WrongPlan } from './planner/knowledge.ts';
import type { OperationPlan, Planner } from './planner/planner.ts';
import { divideRoot, type RootFields } from './planner/root-fields.ts';
import type { RequestFailure } from './request-error.ts';
import { createSharedEvents, type ShareEvents } from './subscriptions/shared-events.ts';
import type { Requirement } from './supergraph/requirements.ts';
import type { Supergraph } from './supergraph/supergraph.ts';
import type { SubgraphTransport } from './transports/transport.ts';

/** The options for preparing operations. */
export interface PrepareDeps {
  readonly supergraph: Supergraph;
  readonly planner: Planner;
  readonly transports: Readonly<Record<string, SubgraphTransport>>;
  readonly errors: ErrorReporter;
  readonly onPlan?: ChainedHooks['onPlan'];
  readonly onFetch?: ChainedHooks['onFetch'];
  /** Fields that the engine reads of each event of a subscription, beside what the client selects. */
  readonly eventFields: readonly string[];
}

/** A prepared operation. It can run any number of times. */
export interface PreparedOperation {
  readonly kind: OperationTypeNode;
  /** The requirements of the whole operation. */
  readonly requirements: readonly Requirement[];
  /** Bytes of memory that it takes once all of it is compiled; see `estimateBytes`. */
  readonly bytes: number;
  /** Computes the cost of the operation for a request's variables; null without limits. */
  readonly costOf: CostOf | null;
  /** Checks a request's variables. */
  readVariables(
    inputs: Readonly<Record<string, unknown>> | null | undefined,
  ): RequestVariables | RequestFailure;
  /** Runs the whole plan; for a subscription, the part that completes an event. */
  readonly run: Step;
  /** The shape of its answers. */
  readonly shapeOf: AnswerShape;
  /** The source of a subscription's events; `null` for queries and mutations. */
  readonly source: SubscriptionSource | null;
  /** Results that subscribers of the operation share; `null` for queries and mutations. */
  readonly events: {
    readonly share: ShareEvents;
    /** The variables that make results of one event differ: all but those of the root field's arguments. */
    readonly variables: readonly string[];
  } | null;
}

/** The variables that an operation uses anywhere but in the arguments of its own root fields. */
function variablesBelowRoot({
  operation,
  fragments,
}: Pick<ValidOperation, 'operation' | 'fragments'>): string[] {
  const names = new Set<string>();
  const collect = (node: ASTNode) => visit(node, { Variable: ({ name }) => void names.add(name.value) });
  for (const selection of operation.selectionSet.selections) {
    collect(selection.kind === Kind.FIELD ? { ...selection, arguments: [] } : selection);
  }
  for (const fragment of fragments.values()) {
    collect(fragment);
  }
  return [...names].sort();
}

interface PrepareOptions extends ReadOptions {
  readonly limits?: OperationLimits | undefined;
  /** The public schema, or the full one for trusted documents. */
  readonly schema: GraphQLSchema;
  /** Whether code is compiled at once. Otherwise it is compiled when the operation runs again. */
  readonly eager: boolean;
  /** The requirements that its callers do not meet. Default: none. */
  readonly missingScopes?: MissingScopes | undefined;
}

function compilePlan(
  { nodes }: OperationPlan,
  order: RootFields['order'],
  deps: FetchDeps,
  events: ReadOfEvents,
): { run: Step; source: SubscriptionSource | null } {
  const [first = null] = nodes;
  const subscription = first === null ? null : compileSubscription(first, deps, events);
  if (subscription !== null) {
    return subscription;
  }
  const steps = nodes.map((node) => compileOptional(node, deps));
  return { run: order === null ? inSequence(steps) : inOrder(steps, order), source: null };
}

function rootTypeOf(schema: GraphQLSchema, kind: OperationTypeNode): GraphQLObjectType {
  const type = schema.getRootType(kind);
  if (type === undefined || type === null) {
    throw new Error(`The schema has no ${kind} type, yet an operation passed validation.`);
  }
  return type;
}

function entriesOf({ selectionSet }: OperationDefinitionNode): SelectionEntry[] {
  return [{ selectionSet, conditions: [] }];
}

/** The part of an operation for which a caller is authorized. */
interface Permitted {
  /** The operation to plan. */
  readonly planned: Pick<ValidOperation, 'operation' | 'fragments'>;
  /** The operation as the client wrote it: the result has its shape. */
  readonly context: OperationContext;
  /** Reports the denied fields, once all data is there. */
  readonly report: readonly Step[];
}

function permit(
  valid: ValidOperation,
  guarded: GuardedFields,
  missingScopes: MissingScopes | undefined,
  whole: OperationContext,
): Permitted | RequestFailure {
  if (missingScopes === undefined) {
    return { planned: valid, context: whole, report: [] };
  }
  const { operation } = valid;
  const denied = unauthorizedFields(guarded, missingScopes);
  const context: OperationContext = { ...whole, denied };
  const rootType = rootTypeOf(whole.schema, operation.operation);
  const errors = rootFailures(context, rootType, entriesOf(operation), missingScopes.code);
  if (operation.operation === OperationTypeNode.SUBSCRIPTION && errors.length > 0) {
    return { errors };
  }
  return {
    planned: withoutFields(valid, denied),
    context,
    report: [reportMissingScopes(context, rootType, entriesOf(operation), missingScopes.code)],
  };
}

/** Bytes that every operation takes, and each selected field of one. */
const BYTES_OF_OPERATION = 40_000;
const BYTES_OF_FIELD = 4_200;
/** Bytes for each character of its documents: the subgraphs' documents repeat what is written out in them. */
const BYTES_OF_CHARACTER = 8;

/**
 * The memory that a prepared operation takes once it is compiled, with what in-process subgraphs compile for it. Fields
 * count as often as fragments write them out. Measured on Node 20: 1,600 to 4,100 bytes a field, most of it machine code
 * of graphql-jit; memory.test.ts holds the estimate against the heap. V8 also caches generated code, and gives that
 * cache up when memory is short.
 */
function estimateBytes({ fields, characters }: OperationPlan): number {
  return BYTES_OF_OPERATION + BYTES_OF_FIELD * fields + BYTES_OF_CHARACTER * characters;
}

function costOf(
  { planned: { operation, fragments } }: Permitted,
  schema: GraphQLSchema,
  { weights }: OperationLimits,
  introspection: Introspection | null,
): CostOf {
  const records = compileCost(schema, operation, fragments, weights);
  return introspection === null
    ? records
    : (variables) => records(variables) + introspection.costOf(variables);
}

/** Operators can identify a document by it, without its text in the log. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Turns a document into a prepared operation: parses and validates it, removes denied fields, plans and compiles it.
 *
 * @throws when the planner fails or makes a plan that the executor does not support.
 */
export async function prepareOperation(
  text: string,
  operationName: string | null,
  options: PrepareOptions,
  deps: PrepareDeps,
): Promise<PreparedOperation | RequestFailure> {
  const { schema, eager, limits, missingScopes } = options;
  const valid = readOperation(text, operationName, schema, options);
  if ('errors' in valid) {
    return valid;
  }
  const { planner, supergraph, transports, errors, onFetch } = deps;
  const keys = planner.createKeys();
  const guarded = findGuardedFields(valid, schema, supergraph.requirements);
  const permitted = permit(valid, guarded, missingScopes, { schema, fragments: valid.fragments, keys });
  if ('errors' in permitted) {
    return permitted;
  }
  const { operation, fragments } = permitted.planned;
  const context: OperationContext = { schema, fragments, keys };
  const rootType = rootTypeOf(schema, operation.operation);
  const { parts, order, introspection } = divideRoot(context, operation, rootType);
  const makePlan = async () => {
    try {
      return await planner.plan({ operation, context, conditionVariables: valid.conditionVariables, parts });
    } catch (error) {
      throw error instanceof WrongPlan ? new Error(`Document ${digestOf(text)}: ${error.message}`) : error;
    }
  };
  const planInfo = { document: text, operationName: operationName ?? undefined };
  const plan = await (deps.onPlan === undefined ? makePlan() : deps.onPlan(planInfo, makePlan));
  if ('errors' in plan) {
    return plan;
  }
  const { types } = supergraph;
  const merge = createMerge(types);
  const fetchDeps = { transports, types, errors, merge, eager, onFetch, clientKey: keys.clientKey };
  const events = { names: deps.eventFields, schema: supergraph.fullSchema };
  const compiled = compilePlan(plan, order, fetchDeps, events);
  const introspect = introspection === null ? null : compileIntrospection(context, rootType, introspection);
  return {
    kind: operation.operation,
    requirements: requirementsOf(guarded),
    bytes: estimateBytes(plan),
    costOf: limits === undefined ? null : costOf(permitted, schema, limits, introspect),
    readVariables: (inputs) =>
      readVariables(schema, valid, inputs, { derived: plan.derived, bounded: !eager }),
    run: inSequence([
      inParallel([...(introspect === null ? [] : [introspect.run]), compiled.run]),
      tidyErrors(context, rootType, entriesOf(operation)),
      ...permitted.report,
    ]),
    shapeOf: createAnswerShape(
      permitted.context,
      rootType,
      entriesOf(valid.operation),
      valid.conditionVariables,
    ),
    source: compiled.source,
    events: compiled.source && { share: createSharedEvents(), variables: variablesBelowRoot(valid) },
  };
}
