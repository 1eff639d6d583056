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

const CONNECTIONS = 32;
const LONGEST_ANSWER_BYTES = 64 * 1024;
/** So many calls in a row without an answer, and the endpoint is left alone for a moment. */
const FAILURES_IN_A_ROW = 20;
const LEAVE_ALONE_MS = 2_000;
/** Groups whose failures are counted; of more, the ones that were quiet for longest start anew. */
const MOST_GROUPS = 1_000;

/**
 * What came of a call. `unreachable`: no connection, a broken one, or an answer of more than 64 KiB; `left_alone`: not
 * called, for the endpoint has not answered lately.
 */
export type Exchange =
  | { readonly kind: 'answered'; readonly statusCode: number; readonly body: unknown }
  | { readonly kind: 'timeout' | 'unreachable' | 'left_alone' };

/** How an endpoint is called. */
export interface EndpointOptions {
  readonly url: string;
  /** For a whole call, the wait for a connection and the end of the answer included. */
  readonly timeoutMs: number;
  /** How long an endpoint that does not answer is left alone. Default 2,000. */
  readonly leaveAloneMs?: number;
  /** Calls at once; one more waits for its connection. Default 32. */
  readonly connections?: number;
}

export interface Call {
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls that are left alone together: an endpoint that fails one group is still called for the others. */
  readonly group?: string;
  /**
   * Whether it waits for the end of a call that tries whether the endpoint answers again, and is made then if it does: it may
   * take twice its time. Default: it is left alone meanwhile.
   */
  readonly isPatient?: boolean | undefined;
}

/** An HTTP endpoint that takes and answers JSON. */
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
  const { connections = CONNECTIONS } = options;
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
      // The breaker would have this one wait until the call that is tried has ended, before its own time begins.
      if (breaker.state === CircuitState.HalfOpen && !call.isPatient) {
        return { kind: 'left_alone' };
      }
      try {
        return await breaker.execute(() => exchange(agent, options, call));
      } catch (error) {
        if (error instanceof BrokenCircuitError) {
          return { kind: 'left_alone' };
        }
        throw error;
      }
    },
    // Not close(): it would wait for calls whose answers nobody awaits any more.
    close: () => agent.destroy(),
  };
}

function createBreaker({ leaveAloneMs = LEAVE_ALONE_MS }: EndpointOptions) {
  return circuitBreaker(handleWhenResult(isUnanswered), {
    halfOpenAfter: leaveAloneMs,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  });
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
): Promise<Exchange> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // Not left to undici alone: a request that still waits for its connection notices that its time is over only when that is
    // there or has failed; nothing of it is sent then.
    const answered = await unlessAborted(signal, () => postJson(dispatcher, url, call, signal));
    return answered.aborted ? { kind: 'timeout' } : answered.value;
  } catch {
    // undici reports every failure to get an answer by throwing; which kind it was is all that the caller may know.
    return { kind: signal.aborted ? 'timeout' : 'unreachable' };
  }
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
