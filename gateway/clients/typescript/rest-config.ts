import { wait } from '../../client/abort.ts';
import { createBackoff } from '../../client/backoff.ts';
import { quoteAmounts, unquoteAmounts } from './exact-amounts.ts';
import { RestError, readError, tryParse } from './rest-error.ts';

/** Options of a client. */
export interface RestOptions {
  /**
   * The address of the product, such as `https://api.example.com`, without `/v1`. It may have a path. It must be https, unless the host is
   * this machine. The key is sent to no other address.
   */
  readonly url: string;
  /** Your API key. Never put one into a web page. */
  readonly apiKey: string;
  /** The number of attempts of a call that may be repeated; default 4. With 1, no call is repeated. */
  readonly attempts?: number;
  /** The time for one attempt, milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** A call fails if the server wants a longer wait before its repetition, milliseconds; default 60,000. */
  readonly maxWaitMs?: number;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Random numbers from 0 to 1, for waits; default: `Math.random`. */
  readonly random?: () => number;
}

/** The configuration of a client of `@hey-api/client-fetch`, for its `createClient` or `setConfig`. */
export interface RestClientConfig {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly throwOnError: true;
}

/** The upper bound of the first wait; it doubles with each further one. */
const WAITS = { baseMs: 500, capMs: 8_000 };
const CREATE = '/v1/request-money';
/** Calls that give the same answer when they are repeated, besides those that read. Source: concepts, "Repeating a call". */
const REPEATABLE: readonly RegExp[] = [
  /^\/v1\/user\/operations\/request-money-v2\/[^/]+$/,
  /^\/v1\/request-money\/[^/]+\/cancel$/,
  /^\/partner\/users\/[^/]+\/(?:un)?block$/,
  /^\/partner\/pre-quote-lite$/,
];
const READS = ['GET', 'HEAD'];
/** The type of files, which come as they are. */
const CSV = /^text\/csv\b/;
/** The size of the largest answer that is read. */
const MOST_BYTES = 16 * 1024 * 1024;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * The configuration of a generated client. Its calls send the key, repeat what is safe to repeat, have exact amounts, and throw a
 * {@link RestError} when they fail.
 *
 * - 429 is repeated for every call: the server has not acted. Broken connections and 503 are repeated for reads and for calls that give the
 *   same answer again. A create gets an `Idempotency-Key`, unless you pass one; each attempt sends the same.
 * - Each wait is random, and longer each time. `Retry-After` is its least length.
 * - Amounts are texts in requests and answers, and JSON numbers with the same digits on the wire.
 *
 * @throws TypeError for an address or a key that cannot be used
 */
export function restConfig(options: RestOptions): RestClientConfig {
  const base = readBase(options);
  const call: typeof fetch = async (input, init) =>
    runCall(options, await prepare(options, base, input, init));
  return { baseUrl: options.url.replace(/\/+$/, ''), fetch: call, throwOnError: true };
}

/** The errors do not contain the key. */
function readBase({ url, apiKey }: RestOptions): URL {
  const base = new URL(url);
  const isLocal = base.protocol === 'http:' && LOOPBACK.test(base.hostname);
  if (base.protocol !== 'https:' && !isLocal) {
    throw new TypeError('url must be https, or http of this machine');
  }
  if (!/^[\x20-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be one line of ASCII characters that is not empty');
  }
  return base;
}

/** A call, as each attempt sends it. */
interface Call {
  readonly url: string;
  readonly init: RequestInit;
  readonly signal: AbortSignal;
  /** Whether it gives the same answer again, also if the server has acted before. */
  readonly isRepeatable: boolean;
}

async function prepare(
  { apiKey }: RestOptions,
  base: URL,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Call> {
  const request = new Request(input, init);
  const { url, method, signal } = request;
  const path = pathBelow(base, url);
  const headers = new Headers(request.headers);
  headers.set('x-api-key', headers.get('x-api-key') ?? apiKey);
  const isCreate = method === 'POST' && path === CREATE;
  if (isCreate && !headers.has('idempotency-key')) {
    headers.set('idempotency-key', crypto.randomUUID());
  }
  const text = await request.text();
  return {
    url,
    signal,
    // Redirections are not followed, because they would send the key to another address.
    init: { method, headers, redirect: 'manual', ...(text !== '' && { body: unquoteAmounts(text) }) },
    isRepeatable: isCreate || READS.includes(method) || REPEATABLE.some((pattern) => pattern.test(path)),
  };
}

/**
 * The path of a call, as the documents have it: the product may be below a path of its own.
 * @throws TypeError for another address
 */
function pathBelow(base: URL, url: string): string {
  const { origin, pathname } = new URL(url);
  if (origin !== base.origin) {
    throw new TypeError(`The key is for ${base.origin}, not for ${origin}`);
  }
  const prefix = base.pathname.replace(/\/+$/, '');
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
}

async function runCall(options: RestOptions, call: Call): Promise<Response> {
  const { attempts = 4, maxWaitMs = 60_000, random = Math.random } = options;
  const backoff = createBackoff(WAITS, random);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptCall(options, call);
    if (outcome instanceof Response) {
      return outcome;
    }
    const { retryAfterMs = 0 } = outcome;
    if (attempt >= attempts || retryAfterMs > maxWaitMs || !isWorthRepeating(outcome, call)) {
      throw outcome;
    }
    await wait(retryAfterMs + backoff.next(), call.signal);
    call.signal.throwIfAborted();
  }
}

function isWorthRepeating({ status, code }: RestError, { isRepeatable }: Call): boolean {
  return status === 429 || (isRepeatable && (status === 503 || code === 'CONNECTION_LOST'));
}

/** @returns the answer with its amounts as texts, or the error. @throws the reason of the caller's signal */
async function attemptCall(
  { fetch: send = fetch, timeoutMs = 60_000 }: RestOptions,
  { url, init, signal }: Call,
): Promise<Response | RestError> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await send(url, { ...init, signal: limit });
    const text = await readText(response);
    if (text === undefined) {
      return readError(response, '');
    }
    if (response.ok && CSV.test(response.headers.get('content-type') ?? '')) {
      return exactResponse(response, text);
    }
    const isReadable = response.ok && (init.method === 'HEAD' || tryParse(text) !== undefined);
    return isReadable ? exactResponse(response, quoteAmounts(text)) : readError(response, text);
  } catch (cause) {
    signal.throwIfAborted();
    return new RestError('CONNECTION_LOST', 'The server cannot be reached, or its answer did not arrive', {
      cause,
    });
  }
}

/** @returns the body; undefined if it is larger than {@link MOST_BYTES} */
async function readText({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) {
      return text + decoder.decode();
    }
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Without the length, which was that of the body as sent. */
function exactResponse({ status, headers }: Response, text: string): Response {
  const kept = new Headers(headers);
  kept.delete('content-length');
  return new Response(text === '' ? null : text, { status, headers: kept });
}
