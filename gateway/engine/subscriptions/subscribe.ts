import type { ExecutionResult } from 'graphql';
import type { EngineContext } from '../context.ts';
import { type EventFields, keepEventFields } from '../executor/event-fields.ts';
import type { ExecutionState, Step } from '../executor/state.ts';
import type { SubscriptionSource } from '../executor/subscription-source.ts';
import type { PendingEvent, SubgraphResponse } from '../transports/transport.ts';
import { mapEventStream } from './event-stream.ts';

/** A prepared subscription with the parts that the stream needs. */
export interface SubscribableOperation {
  readonly source: SubscriptionSource;
  /** Runs the other subgraphs' part of an event. */
  readonly run: Step;
  /** Shares the result of an event with other subscribers; undefined when none may have it. */
  readonly share:
    | ((event: object, make: () => Promise<ExecutionResult>) => Promise<ExecutionResult>)
    | undefined;
  /** Makes the state of one event. */
  createState(context: EngineContext): ExecutionState;
  /** Makes the client's result of one event. */
  finish(state: ExecutionState): ExecutionResult | Promise<ExecutionResult>;
}

/** The hooks around each event. */
export type AroundEvent = (
  context: EngineContext,
  next: (context: EngineContext) => Promise<ExecutionResult>,
) => Promise<ExecutionResult>;

function isStream(
  value: AsyncIterable<SubgraphResponse | PendingEvent> | SubgraphResponse,
): value is AsyncIterable<SubgraphResponse | PendingEvent> {
  return Symbol.asyncIterator in value;
}

/**
 * Opens the source and runs the rest of the plan for each of its events. Errors of one event are in its result and do
 * not end the stream. When the source itself fails, that is the last result. Events are completed one at a time, in
 * order, each with a request context of its own, so that nothing that a subgraph keeps per request outlives the event.
 */
export async function startSubscription(
  operation: SubscribableOperation,
  context: EngineContext,
  around: AroundEvent = (own, next) => next(own),
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { source } = operation;
  const openState = operation.createState(context);
  let opened: Awaited<ReturnType<typeof source.open>>;
  try {
    opened = await source.open(openState);
  } catch (error) {
    source.fail(error, openState);
    return { errors: openState.errors };
  }
  if (!isStream(opened)) {
    source.receive(opened, openState);
    return { errors: openState.errors };
  }
  return mapEventStream(
    opened,
    {
      map: (item) => completeEvent(operation, item, context, around),
      failed(error) {
        const state = operation.createState(context);
        source.fail(error, state);
        return operation.finish(state);
      },
      // The operator gets the error; no client sees this state.
      endFailed: (error) => source.fail(error, operation.createState(context)),
    },
    context.signal,
  );
}

/** Makes the client's result of an event, unless another subscriber has it. */
function completeEvent(
  operation: SubscribableOperation,
  item: SubgraphResponse | PendingEvent,
  context: EngineContext,
  around: AroundEvent,
): Promise<ExecutionResult> {
  if (!('respond' in item)) {
    return complete(operation, () => item, { ...context }, around);
  }
  const { event, respond } = item;
  if (operation.share === undefined) {
    return complete(operation, respond, { ...context }, around);
  }
  // Other subscribers wait for the result too, and this one may leave meanwhile.
  const { signal: _, ...shared } = context;
  return operation.share(event, () => complete(operation, respond, shared, around));
}

async function complete(
  { source, run, createState, finish }: SubscribableOperation,
  respond: PendingEvent['respond'],
  context: EngineContext,
  around: AroundEvent,
): Promise<ExecutionResult> {
  let fields: EventFields | undefined;
  const result = await around(context, async (own) => {
    const event = await respond(own);
    fields = source.eventFieldsOf(event);
    const state = createState(own);
    source.receive(event, state);
    await run(state);
    return finish(state);
  });
  keepEventFields(result, fields);
  return result;
}
