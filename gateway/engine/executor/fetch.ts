import { type DocumentNode, Kind, parse } from 'graphql';
import type { EngineContext } from '../context.ts';
import type { ChainedHooks } from '../hooks.ts';
import type { FetchNode } from '../planner/plan.ts';
import type { TypeIndex } from '../supergraph/supergraph.ts';
import type {
  FetchVariables,
  SubgraphError,
  SubgraphFetch,
  SubgraphResponse,
  SubgraphTransport,
} from '../transports/transport.ts';
import type { ErrorReporter } from './errors.ts';
import type { Merge } from './merge.ts';
import { compileRenames, renamedKeys } from './rewrites.ts';
import { addErrors, type DataObject, type ExecutionState, type Path, type Step } from './state.ts';

/** The dependencies of every fetch of one operation. */
export interface FetchDeps {
  readonly transports: Readonly<Record<string, SubgraphTransport>>;
  readonly types: TypeIndex;
  readonly errors: ErrorReporter;
  readonly merge: Merge;
  /** Whether transports compile documents now. By default they compile a document when it is sent again. */
  readonly eager: boolean;
  /** Runs around each fetch. */
  readonly onFetch: ChainedHooks['onFetch'];
  /** The client's response key for a key of the plan. */
  clientKey(planKey: string): string;
}

/** Adds a response, or the reason why there is none, to the state. */
export interface ResponseHandler {
  response(response: SubgraphResponse, state: ExecutionState): void;
  failure(error: unknown, state: ExecutionState): void;
}

/** The part of a fetch node that plans describe alike for root fields and entities. */
export type FetchDescription = Pick<
  FetchNode,
  'serviceName' | 'operation' | 'operationKind' | 'operationName' | 'variableUsages'
>;

/** A fetch without its variables, bound to its transport. */
export interface BoundFetch {
  readonly fetch: SubgraphFetch;
  readonly transport: SubgraphTransport;
  /** Sends the fetch, through the hooks. */
  execute(variables: FetchVariables, context: EngineContext): SubgraphResponse | Promise<SubgraphResponse>;
  readonly variableUsages: readonly string[];
}

/**
 * Binds a fetch to its subgraph's transport.
 *
 * @throws when the plan names a subgraph that has none.
 */
export function bindFetch(node: FetchDescription, deps: FetchDeps): BoundFetch {
  const transport = deps.transports[node.serviceName];
  if (transport === undefined) {
    throw new Error(`There is no transport for the subgraph "${node.serviceName}".`);
  }
  const fetch: SubgraphFetch = {
    subgraph: node.serviceName,
    document: node.operation,
    operationKind: node.operationKind ?? 'query',
    operationName: node.operationName ?? null,
  };
  if (deps.eager) {
    transport.prepare?.(fetch);
  }
  const { onFetch } = deps;
  return {
    fetch,
    transport,
    execute:
      onFetch === undefined
        ? (variables, context) => transport.execute(fetch, variables, context)
        : (variables, context) => onFetch(fetch, context, (own) => transport.execute(fetch, variables, own)),
    variableUsages: node.variableUsages ?? [],
  };
}

/** The client's values for the variables of a fetch. Absent values stay absent, so that defaults apply. */
export function fetchVariables(usages: readonly string[], state: ExecutionState): DataObject {
  const variables: DataObject = {};
  for (const name of usages) {
    if (Object.hasOwn(state.variables, name)) {
      variables[name] = state.variables[name];
    }
  }
  return variables;
}

/** Sends a fetch and passes on the response. It never throws or rejects, whatever the subgraph does. */
export function send(
  bound: BoundFetch,
  variables: DataObject,
  state: ExecutionState,
  handler: ResponseHandler,
): Promise<void> | undefined {
  try {
    state.context.signal?.throwIfAborted();
    const response = bound.execute(variables, state.context);
    if (response instanceof Promise) {
      return response.then(
        (value) => handler.response(value, state),
        (error: unknown) => handler.failure(error, state),
      );
    }
    handler.response(response, state);
  } catch (error) {
    handler.failure(error, state);
  }
  return undefined;
}

/** Response keys at the root of a fetch document. It does not enter fragments: the planner puts none at the root. */
function rootKeys(document: DocumentNode): string[] {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  return (operation?.selectionSet.selections ?? []).flatMap((selection) =>
    selection.kind === Kind.FIELD ? [selection.alias?.value ?? selection.name.value] : [],
  );
}

/** A path of a subgraph's answer in the plan's keys: a plan may rename what it fetches. */
export function toPlanPath(path: Path, renamed: ReadonlyMap<string, string>): Path {
  return path.map((segment) => (typeof segment === 'string' ? (renamed.get(segment) ?? segment) : segment));
}

/** A path in the client's response keys, from one in the plan's. */
export function toClientPath(path: Path, { clientKey }: Pick<FetchDeps, 'clientKey'>): Path {
  return path.map((segment) => (typeof segment === 'string' ? clientKey(segment) : segment));
}

/** Compiles a handler for the response to root fields. */
export function createRootHandler(node: FetchNode, deps: FetchDeps): ResponseHandler {
  const { errors, merge } = deps;
  const rewrite = compileRenames(node.renames);
  const renamed = renamedKeys(node.renames);
  const roots = rootKeys(parse(node.operation, { noLocation: true })).map(
    (key): Path => toClientPath(toPlanPath([key], renamed), deps),
  );
  const serviceName = node.serviceName;
  function report(error: SubgraphError, isEmpty: boolean, state: ExecutionState): void {
    const planPaths =
      error.path === undefined || error.path.length === 0 ? [] : [toPlanPath(error.path, renamed)];
    if (isEmpty || planPaths.length === 0) {
      state.reportedNulls.push(...roots);
    }
    const paths = planPaths.length === 0 ? roots : planPaths.map((path) => toClientPath(path, deps));
    const origin = { serviceName, context: state.context };
    addErrors(state, paths, (some) => errors.fromSubgraph(error, some, origin), planPaths);
  }
  return {
    response({ data, errors: reported }, state) {
      const isEmpty = data === null || data === undefined;
      for (const error of reported ?? []) {
        report(error, isEmpty, state);
      }
      if (!isEmpty) {
        rewrite?.(data);
        merge(state.data, data);
      }
    },
    failure(error, state) {
      state.reportedNulls.push(...roots);
      addErrors(state, roots, (some) =>
        errors.fromTransport(error, some, { serviceName, context: state.context }),
      );
    },
  };
}

/** Compiles a fetch of root fields. */
export function compileRootFetch(node: FetchNode, deps: FetchDeps): Step {
  const bound = bindFetch(node, deps);
  const handler = createRootHandler(node, deps);
  return (state) => send(bound, fetchVariables(bound.variableUsages, state), state, handler);
}
