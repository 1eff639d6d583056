import { LiveError, type ResultError } from './live-error.ts';

/** One operation, as it is sent. */
export interface GraphQLRequest {
  /** The document. It is sent as it is, byte for byte: a server may know it by its hash. */
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Which operation of the document runs; needed when it has several. */
  readonly operationName?: string;
}

/** One result, as the server sends it. */
export interface GraphQLResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ResultError[];
}

/** Who takes what a connection brings. */
export interface Sink {
  /** The server has let the client in. */
  live(): void;
  next(result: GraphQLResult): void;
}

/** A way to run subscriptions. */
export interface Transport {
  /**
   * Runs a subscription over one connection. Never rejects.
   * @param signal ends it at once; nothing comes to the sink afterwards
   * @returns why it is over
   */
  open(request: GraphQLRequest, sink: Sink, signal: AbortSignal): Promise<LiveError>;
}

/** How long a connection may take until the server lets the client in, and a query until its answer is there. */
export const OPEN_MS = 20_000;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a server has sent as a result. @throws LiveError `UNEXPECTED_ANSWER` */
export function readResult(value: unknown): GraphQLResult {
  if (!isRecord(value) || !isRecord(value.data ?? {}) || !Array.isArray(value.errors ?? [])) {
    throw unexpected('The server has sent what is no GraphQL result');
  }
  return value as GraphQLResult;
}

/** @throws LiveError `UNEXPECTED_ANSWER` when the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LiveError('UNEXPECTED_ANSWER', 'The server has sent what is no JSON', { cause: error });
  }
}

/** What answers does not speak as the graph does. */
export const unexpected = (message: string) => new LiveError('UNEXPECTED_ANSWER', message);
/** The server has ended the subscription in order, and did not say why. */
export const ended = () => new LiveError('CONNECTION_ENDED', 'The server has ended the subscription');
/** Nothing came for longer than the server's pings are apart. */
export const unresponsive = () => new LiveError('UNRESPONSIVE', 'The server does not respond');
