import { LiveError, type ResultError } from './live-error.ts';

/** One operation, as it is sent. */
export interface GraphQLRequest {
  /** The document. It is sent unchanged, byte for byte, because a server may know it by its hash. */
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

/** Receives the results of a connection. */
export interface Sink {
  /** The server has accepted the client. */
  live(): void;
  next(result: GraphQLResult): void;
}

/** A way to run subscriptions. */
export interface Transport {
  /**
   * Runs a subscription over one connection. Never rejects.
   * @param signal ends it at once; the sink gets nothing afterwards
   * @returns the reason for its end
   */
  open(request: GraphQLRequest, sink: Sink, signal: AbortSignal): Promise<LiveError>;
}

/** The time limit until the server accepts a connection, and until a query has its answer. */
export const OPEN_MS = 20_000;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a message of the server as a result. @throws LiveError `UNEXPECTED_ANSWER` */
export function readResult(value: unknown): GraphQLResult {
  if (!isRecord(value) || !isRecord(value.data ?? {}) || !Array.isArray(value.errors ?? [])) {
    throw unexpected('The server has sent what is no GraphQL result');
  }
  return value;
}

/** @throws LiveError `UNEXPECTED_ANSWER` when the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LiveError('UNEXPECTED_ANSWER', 'The server has sent what is no JSON', { cause: error });
  }
}

/** The answer does not come from a GraphQL server. */
export const unexpected = (message: string) => new LiveError('UNEXPECTED_ANSWER', message);
/** The server ended the subscription regularly, without a reason. */
export const ended = () => new LiveError('CONNECTION_ENDED', 'The server has ended the subscription');
/** The connection was silent for longer than the interval of the server's pings. */
export const unresponsive = () => new LiveError('UNRESPONSIVE', 'The server does not respond');
