import { onAbort, unlessAborted } from './abort.ts';
import type { CredentialHeaders } from './credential.ts';
import { asLiveError, errorOf, LiveError } from './live-error.ts';
import {
  type GraphQLRequest,
  type GraphQLResult,
  isRecord,
  OPEN_MS,
  parseJson,
  readResult,
  unexpected,
  unresponsive,
} from './transport.ts';

/** The dependencies of calls over HTTP. */
export interface HttpDeps {
  /** Of `/graphql`. */
  readonly url: string;
  readonly credential: CredentialHeaders;
  readonly fetch: typeof fetch;
}

const JSON_TYPES = 'application/graphql-response+json, application/json;q=0.9';
/** Temporary statuses below 500: time-out, too early, too many requests. */
const PASSING_STATUSES = [408, 425, 429];

/**
 * Posts an operation.
 * @returns the response, with any status
 * @throws LiveError if there is no response
 */
export async function post(
  { url, credential, fetch: send }: HttpDeps,
  request: GraphQLRequest,
  accept: string,
  signal: AbortSignal,
): Promise<Response> {
  try {
    const shown = await unlessAborted(credential.read(), signal);
    const headers = { ...shown, accept, 'content-type': 'application/json' };
    // Redirections are not followed, because they would send the key to another address.
    const init = { method: 'POST', headers, body: JSON.stringify(request), redirect: 'manual' } as const;
    return await send(url, { ...init, signal });
  } catch (error) {
    throw asLiveError(error, 'CONNECTION_LOST', 'The server cannot be reached');
  }
}

/**
 * Runs a query.
 * @returns its data, which is complete
 * @throws LiveError when it fails, even in part
 */
export async function runQuery(
  deps: HttpDeps,
  request: GraphQLRequest,
  signal: AbortSignal,
): Promise<NonNullable<GraphQLResult['data']>> {
  const limit = limitTime(signal, OPEN_MS);
  try {
    const response = await post(deps, request, JSON_TYPES, limit.signal);
    if (!response.ok) {
      throw await failureOf(response);
    }
    const { data, errors = [] } = readResult(parseJson(await response.text()));
    if (!data || errors.length > 0) {
      throw errorOf(errors);
    }
    return data;
  } catch (error) {
    throw asLiveError(error, 'CONNECTION_LOST', 'The connection broke off before the answer was there');
  } finally {
    limit.end();
  }
}

/** The error of an unsuccessful response: with the code of its body if it has one, or else of its status. */
export async function failureOf(response: Response): Promise<LiveError> {
  const { status } = response;
  const text = await response.text();
  const [first] = errorsIn(text);
  if (status === 401) {
    return new LiveError('UNAUTHENTICATED', first?.message ?? 'The key or token is not valid');
  }
  const isPassing = status >= 500 || PASSING_STATUSES.includes(status);
  if (!isPassing && first === undefined) {
    return unexpected(`The URL answers with status ${status}: it may not be that of the graph`);
  }
  const code = first?.extensions?.code ?? (status === 429 ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE');
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  return new LiveError(code, first?.message ?? `The server answers with status ${status}`, {
    isFinal: !isPassing,
    errors: errorsIn(text),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Empty if the text is not a GraphQL answer: a proxy may have written it. */
function errorsIn(text: string): NonNullable<GraphQLResult['errors']> {
  try {
    const { errors = [] } = readResult(JSON.parse(text));
    return errors.filter((error) => isRecord(error) && typeof error.message === 'string');
  } catch {
    return [];
  }
}

/** Milliseconds. Source: RFC 9110, 10.2.3: seconds, or a date. */
export function readRetryAfter(header: string | null): number | undefined {
  const ms = /^\d+$/.test(header ?? '') ? Number(header) * 1_000 : Date.parse(header ?? '') - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** A limit of time that can be set again. */
export interface TimeLimit {
  /** Aborted when the time is over, or the given signal is. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  isOver(): boolean;
  /** Starts the time again. */
  restart(ms: number): void;
  /** Ends the limit, and cancels the rest of the call, such as an unread body. */
  end(): void;
}

/** Begins a limit, milliseconds. It must be ended. */
export function limitTime(outer: AbortSignal, ms: number): TimeLimit {
  const controller = new AbortController();
  const unlisten = onAbort(outer, () => controller.abort(outer.reason));
  let isOver = false;
  const expire = () => {
    isOver = true;
    controller.abort(unresponsive());
  };
  let timer = setTimeout(expire, ms);
  return {
    signal: controller.signal,
    isOver: () => isOver,
    restart(again) {
      clearTimeout(timer);
      timer = setTimeout(expire, again);
    },
    end() {
      clearTimeout(timer);
      unlisten();
      controller.abort();
    },
  };
}
