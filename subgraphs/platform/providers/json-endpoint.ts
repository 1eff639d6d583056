import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher, request } from 'undici';
import { unlessAborted } from '../abort.ts';
import {
  type SpanEnd,
  type SpanInfo,
  type TraceHeaders,
  type Tracing,
  UNTRACED,
} from '../tracing/tracing.ts';

const CONNECTIONS = 32;
const LONGEST_ANSWER_BYTES = 64 * 1024;
/** After so many calls in a row without an answer, the endpoint is left alone for a moment. */
const FAILURES_IN_A_ROW = 20;
const LEAVE_ALONE_MS = 2_000;
/** Most groups whose failures are counted. Beyond them, the groups that were quiet for longest start again. */
const MOST_GROUPS = 1_000;

/**
 * The outcome of a call. `unreachable`: there was no connection, a broken one, or an answer of more than 64 KiB.
 * `left_alone`: no call was made, because the endpoint has not answered lately. `notSent`: the endpoint certainly has not got
 * the call.
 */
export type Exchange =
  | { readonly kind: 'answered'; readonly statusCode: number; readonly body: unknown }
  | { readonly kind: 'timeout' | 'unreachable' | 'left_alone'; readonly notSent?: true };

/** Errors of a connection that could not be made. All others may come after the call was sent. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const LEFT_ALONE: Exchange = { kind: 'left_alone', notSent: true };

/** Options of an endpoint. */
export interface EndpointOptions {
  readonly url: string;
  /** Time for a whole call, from the wait for a connection to the end of the answer. */
  readonly timeoutMs: number;
  /** For how long no calls are made to an endpoint that does not answer. Default 2,000. */
  readonly leaveAloneMs?: number;
  /** Most calls at once; further calls wait for a connection. Default 32. */
  readonly connections?: number;
  /** What the endpoint is called in spans, such as `identity`. */
  readonly name: string;
  /** Calls carry `traceparent`. Default: no tracing. */
  readonly tracing?: Tracing;
}

export interface Call {
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The group of the call. An endpoint that fails one group is still called for the others. */
  readonly group?: string;
  /**
   * Whether it waits while another call tries whether the endpoint answers again, and is made if that call succeeds. It may
   * take twice its time. Default: it is not made meanwhile.
   */
  readonly isPatient?: boolean | undefined;
}

/** An HTTP endpoint that receives and returns JSON. */
export interface JsonEndpoint {
  /**
   * One POST; redirects are not followed. `body` of an answer is undefined when it is no JSON. When 20 calls of a group
   * in a row had no answer, or one of 500 and above, the next ones are `left_alone`, until a single call, tried every
   * 2 s, is answered. Never throws, whatever the endpoint does.
   */
  post(call: Call): Promise<Exchange>;
  close(): Promise<void>;
}

export function createJsonEndpoint(options: EndpointOptions): JsonEndpoint {
  const { connections = CONNECTIONS, tracing = UNTRACED } = options;
  const span = spanOf(options);
  const agent = new Agent({ connections, maxResponseSize: LONGEST_ANSWER_BYTES });
  const breakers = new LRUCache<string, ReturnType<typeof createBreaker>>({ max: MOST_GROUPS });
  const breakerOf = (group: string) => {
    const breaker = breakers.get(group) ?? createBreaker(options);
    breakers.set(group, breaker);
    return breaker;
  };
  return {
    post: async (call) => {
      const breaker = breakerOf(call.group ?? '');
      // The breaker would let this call wait until the trying call has ended, before its own time begins.
      if (breaker.state === CircuitState.HalfOpen && !call.isPatient) {
        return LEFT_ALONE;
      }
      try {
        return await breaker.execute(() =>
          tracing.span(span, (headers) => exchange(agent, options, call, headers), toSpanEnd),
        );
      } catch (error) {
        if (error instanceof BrokenCircuitError) {
          return LEFT_ALONE;
        }
        throw error;
      }
    },
    // It does not use close(), which would wait for calls whose answers nobody awaits any more.
    close: () => agent.destroy(),
  };
}

function createBreaker({ leaveAloneMs = LEAVE_ALONE_MS }: EndpointOptions) {
  return circuitBreaker(handleWhenResult(isUnanswered), {
    halfOpenAfter: leaveAloneMs,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });
}

/** Without the path: an operator's setting may have a key there. */
function spanOf({ url, name }: EndpointOptions): SpanInfo {
  const { protocol, hostname, port } = new URL(url);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  return {
    name: 'POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': port === '' ? defaultPort : Number(port),
      'remitgraph.provider': name,
    },
  };
}

function toSpanEnd(exchanged: Exchange): SpanEnd {
  if (exchanged.kind !== 'answered') {
    return { errorType: exchanged.kind };
  }
  const { statusCode } = exchanged;
  return {
    attributes: { 'http.response.status_code': statusCode },
    errorType: statusCode >= 400 ? String(statusCode) : undefined,
  };
}

/** The breaker sees results of any type; it is given this one only. */
function isUnanswered(result: unknown): boolean {
  const exchanged = result as Exchange;
  return exchanged.kind !== 'answered' || exchanged.statusCode >= 500;
}

async function exchange(
  dispatcher: Dispatcher,
  { url, timeoutMs }: EndpointOptions,
  call: Call,
  headers: TraceHeaders,
): Promise<Exchange> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // undici alone is not enough: a request that still waits for its connection notices a time-out only when the connection
    // is made or has failed. Nothing of it is sent then.
    const answered = await unlessAborted(signal, () =>
      postJson(dispatcher, url, { ...call, headers: { ...headers, ...call.headers } }, signal),
    );
    return answered.aborted ? { kind: 'timeout' } : answered.value;
  } catch (error) {
    // undici throws for every missing answer; the caller learns only which kind it was.
    return {
      kind: signal.aborted ? 'timeout' : 'unreachable',
      ...(hasNoConnection(error) && { notSent: true }),
    };
  }
}

/** Whether a call failed before there was a connection: nothing of it was sent. */
function hasNoConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_CONNECTION.has(String(error.code));
}

async function postJson(
  dispatcher: Dispatcher,
  url: string,
  { body, headers }: Call,
  signal: AbortSignal,
): Promise<Exchange> {
  const answer = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
  });
  return {
    kind: 'answered',
    statusCode: answer.statusCode,
    body: parseOrUndefined(await answer.body.text()),
  };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
