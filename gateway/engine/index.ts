/**
 * A GraphQL federation engine: a supergraph and ways to its subgraphs in, answers to clients' operations out. This file
 * is its whole public API; README.md shows a complete example. Everything is documented where it is defined.
 *
 * Two rules apply everywhere. Times are in milliseconds (names end in `Ms`), sizes in bytes (names end in `Bytes`).
 * Clients see the message and the `extensions.code` of an error; everything else goes to `onInternalError`.
 *
 * @packageDocumentation
 */

export type { Engine, GraphQLRequest, TrustedDocument } from './api.ts';
/*
 * Limits of public requests, who may run what, and how custom scalars read values.
 *
 *   limits: { ...DEFAULT_LIMITS, depth: 8, weights: { JSONObject: 10 } },
 *   callerOf: ({ user }) => user && { scopes: user.scopes }, // for @authenticated and @requiresScopes
 *   scalars: [{ type: Decimal, numbersAsText: true }],
 *
 * A request over a limit fails as a whole, with a code of its own. A field that the caller may not have is null, with
 * `UNAUTHENTICATED` or `FORBIDDEN` at its position; `extensions.missingScopes` of the latter names what it lacks.
 */
export type { Caller } from './authorization/missing-scopes.ts';
/*
 * The engine.
 *
 *   const engine = buildEngine<MyContext>({
 *     supergraphSdl,
 *     transports: { users: createHttpTransport({ url: 'http://users/graphql' }) },
 *     onInternalError: (error, { requestId }) => log.error({ error, requestId }),
 *     exposeInternalErrors: false,
 *   });
 *   const { data, errors } = await engine.execute({ query: '{ me { name } }' }, { requestId: 'r-1' });
 *
 * `buildEngine` throws for a supergraph that is not valid and for a subgraph without a transport. `execute` and
 * `subscribe` never reject: failures are in `errors`. Codes of requests that do not run are in `RequestErrorCode`.
 * A context has a `requestId`, optionally a `signal`, and whatever else transports and hooks need.
 */
export { type EngineContext, type LinkedContext, linkContext } from './context.ts';
export { buildEngine, type EngineOptions } from './engine.ts';
export {
  argumentIssue,
  type InternalErrorInfo,
  type OnInternalError,
  type RecogniseError,
} from './executor/errors.ts';
export { type EventFields, eventFieldsOf } from './executor/event-fields.ts';
/*
 * Results and streams.
 *
 *   socket.send(resultText(result)); // the JSON of a result, which is written already
 *   const watched = onStreamEnd(events, (end) => count(end)); // 'completed', 'stopped' or 'failed', once
 *   const { cursor } = eventFieldsOf(result) ?? {}; // with `eventFields: ['cursor']`, whatever the client selected
 *   const events = new BoundedQueue<Event>({ limit: 1_000 }); // a source of events, or what waits for a slow client
 *   const isTaken = events.push(event); // false: it is full
 */
export { resultText } from './executor/written-result.ts';
/*
 * Hooks: metrics, spans and time-outs attach to an engine by them. The first of `hooks` is the outermost.
 *
 *   hooks: [
 *     withTimeout(30_000),
 *     {
 *       onFetch: ({ subgraph }, context, next) =>
 *         observe(() => next(context), ({ error, durationMs }) => histogram.observe({ subgraph }, durationMs)),
 *     },
 *   ]
 *
 * `withTimeout` answers `OPERATION_TIMEOUT` and aborts the operation's signal. Each operation gets a signal of its own, linked to
 * its context's. Where a context serves one operation, one signal is cheaper: `withTimeout(30_000, ({ controller }) => controller)`
 * aborts the signal of the context, if the application keeps its `AbortController` there.
 */
export {
  type EngineHooks,
  type OperationInfo,
  type Outcome,
  observe,
  type PlanInfo,
  type SubscriptionResult,
} from './hooks.ts';
export type { CostWeights } from './limits/cost.ts';
export { DEFAULT_LIMITS, type DocumentLimits, type OperationLimits } from './limits/document-limits.ts';
export { withTimeout } from './limits/time-limit.ts';
export type { OperationLookup } from './operation/operation-cache.ts';
/*
 * Supergraphs and planners. The engine plans with its own planner unless it gets another `Planner`.
 *
 *   const { publicSchema, subgraphs } = readSupergraph(sdl); // subgraphs: name and routing URL; throws when not valid
 *   await explainPlan(sdl, '{ me { name } }'); // the plan as people read it
 *   buildEngine({ ...options, planner: { createKeys: () => CLIENT_KEYS, plan: async (operation) => myPlan(operation) } });
 */
export { CLIENT_KEYS, type ResponseKeys } from './operation/response-keys.ts';
export { explainPlan } from './planner/explain.ts';
export type * from './planner/plan.ts';
export type { OperationPlan, OperationToPlan, Planner } from './planner/planner.ts';
export { failRequest, type RequestErrorCode, type RequestFailure } from './request-error.ts';
export { onStreamEnd, type StreamEnd } from './subscriptions/on-stream-end.ts';
export type { ScalarInput } from './supergraph/scalar-inputs.ts';
export { readSupergraph, type Supergraph } from './supergraph/supergraph.ts';
export { BoundedQueue, type QueueFailure, type QueueOptions } from './transports/bounded-queue.ts';
/*
 * Transports. One is in this process, one is HTTP with WebSocket or SSE for subscriptions; any object with `execute` and
 * `subscribe` is one too.
 *
 *   createInProcessTransport(schema); // a schema of `@apollo/subgraph`
 *   createHttpTransport({ url, timeoutMs: 5_000, subscriptions: { protocol: 'sse' } }); // throws for another scheme
 *
 * Over HTTP, fetches reject with a `TransportError`, whose code clients see.
 */
export {
  createHttpTransport,
  type HttpSubscriptions,
  type HttpTransport,
  type HttpTransportOptions,
  type OutgoingRequest,
} from './transports/http.ts';
export { TransportError, type TransportErrorCode } from './transports/http-error.ts';
export { createInProcessTransport, type InProcessOptions } from './transports/in-process.ts';
export type {
  FetchVariables,
  PendingEvent,
  SubgraphError,
  SubgraphFetch,
  SubgraphResponse,
  SubgraphTransport,
} from './transports/transport.ts';
