import { Pool } from 'undici';
import type { EngineContext } from '../context.ts';
import { TransportError } from './http-error.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { readAnswer } from './http-response.ts';
import { retryWithoutAnswer } from './http-retry.ts';
import { createSharedWork, type SharedWork } from './http-shared.ts';
import { createLeftOutReporter } from './left-out-fields.ts';
import { subscribeBySse } from './subscribe-sse.ts';
import { subscribeByWebSocket } from './subscribe-websocket.ts';
import type { FetchVariables, SubgraphFetch, SubgraphResponse, SubgraphTransport } from './transport.ts';

/** The protocol of subscriptions. */
export interface HttpSubscriptions {
  /** `graphql-transport-ws` over a WebSocket, or GraphQL over SSE with a connection for each subscription. */
  readonly protocol: 'websocket' | 'sse';
  /** Default: the subgraph's own URL (for `websocket` with its scheme changed to `ws:` or `wss:`). */
  readonly url?: string;
  /**
   * Longest time without a byte on an event stream, milliseconds; then the events fail with `SUBGRAPH_TIMEOUT`. A server of
   * the protocol sends a comment every few seconds. Default 30,000. WebSockets are pinged every 10 s and have 5 s to answer.
   */
  readonly silenceMs?: number;
}

/** A request that headers are made for. */
export interface OutgoingRequest {
  /** `GET` opens a WebSocket. */
  readonly method: 'POST' | 'GET';
  /** Exactly what will be sent; empty with `GET`. */
  readonly body: string;
}

/** The options of a subgraph over HTTP. */
export interface HttpTransportOptions<Context extends EngineContext = EngineContext> {
  /** Where the subgraph takes POST requests. */
  readonly url: string;
  /** Most connections; requests beyond it wait. Default 128. */
  readonly connections?: number;
  /**
   * For how long an unused connection is kept, milliseconds. Default 4,000. A subgraph that stops announces it in its
   * answers for longer than that before it closes connections, so no request meets a closing connection.
   */
  readonly idleMs?: number;
  /** Time for each attempt of a fetch, including the wait for a connection. Default 30,000. */
  readonly timeoutMs?: number;
  /** Longest answer or event, in bytes. Default 32 MiB. */
  readonly maxResponseBytes?: number;
  /** Waits between attempts of a query that got no answer at all. Default 50 and 200 ms: three attempts. */
  readonly retryDelaysMs?: readonly number[];
  /** Headers for the subgraph, besides the content types and `x-request-id`. Called for each attempt of a fetch. */
  headers?(
    context: Context,
    request: OutgoingRequest,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** `extensions` of a subscription that is sent over a WebSocket. Default: none. */
  extensions?(
    context: Context,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The callers that may share the answer of an identical query: callers with the same string. A caller with `null`
   * does not share. No caller gets the answer of a query that was already running when it came, because the answer
   * may be older than the caller's own writes. It waits for the end of that query, and shares the next one with all
   * waiting callers. Called for queries only. Default: nobody shares.
   */
  shareBy?(context: Context): string | null;
  /** Called with the `extensions` of each response and event that has some. Default: nothing. */
  onExtensions?(extensions: Readonly<Record<string, unknown>>): void;
  /**
   * Whether a 401 means that the subgraph does not know this gateway. The client gets SUBGRAPH_HTTP_ERROR then. Default:
   * the client gets the subgraph's answer.
   */
  readonly unauthorizedIsFailure?: boolean;
  /** Default: `websocket` at the subgraph's URL. */
  readonly subscriptions?: HttpSubscriptions;
  /** Called once for each fetch or open subscription that failed in transport. Default: nothing. */
  onFailure?(error: TransportError, fetch: SubgraphFetch, context: Context): void;
}

/** A transport with connections of its own. */
export interface HttpTransport<Context extends EngineContext = EngineContext>
  extends SubgraphTransport<Context> {
  /** Each subscriber has a stream of its own: events come with their responses. */
  subscribe(
    fetch: SubgraphFetch,
    variables: FetchVariables,
    context: Context,
  ): Promise<AsyncIterable<SubgraphResponse> | SubgraphResponse>;
  /** Waits for running fetches and closes the connections; subscriptions end with their callers. */
  close(): Promise<void>;
}

interface Limits {
  readonly connections: number;
  readonly idleMs: number;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly retryDelaysMs: readonly number[];
}

const DEFAULTS: Limits = {
  connections: 128,
  idleMs: 4_000,
  timeoutMs: 30_000,
  maxResponseBytes: 32 * 1024 * 1024,
  retryDelaysMs: [50, 200],
};

/** More than twice the 12 s after which graphql-sse and GraphQL Yoga send a comment. */
const SILENCE_MS = 30_000;

const UNAUTHORIZED = 401;
const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

/** Writes request bodies. Everything before the variables is the same for every request with a document. */
function createBodies(): (fetch: SubgraphFetch, variables: FetchVariables) => string {
  const beginnings = new WeakMap<SubgraphFetch, string>();
  return (fetch, variables) => {
    let beginning = beginnings.get(fetch);
    if (beginning === undefined) {
      const name =
        fetch.operationName === null ? '' : `,"operationName":${JSON.stringify(fetch.operationName)}`;
      beginning = `{"query":${JSON.stringify(fetch.document)}${name},"variables":`;
      beginnings.set(fetch, beginning);
    }
    return `${beginning}${JSON.stringify(variables)}}`;
  };
}

function webSocketUrl(url: URL): string {
  return url.href.replace(/^http/, 'ws');
}

interface Connection {
  readonly options: HttpTransportOptions & Limits;
  readonly url: URL;
  readonly pool: Pool;
  readonly bodyOf: (fetch: SubgraphFetch, variables: FetchVariables) => string;
  readonly shared: SharedWork<HttpAnswer>;
  /** Reports fields that a subgraph left out. */
  readonly checked: ReturnType<typeof createLeftOutReporter>;
}

type Headers = Readonly<Record<string, string>>;

/** It makes no promise for headers that need none. */
function headersOf(
  { options }: Connection,
  context: EngineContext,
  request: OutgoingRequest,
): Headers | Promise<Headers> {
  const common = {
    'content-type': 'application/json',
    accept: ACCEPT,
    'accept-encoding': 'identity',
    'x-request-id': context.requestId,
  };
  const own = options.headers?.(context, request);
  return own instanceof Promise ? own.then((later) => ({ ...common, ...later })) : { ...common, ...own };
}

function send(
  connection: Connection,
  fetch: SubgraphFetch,
  variables: FetchVariables,
  context: EngineContext,
): Promise<HttpAnswer> {
  const { options, url, pool, shared } = connection;
  const body = connection.bodyOf(fetch, variables);
  const request = {
    path: url.pathname + url.search,
    body,
    timeoutMs: options.timeoutMs,
    maxBytes: options.maxResponseBytes,
  };
  const attemptOnce = (signal: AbortSignal | undefined): Promise<HttpAnswer> => {
    const headers = headersOf(connection, context, { method: 'POST', body });
    return headers instanceof Promise
      ? headers.then((later) => exchange(pool, { ...request, headers: later, signal }))
      : exchange(pool, { ...request, headers, signal });
  };
  if (fetch.operationKind !== 'query') {
    return attemptOnce(context.signal);
  }
  const attempt = (signal: AbortSignal | undefined) =>
    retryWithoutAnswer(() => attemptOnce(signal), options.retryDelaysMs, signal);
  const group = options.shareBy?.(context) ?? null;
  return group === null ? attempt(context.signal) : shared.run(`${group}\n${body}`, attempt, context.signal);
}

/** @throws a `TransportError` for an answer without a response, and for a 401 that is not about the client */
function responseOf({ options }: Connection, answer: HttpAnswer): SubgraphResponse {
  if (answer.status === UNAUTHORIZED && options.unauthorizedIsFailure) {
    throw new TransportError('SUBGRAPH_HTTP_ERROR', 'The subgraph does not know this gateway.');
  }
  return readAnswer(answer);
}

/** Opens streams on connections of their own, so that open streams do not take the place of fetches. */
function createStreams(connection: Connection) {
  const { options, url, bodyOf } = connection;
  const {
    protocol,
    url: own,
    silenceMs = SILENCE_MS,
  }: HttpSubscriptions = options.subscriptions ?? { protocol: 'websocket' };
  const target = new URL(own ?? url);
  const pool = protocol === 'sse' ? new Pool(target.origin, { pipelining: 1 }) : null;
  return {
    async open(fetch: SubgraphFetch, variables: FetchVariables, context: EngineContext) {
      const common = {
        timeoutMs: options.timeoutMs,
        maxBytes: options.maxResponseBytes,
        signal: context.signal,
      };
      if (pool !== null) {
        const path = target.pathname + target.search;
        const body = bodyOf(fetch, variables);
        const headers = await headersOf(connection, context, { method: 'POST', body });
        return subscribeBySse({
          ...common,
          silenceMs,
          dispatcher: pool,
          path,
          headers,
          body,
          responseOf: (answer) => responseOf(connection, answer),
        });
      }
      const { operationName } = fetch;
      const payload = { query: fetch.document, variables: { ...variables }, operationName };
      const headers = await headersOf(connection, context, { method: 'GET', body: '' });
      const extensions = await options.extensions?.(context, payload);
      return subscribeByWebSocket({
        ...common,
        url: webSocketUrl(target),
        headers,
        payload: extensions === undefined ? payload : { ...payload, extensions: { ...extensions } },
      });
    },
    close: async () => pool?.destroy(),
  };
}

/** Passes the events of a stream through `check`, and its failures through `report`. */
function watch<T>(
  stream: AsyncIterableIterator<T>,
  check: (event: T) => T,
  report: (error: unknown) => never,
): AsyncIterableIterator<T> {
  return {
    next: () =>
      stream
        .next()
        .then((item) => (item.done === true ? item : { value: check(item.value), done: false }))
        .catch(report),
    async return() {
      await stream.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * A transport to a subgraph over HTTP, by the GraphQL over HTTP specification. Connections are kept and not
 * compressed; a query that got no answer at all is sent again; answers are checked.
 *
 * @throws when the URL is not one of `http:` or `https:`.
 */
export function createHttpTransport<Context extends EngineContext = EngineContext>(
  given: HttpTransportOptions<Context>,
): HttpTransport<Context> {
  const options: Connection['options'] = { ...DEFAULTS, ...given };
  const url = new URL(options.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`A subgraph over HTTP needs an http: or https: URL, not "${options.url}".`);
  }
  const { connections, idleMs } = options;
  // The second one also bounds what the server offers by `Keep-Alive: timeout=…`.
  const idle = { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs };
  const pool = new Pool(url.origin, { connections, pipelining: 1, ...idle });
  const connection: Connection = {
    options,
    url,
    pool,
    bodyOf: createBodies(),
    shared: createSharedWork(),
    checked: createLeftOutReporter(),
  };
  const streams = createStreams(connection);
  const receive = (fetch: SubgraphFetch, response: SubgraphResponse): SubgraphResponse => {
    if (response.extensions !== undefined) {
      options.onExtensions?.(response.extensions);
    }
    return connection.checked(fetch, response);
  };
  const report = (error: unknown, fetch: SubgraphFetch, context: EngineContext): never => {
    if (error instanceof TransportError) {
      options.onFailure?.(error, fetch, context);
    }
    throw error;
  };
  return {
    async execute(fetch, variables, context) {
      try {
        const answer = await send(connection, fetch, variables, context);
        return receive(fetch, responseOf(connection, answer));
      } catch (error) {
        return report(error, fetch, context);
      }
    },
    async subscribe(fetch, variables, context) {
      try {
        const opened = await streams.open(fetch, variables, context);
        return 'next' in opened
          ? watch(
              opened,
              (event) => receive(fetch, event),
              (error) => report(error, fetch, context),
            )
          : opened;
      } catch (error) {
        return report(error, fetch, context);
      }
    },
    async close() {
      await Promise.all([pool.close(), streams.close()]);
    },
  };
}
