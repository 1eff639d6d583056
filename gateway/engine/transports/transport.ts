import type { EngineContext } from '../context.ts';

/** One document that a plan sends to one subgraph. Made once per operation, so transports may cache by identity. */
export interface SubgraphFetch {
  readonly subgraph: string;
  readonly document: string;
  readonly operationKind: 'query' | 'mutation' | 'subscription';
  readonly operationName: string | null;
}

/** An error as a subgraph reports it; an in-process subgraph's also carries what its resolver threw. */
export interface SubgraphError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  readonly originalError?: unknown;
}

/** A response. The engine changes its `data` in place, so a transport returns each response once. */
export interface SubgraphResponse {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly SubgraphError[] | undefined;
  /** The engine reads none. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An event that makes its response on demand. A transport that gives one event to several subscribers gives each of them the
 * same object; they may share its result (`EngineOptions.shareEventsBy`).
 */
export interface PendingEvent<Context extends EngineContext = EngineContext> {
  readonly event: object;
  respond(context: Context): SubgraphResponse | Promise<SubgraphResponse>;
}

/** Wire values by name: raw JSON as the client sent it, and representations. */
export type FetchVariables = Readonly<Record<string, unknown>>;

/** The way to one subgraph. */
export interface SubgraphTransport<Context extends EngineContext = EngineContext> {
  /**
   * Sends a query or mutation. May answer without a promise. A rejection or throw means that the subgraph is
   * unreachable; errors that the subgraph itself reports are in `errors`.
   */
  execute(
    fetch: SubgraphFetch,
    variables: FetchVariables,
    context: Context,
  ): SubgraphResponse | Promise<SubgraphResponse>;
  /** Starts a subscription: its events, or a response with `errors` when the subgraph does not start it. */
  subscribe(
    fetch: SubgraphFetch,
    variables: FetchVariables,
    context: Context,
  ): Promise<AsyncIterable<SubgraphResponse | PendingEvent<Context>> | SubgraphResponse>;
  /** Called for documents of trusted operations before they are used: compiles them if possible. */
  prepare?(fetch: SubgraphFetch): void;
}
