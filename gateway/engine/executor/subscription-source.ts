import type { GraphQLSchema } from 'graphql';
import type { PlanNode, SubscriptionNode } from '../planner/plan.ts';
import type { PendingEvent, SubgraphResponse } from '../transports/transport.ts';
import { addEventFields, type EventFields } from './event-fields.ts';
import { bindFetch, createRootHandler, type FetchDeps, fetchVariables } from './fetch.ts';
import type { ExecutionState, Step } from './state.ts';
import { compileSteps, inSequence } from './steps.ts';

/** The subgraph's part of a subscription. */
export interface SubscriptionSource {
  /** Opens the subgraph's stream; rejects when the subgraph cannot be reached. */
  open(state: ExecutionState): Promise<AsyncIterable<SubgraphResponse | PendingEvent> | SubgraphResponse>;
  /** Reads the event fields of an event. Call it before the state gets the event. */
  eventFieldsOf(event: SubgraphResponse): EventFields | undefined;
  /** Adds an event, or the answer that there are none, to the state. */
  receive(response: SubgraphResponse, state: ExecutionState): void;
  /** Adds the reason why there is no stream, or why its events stopped, to the state. */
  fail(error: unknown, state: ExecutionState): void;
}

function split(plan: PlanNode): { node: SubscriptionNode; rest: readonly PlanNode[] } | null {
  if (plan.kind === 'Subscription') {
    return { node: plan, rest: [] };
  }
  const [first, ...rest] = plan.kind === 'Sequence' ? plan.nodes : [];
  const inner = first === undefined ? null : split(first);
  return inner === null ? null : { node: inner.node, rest: [...inner.rest, ...rest] };
}

/** Fields that are read from events beside what clients select, and the schema that has them. */
export interface ReadOfEvents {
  readonly names: readonly string[];
  readonly schema: GraphQLSchema;
}

/** Compiles the plan of a subscription; `null` for any other plan. */
export function compileSubscription(
  plan: PlanNode,
  deps: FetchDeps,
  { names, schema }: ReadOfEvents,
): { readonly source: SubscriptionSource; readonly run: Step } | null {
  const parts = split(plan);
  if (parts === null) {
    return null;
  }
  const { document, read } = addEventFields(parts.node.primary.operation, names, schema);
  const primary = { ...parts.node.primary, operation: document };
  const { fetch, transport, variableUsages } = bindFetch(primary, deps);
  const handler = createRootHandler(primary, deps);
  return {
    run: inSequence(parts.rest.map((node) => compileSteps(node, deps))),
    source: {
      open: async (state) => transport.subscribe(fetch, fetchVariables(variableUsages, state), state.context),
      eventFieldsOf: read,
      receive: handler.response,
      fail: handler.failure,
    },
  };
}
