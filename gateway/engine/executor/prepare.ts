import {
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import {
  findGuardedFields,
  type GuardedFields,
  requirementsOf,
  unauthorizedFields,
  withoutFields,
} from '../authorization/operation.ts';
import { reportMissingScopes, rootFailures } from '../authorization/report.ts';
import type { MissingScopes, Requirement } from '../authorization/requirements.ts';
import { type CostOf, compileCost } from '../limits/cost.ts';
import type { OperationLimits } from '../limits/document-limits.ts';
import type { OperationContext, SelectionEntry } from '../planner/collect-fields.ts';
import { type ReadOptions, readOperation, type ValidOperation } from '../planner/document.ts';
import { withExactNumbers } from '../planner/exact-numbers.ts';
import { type NormalOperation, normaliseOperation } from '../planner/normalise.ts';
import type { PlanNode, Planner } from '../planner/planner.ts';
import type { RequestFailure } from '../planner/request-error.ts';
import { createResponseKeys } from '../planner/response-keys.ts';
import { restoreConditions } from '../planner/restore-conditions.ts';
import type { ScalarInput } from '../planner/scalar-inputs.ts';
import type { Supergraph } from '../planner/supergraph.ts';
import { type RequestVariables, readVariables } from '../planner/variables.ts';
import type { SubgraphTransport } from '../transports/transport.ts';
import type { ErrorReporter } from './errors.ts';
import type { FetchDeps } from './fetch.ts';
import { compileIntrospection } from './introspection.ts';
import { createMerge } from './merge.ts';
import { createProjector, type Projector } from './projector.ts';
import type { Step } from './state.ts';
import { compileSteps, inOrder, inParallel, inSequence } from './steps.ts';
import { compileSubscription, type SubscriptionSource } from './subscription-source.ts';
import { tidyErrors } from './tidy-errors.ts';

/** What operations are prepared with. */
export interface PrepareDeps {
  readonly supergraph: Supergraph;
  readonly planner: Planner;
  readonly transports: Readonly<Record<string, SubgraphTransport>>;
  readonly errors: ErrorReporter;
  /** The custom scalars whose values are read here. */
  readonly scalars: readonly ScalarInput[];
}

/** An operation, ready to run any number of times. */
export interface PreparedOperation {
  readonly kind: OperationTypeNode;
  /** What the whole operation takes of the principal. */
  readonly requirements: readonly Requirement[];
  /** Bytes of memory that it takes, or will take when all of it is compiled; see `estimateBytes`. */
  readonly bytes: number;
  /** What the operation costs, for a request's variables; only where there are limits. */
  readonly costOf: CostOf | null;
  /** Checks a request's variables. */
  readVariables(
    inputs: Readonly<Record<string, unknown>> | null | undefined,
  ): RequestVariables | RequestFailure;
  /** The whole plan; for a subscription, what is to do for each event. */
  readonly run: Step;
  readonly project: Projector;
  /** Where a subscription's events come from; `null` for queries and mutations. */
  readonly source: SubscriptionSource | null;
}

/** How one operation is prepared. */
export interface PrepareOptions extends ReadOptions {
  readonly limits?: OperationLimits | undefined;
  /** The public schema, or the full one for trusted documents. */
  readonly schema: GraphQLSchema;
  /** Compiles at once what otherwise is compiled when an operation is run again. */
  readonly eager: boolean;
  /** What those lack whom it is prepared for. Default: nothing. */
  readonly missingScopes?: MissingScopes | undefined;
}

function compilePlans(
  plans: readonly PlanNode[],
  order: NormalOperation['order'],
  deps: FetchDeps,
): { run: Step; source: SubscriptionSource | null } {
  const [first] = plans;
  const subscription = first === undefined ? null : compileSubscription(first, deps);
  if (subscription !== null) {
    return subscription;
  }
  const steps = plans.map((plan) => compileSteps(plan, deps));
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

/** The principal's part of an operation. */
interface Permitted {
  /** What to plan. */
  readonly planned: Pick<ValidOperation, 'operation' | 'fragments'>;
  /** Of the operation as the client wrote it, whose result is to have its shape. */
  readonly context: OperationContext;
  /** Tells what was refused, once all data is there. */
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
  const failed = unauthorizedFields(guarded, missingScopes);
  const context: OperationContext = { ...whole, failed };
  const rootType = rootTypeOf(whole.schema, operation.operation);
  const errors = rootFailures(context, rootType, entriesOf(operation), missingScopes.code);
  if (operation.operation === OperationTypeNode.SUBSCRIPTION && errors.length > 0) {
    return { errors };
  }
  return {
    planned: withoutFields(valid, failed),
    context,
    report: [reportMissingScopes(context, rootType, entriesOf(operation), missingScopes.code)],
  };
}

/** Bytes that every operation takes, and each selected field of one. */
const BYTES_OF_OPERATION = 40_000;
const BYTES_OF_SELECTION = 4_200;
/** Bytes for each character of its documents: those of the subgraphs repeat what is written out in it. */
const BYTES_OF_CHARACTER = 8;

/**
 * The memory that a prepared operation takes once it is compiled, with what in-process subgraphs compile for it. Fields
 * count as often as fragments write them out. Measured on Node 20: 1,600 to 4,100 bytes a field, most of it machine code
 * of graphql-jit; engine.memory.test.ts holds the estimate against the heap. V8 has a cache of generated code besides, which
 * it gives up when memory is short.
 */
function estimateBytes({ documents, selections }: NormalOperation): number {
  const characters = documents.reduce((sum, { length }) => sum + length, 0);
  return BYTES_OF_OPERATION + BYTES_OF_SELECTION * selections + BYTES_OF_CHARACTER * characters;
}

/** How often an operation is interpreted before it is compiled: of compiled code, refusals know no conditions. */
function runsBeforeCompiling({ eager, missingScopes }: PrepareOptions): number | undefined {
  if (missingScopes !== undefined) {
    return Number.POSITIVE_INFINITY;
  }
  return eager ? 0 : undefined;
}

/**
 * Turns a document into a prepared operation: parse, validate, take out what the principal may not have, plan, compile.
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
  const read = readOperation(text, operationName, schema, options);
  if ('errors' in read) {
    return read;
  }
  const valid = withExactNumbers(read, schema, deps.scalars);
  const { types, fieldNames, requirements } = deps.supergraph;
  const keys = createResponseKeys(fieldNames);
  const guarded = findGuardedFields(valid, schema, requirements);
  const permitted = permit(valid, guarded, missingScopes, { schema, fragments: valid.fragments, keys });
  if ('errors' in permitted) {
    return permitted;
  }
  const { operation, fragments } = permitted.planned;
  const context: OperationContext = { schema, fragments, keys };
  const rootType = rootTypeOf(schema, operation.operation);
  const normal = normaliseOperation(context, operation, rootType, deps.supergraph);
  if ('errors' in normal) {
    return normal;
  }
  const plans = await Promise.all(
    normal.documents.map(async (document) => restoreConditions(document, await deps.planner.plan(document))),
  );
  const compiled = compilePlans(plans, normal.order, {
    transports: deps.transports,
    types,
    errors: deps.errors,
    merge: createMerge(types),
    eager,
    clientKey: keys.clientKey,
  });
  const { introspection } = normal;
  const introspect = introspection === null ? [] : [compileIntrospection(context, operation, introspection)];
  return {
    kind: operation.operation,
    requirements: requirementsOf(guarded),
    bytes: estimateBytes(normal),
    costOf: limits === undefined ? null : compileCost(schema, operation, fragments, limits.weights),
    readVariables: (inputs) =>
      readVariables(schema, valid, inputs, { derived: normal.derived, bounded: !eager }),
    run: inSequence([
      inParallel([...introspect, compiled.run]),
      tidyErrors(context, rootType, entriesOf(operation)),
      ...permitted.report,
    ]),
    source: compiled.source,
    project: createProjector(
      permitted.context,
      rootType,
      entriesOf(valid.operation),
      runsBeforeCompiling(options),
    ),
  };
}
