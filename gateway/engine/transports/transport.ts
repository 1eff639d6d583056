import type { RequestContext } from '../../../subgraphs/platform/principal.ts';

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

/** The executor owns what it is given: it changes `data` in place, so a transport never hands it out twice. */
export interface SubgraphResponse {
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly SubgraphError[] | undefined;
}

/** Wire values by name: raw JSON as the client sent it, and representations. */
export type FetchVariables = Readonly<Record<string, unknown>>;

/** The way to one subgraph. A decorator of this interface is where limits, metrics and retries belong. */
export interface SubgraphTransport {
  /**
   * Runs a query or mutation. May answer without a promise. A rejection or throw means that the subgraph could not
   * be asked; what the subgraph itself reports is in `errors`.
   */
  execute(
    fetch: SubgraphFetch,
    variables: FetchVariables,
    context: RequestContext,
  ): SubgraphResponse | Promise<SubgraphResponse>;
  /** Starts a subscription: a response with `errors` when the subgraph refuses, otherwise its events. */
  subscribe(
    fetch: SubgraphFetch,
    variables: FetchVariables,
    context: RequestContext,
  ): Promise<AsyncIterable<SubgraphResponse> | SubgraphResponse>;
  /** Called at boot for documents that will be used often: compile now what can be compiled. */
  prepare?(fetch: SubgraphFetch): void;
}
