import { addAbortListener } from 'node:events';
import type { Agent, Dispatcher } from 'undici';
import { pause, unlessAborted } from '../kernel/abort.ts';
import { fieldOf } from '../kernel/objects.ts';
import { parseUrl } from '../kernel/parse-url.ts';
import { type AttemptTiming, Stopwatch } from './attempt-timing.ts';
import { createGuardedConnector, type GuardedConnectorOptions, RefusedAddressError } from './connector.ts';
import { createTimedAgent } from './timed-agent.ts';

/** Why an attempt failed. `http_status`: an answer that is neither 2xx nor 3xx; `redirect`: a 3xx, never followed. */
const ERROR_CLASSES = [
  'http_status',
  'redirect',
  'timeout',
  'network',
  'tls',
  'refused_address',
  'bad_url',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

interface Answered {
  /** Absent when no status line arrived. */
  readonly statusCode?: number;
  /** The first 16 KB of the answer's body. */
  readonly answer: Buffer;
  /** Absent when the host has no permitted address. */
  readonly timing?: AttemptTiming;
}

/** `aborted`: the caller gave up; nobody knows whether the receiver got the request. */
export type SendOutcome =
  | (Answered & { readonly kind: 'delivered'; readonly statusCode: number })
  | (Answered & {
      readonly kind: 'failed';
      readonly errorClass: ErrorClass;
      /** The answer's `Retry-After`, as it arrived. */
      readonly retryAfter?: string;
    })
  | { readonly kind: 'aborted' };

export interface OutgoingRequest {
  readonly url: string;
  /** Header names are sent in this case of letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Sender {
  /** Sends one POST. Every failure is an outcome: it never throws. */
  send(request: OutgoingRequest, signal: AbortSignal): Promise<SendOutcome>;
  /** Closes the pooled connections. */
  close(): Promise<void>;
}

/** Most bytes of an answer that are read and kept. */
export const ANSWER_BYTES = 16 * 1024;
/** Most bytes of an answer's headers. Receivers behind proxies send more than the 16 KB that undici reads by default. */
const MAX_HEADER_BYTES = 256 * 1024;

/**
 * Posts over HTTPS with pooled connections, and follows no redirects. `timeoutMs` limits the whole attempt: resolving,
 * connecting, TLS, sending, and the answer with its body (document 2, "Delivery rules" 2). The status line and the headers
 * decide the outcome: a body that breaks off or is late changes nothing (decisions, section 8, "Delivery answers"). Headers
 * that break the rules of HTTP or are longer than 256 KB leave the status line, which decides alone then. It reads
 * 16 KB of a longer body and drops the connection.
 */
export function createSender(options: GuardedConnectorOptions): Sender {
  const { timeoutMs } = options;
  const agent = createTimedAgent(createGuardedConnector(options), {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  return {
    send: (request, signal) => send({ agent, timeoutMs }, request, signal),
    close: () => agent.destroy(),
  };
}

interface SendDeps {
  agent: Agent;
  timeoutMs: number;
}

async function send(
  { agent, timeoutMs }: SendDeps,
  { url, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const target = readTarget(url);
  if (!target) {
    return failed('bad_url');
  }
  const started = performance.now();
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  const timer = setTimeout(giveUp, timeoutMs);
  const listening = addAbortListener(signal, giveUp);
  const received: Received = { chunks: [], watch: new Stopwatch() };
  try {
    signal.throwIfAborted();
    const options = {
      ...target,
      headers: { ...headers, ...target.headers },
      body,
      signal: attempt.signal,
      opaque: received.watch,
    };
    // undici alone is not enough: a request that still waits for its connection notices an abort only when the connection is
    // made or has failed. Nothing of it is sent then.
    const exchanged = await unlessAborted(attempt.signal, () =>
      exchange(agent, { ...options, method: 'POST' }, received),
    );
    if (exchanged.aborted) {
      throw attempt.signal.reason;
    }
    return judge(exchanged.value, received);
  } catch (error) {
    // Only the rest of the body is missing, or the headers cannot be read.
    received.statusCode = statusOf(received, error);
    if (received.statusCode !== undefined) {
      return judge(received.statusCode, received);
    }
    const errorClass = attempt.signal.aborted ? 'timeout' : classify(error);
    const noAddress = foundNoAddress(error);
    if (noAddress) {
      await pause(started + Math.min(NO_ADDRESS_MS, timeoutMs) - performance.now(), signal);
    }
    if (signal.aborted) {
      return { kind: 'aborted' };
    }
    return noAddress ? failed(errorClass) : failed(errorClass, received);
  } finally {
    clearTimeout(timer);
    listening[Symbol.dispose]();
  }
}

/** The request target of a URL; its credentials become Basic authentication. Undefined unless it is an HTTPS URL. */
function readTarget(
  text: string,
): { origin: string; path: string; headers: Record<string, string> } | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:') {
    return undefined;
  }
  const { origin, pathname, search, username, password } = url;
  const credentials = `${percentDecode(username)}:${percentDecode(password)}`;
  const headers: Record<string, string> =
    username || password ? { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {};
  return { origin, path: pathname + search, headers };
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The part of the answer that has arrived; it is kept when the rest fails. */
interface Received {
  statusCode?: number | undefined;
  retryAfter?: string;
  readonly chunks: Buffer[];
  readonly watch: Stopwatch;
}

async function exchange(
  agent: Agent,
  options: Dispatcher.RequestOptions<Stopwatch>,
  received: Received,
): Promise<number> {
  const { statusCode, headers, body } = await agent.request(options);
  received.watch.ended('firstByteMs');
  const { 'retry-after': retryAfter } = headers;
  received.statusCode = statusCode;
  // A header that occurs with different values is ambiguous.
  const [asked, ...others] = new Set([retryAfter ?? []].flat());
  if (asked !== undefined && others.length === 0) {
    received.retryAfter = asked;
  }
  await readStart(body, received.chunks);
  return statusCode;
}

async function readStart(body: Dispatcher.ResponseData['body'], chunks: Buffer[]): Promise<void> {
  let room = ANSWER_BYTES;
  const bytes: AsyncIterable<Buffer> = body;
  for await (const chunk of bytes) {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room <= 0) {
      return;
    }
  }
}

/**
 * Whether it ended before a connection was tried: the name does not exist, or we forbid its addresses. Partners must not distinguish
 * these apart. So both take {@link NO_ADDRESS_MS}, and neither is timed: our own name server answers faster than a distant
 * one.
 */
function foundNoAddress(error: unknown): boolean {
  return (
    error instanceof RefusedAddressError ||
    fieldOf(error, 'syscall') === 'getaddrinfo' ||
    fieldOf(error, 'code') === 'ENOTFOUND'
  );
}

/** The status of an answer that has failed: that of its status line, when its headers cannot be read or are too long. */
function statusOf({ statusCode, watch }: Received, error: unknown): number | undefined {
  return statusCode ?? (BAD_HEADER_ERRORS.has(fieldOf(error, 'name')) ? watch.statusCode : undefined);
}

const BAD_HEADER_ERRORS: ReadonlySet<unknown> = new Set([
  'HTTPParserError',
  'HeadersOverflowError',
  'ResponseContentLengthMismatchError',
]);

const NO_ADDRESS_MS = 1_000;

function judge(statusCode: number, received: Received): SendOutcome {
  if (statusCode >= 200 && statusCode < 300) {
    const { chunks, watch } = received;
    return { kind: 'delivered', statusCode, answer: Buffer.concat(chunks), timing: watch.read() };
  }
  return failed(statusCode >= 300 && statusCode < 400 ? 'redirect' : 'http_status', received);
}

/** The outcome without the received part: nothing was sent. */
function failed(errorClass: ErrorClass, received?: Received): SendOutcome {
  if (!received) {
    return { kind: 'failed', errorClass, answer: Buffer.alloc(0) };
  }
  const { chunks, statusCode, retryAfter, watch } = received;
  return {
    kind: 'failed',
    errorClass,
    answer: Buffer.concat(chunks),
    timing: watch.read(),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

const TIMEOUT_CODES = /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;
const TLS_CODES =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|SELF_SIGNED_CERT|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|EPROTO)/;

function classify(error: unknown): ErrorClass {
  if (error instanceof RefusedAddressError) {
    return 'refused_address';
  }
  const code = String(fieldOf(error, 'code') ?? '');
  if (TIMEOUT_CODES.test(code)) {
    return 'timeout';
  }
  return TLS_CODES.test(code) ? 'tls' : 'network';
}
