import {
  Event as BreakerEvent,
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';
import { LRUCache } from 'lru-cache';
import { unlessAborted } from '../kernel/abort.ts';
import { environmentOf, tenantOf } from '../kernel/account.ts';
import { parseJson, unreadMessage } from '../kernel/json/parse-json.ts';
import { type SpanEnd, type SpanInfo, type Tracing, UNTRACED } from '../kernel/tracing/tracing.ts';
import { readRetryAfter } from '../runtime/work/retry-after.ts';
import { createSingleCalls, NoAnswerError, type WholeAnswer } from './single-call.ts';
import type { ProviderCall } from './types.ts';

const CALLS_OF_A_GROUP = 32;
/** Most calls of a group that wait for one of its connections. */
const MOST_WAITING = 1_000;
const LONGEST_ANSWER_BYTES = 64 * 1024;
/** A call that has waited for this part of its time is not made any more: hardly any answer could come in time. */
const LATEST_BEGINNING = 0.9;
/** After so many calls in a row without an answer, the endpoint is left alone for a moment. */
const FAILURES_IN_A_ROW = 20;
const LEAVE_ALONE_MS = 2_000;
/** Most groups whose calls are counted. Beyond them, the groups that were quiet for longest start again. */
const MOST_GROUPS = 1_000;

/**
 * The outcome of a call. `unreachable`: there was no connection, a broken one, one with other bytes than the answer, or an
 * answer with headers or a body of more than 64 KiB. `left_alone`: no call was made, because the endpoint has not answered lately, or because other
 * calls of the group took all its time. `notSent`: the endpoint certainly has not got the call.
 */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      /** Its JSON, numbers as LosslessNumbers; undefined for no JSON, and for an answer that belongs to another call. */
      readonly body: unknown;
      /** The wait that the answer requests by `Retry-After`. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'timeout' | 'unreachable' | 'left_alone'; readonly notSent?: true };

const LEFT_ALONE: Exchange = { kind: 'left_alone', notSent: true };

/** Options of an endpoint. */
export interface EndpointOptions {
  readonly url: string;
  /** Time for a whole call, from the wait for a connection to the end of the answer. */
  readonly timeoutMs: number;
  /** For how long no calls are made to an endpoint that does not answer. Default 2,000. */
  readonly leaveAloneMs?: number;
  /** Most calls of a group at once; its further calls wait, in their own time. Default 32. */
  readonly callsOfAGroup?: number;
  /** The name of the endpoint in spans, such as `identity`. */
  readonly name: string;
  /** Calls carry `traceparent`. Default: no tracing. */
  readonly tracing?: Tracing;
}

/**
 * A call. Its account is its group. While another call of the group tries whether the endpoint answers again,
 * a patient one waits, in its own time, and is made if that call succeeds; others are not made meanwhile.
 */
export interface Call extends ProviderCall {
  /** Sent as JSON. */
  readonly body: object;
  /** The request that the call is about, where that is not its body: what the answer repeats must be of it. */
  readonly about?: object;
}

/** An HTTP endpoint that receives and returns JSON. */
export interface JsonEndpoint {
  /**
   * One POST with `Idempotency-Key` and `X-Environment`, on a connection of its own; redirects are not followed. When 20 calls
   * of a group in a row had no answer, or one of 500 and above, its next ones are `left_alone`, until a single call, tried
   * every 2 s, is answered. A group that fails, or that has all its calls under way, does not hold up another one. Never
   * throws, whatever the endpoint does.
   */
  post(call: Call): Promise<Exchange>;
  close(): Promise<void>;
}

export function createJsonEndpoint(options: EndpointOptions): JsonEndpoint {
  const { tracing = UNTRACED, timeoutMs } = options;
  const span = spanOf(options);
  const calls = createSingleCalls(timeoutMs);
  const groups = new LRUCache<string, Group>({ max: MOST_GROUPS });
  const groupOf = ({ accountId }: Call) => {
    const group = groups.get(accountId) ?? createGroup(options);
    groups.set(accountId, group);
    return group;
  };
  return {
    post: async (call) => {
      const signal = AbortSignal.timeout(timeoutMs);
      const latest = performance.now() + timeoutMs * LATEST_BEGINNING;
      let isMade = false;
      const isLate = () => signal.aborted || performance.now() > latest;
      const made = execute(groupOf(call), call, isLate, async () => {
        isMade = true;
        const send = (trace: Readonly<Record<string, string>>) =>
          exchange(calls, options.url, call, trace, signal);
        return tracing.span(span, send, toSpanEnd);
      });
      const waited = await unlessAborted(signal, () => made);
      // A call that was made ends by the same signal, and says itself how.
      return waited.aborted && !isMade ? LEFT_ALONE : made;
    },
    close: () => calls.close(),
  };
}

type Group = ReturnType<typeof createGroup>;

/** The counts of an account. */
function createGroup({ leaveAloneMs = LEAVE_ALONE_MS, callsOfAGroup = CALLS_OF_A_GROUP }: EndpointOptions) {
  return {
    places: bulkhead(callsOfAGroup, MOST_WAITING),
    breaker: circuitBreaker(handleWhenResult(isUnanswered), {
      halfOpenAfter: leaveAloneMs,
      breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    }),
  };
}

/**
 * Makes a call when its group has room for it, unless the endpoint does not answer the group, or the call is late by then. The
 * breaker gets only calls that are made: to it, a call that is given up would be an answer of the endpoint.
 */
async function execute(
  { places, breaker }: Group,
  { isPatient }: Call,
  isLate: () => boolean,
  make: () => Promise<Exchange>,
): Promise<Exchange> {
  try {
    return await places.execute(async () => {
      while (breaker.state === CircuitState.HalfOpen) {
        if (!isPatient) {
          return LEFT_ALONE;
        }
        await BreakerEvent.toPromise(breaker.onStateChange);
      }
      return isLate() ? LEFT_ALONE : breaker.execute(make);
    });
  } catch (error) {
    if (error instanceof BrokenCircuitError || error instanceof BulkheadRejectedError) {
      return LEFT_ALONE;
    }
    throw error;
  }
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
  calls: Pick<ReturnType<typeof createSingleCalls>, 'post'>,
  url: string,
  call: Call,
  trace: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Exchange> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...trace,
    'Idempotency-Key': call.idempotencyKey,
    'X-Environment': environmentOf(call.accountId),
  };
  const body = JSON.stringify(call.body);
  try {
    const answer = await calls.post({ url, headers, body, maxBytes: LONGEST_ANSWER_BYTES, signal });
    return toAnswered(answer, call);
  } catch (error) {
    const isNotSent = error instanceof NoAnswerError && error.notSent;
    return { kind: signal.aborted ? 'timeout' : 'unreachable', ...(isNotSent && { notSent: true }) };
  }
}

function toAnswered({ statusCode, headers, text }: WholeAnswer, call: Call): Exchange {
  const parsed = parseJson(text);
  const { 'idempotency-key': key = call.idempotencyKey, 'retry-after': retryAfter } = headers;
  const isOther = key !== call.idempotencyKey || contradicts(parsed, call);
  const asked = typeof retryAfter === 'string' ? readRetryAfter(retryAfter, Date.now()) : undefined;
  return {
    kind: 'answered',
    statusCode,
    body: isOther || unreadMessage(parsed) !== undefined ? undefined : parsed,
    ...(asked !== undefined && { retryAfterMs: asked }),
  };
}

/** A number of JSON of a length that an amount may have. */
const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i;

interface Repeatable extends Pick<ProviderCall, 'accountId' | 'idempotencyKey' | 'operationId'> {
  readonly body: object;
  readonly about?: object;
}

/**
 * Whether an answer says by a value that it belongs to another call: where it carries `operationId`, `tenantId`,
 * `idempotencyKey`, `amount` or `currency`, they must be those of the call (decisions, section 8, "Answers of providers").
 * An amount may be written in another way, such as `5.00` or `5e+0` for `5`. Fields that the call does not have are not compared; null is no value.
 * @param answer JSON whose numbers are LosslessNumbers
 */
function contradicts(
  answer: unknown,
  { accountId, idempotencyKey, operationId, body, about = body }: Repeatable,
): boolean {
  if (typeof answer !== 'object' || answer === null) {
    return false;
  }
  const carried = new Map<string, unknown>(Object.entries(answer));
  const sent = new Map<string, unknown>(Object.entries(about));
  const own = {
    operationId: operationId ?? sent.get('operationId'),
    tenantId: tenantOf(accountId),
    idempotencyKey,
  };
  const isOther = (name: string, expected: unknown, isSame = isSameText) => {
    const value = carried.get(name) ?? undefined;
    return value !== undefined && expected !== undefined && !isSame(textOf(value), textOf(expected));
  };
  return (
    Object.entries(own).some(([name, expected]) => isOther(name, expected)) ||
    isOther('currency', sent.get('currency')) ||
    isOther('amount', sent.get('amount'), isSameAmount)
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || isLosslessNumber(value) ? value.toString() : undefined;
}

function isSameText(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

function isSameAmount(one = '', other = ''): boolean {
  return DECIMAL.test(one) && DECIMAL.test(other) && new Decimal(one).eq(other);
}
