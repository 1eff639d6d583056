import { addAbortListener } from 'node:events';
import type { Dispatcher } from 'undici';
import { BoundedQueue } from './bounded-queue.ts';
import { isHigh } from './high-water.ts';
import { isPlain, unknownEncoding } from './http-body.ts';
import { TransportError } from './http-error.ts';
import { type HttpAnswer, NoAnswer } from './http-exchange.ts';
import { toSubgraphResponse } from './http-response.ts';
import { createEventStreamParser, type ServerSentEvent } from './sse-parser.ts';
import type { SubgraphResponse } from './transport.ts';

interface SseSubscription {
  readonly dispatcher: Dispatcher;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time until the stream begins or an answer without events is read. */
  readonly timeoutMs: number;
  /** Longest event, and longest answer without events. */
  readonly maxBytes: number;
  /** Longest time without a byte of the stream. */
  readonly silenceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Reads an answer that is no stream. @throws a `TransportError` when there is no response in it */
  responseOf(answer: HttpAnswer): SubgraphResponse;
}

const OK = 200;
const EVENT_STREAM = /^text\/event-stream(?:\s*;|\s*$)/i;

type Body = Dispatcher.ResponseData['body'];

function invalid(cause?: unknown): TransportError {
  return new TransportError(
    'SUBGRAPH_RESPONSE_INVALID',
    'The subgraph sent an event that is not a GraphQL response.',
    cause,
  );
}

function parseEvent(data: string): SubgraphResponse {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    throw invalid(error);
  }
  const response = toSubgraphResponse(value);
  if (response === null) {
    throw invalid();
  }
  return response;
}

/** Adds an event to the queue; returns whether the stream continues. */
function take({ event, data }: ServerSentEvent, queue: BoundedQueue<SubgraphResponse>): boolean {
  if (event === 'complete') {
    queue.end();
    return false;
  }
  if (event === 'next') {
    queue.push(parseEvent(data), data.length);
  }
  return true;
}

async function readWhole(body: Body, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    length += bytes.length;
    if (length > maxBytes) {
      throw new TransportError('SUBGRAPH_RESPONSE_TOO_LARGE', "The subgraph's answer is too large.");
    }
  }
  return text + decoder.decode();
}

/**
 * Reads the stream as fast as its events are taken: a slow reader slows the subgraph, not the memory. A subgraph that sends
 * nothing while it could, not even a comment, has frozen or is gone.
 */
function readEvents(
  body: Body,
  { maxBytes, silenceMs }: Pick<SseSubscription, 'maxBytes' | 'silenceMs'>,
  stop: AbortController,
): AsyncIterableIterator<SubgraphResponse> {
  // undici's bodies have a `setEncoding` that decodes nothing: pieces stay bytes, and a cut may divide a character.
  const decoder = new TextDecoder();
  const parse = createEventStreamParser();
  let sinceLastEvent = 0;
  const silence = setTimeout(() => {
    if (body.isPaused()) {
      silence.refresh();
    } else {
      end(new TransportError('SUBGRAPH_TIMEOUT', "The subgraph's event stream fell silent."));
    }
  }, silenceMs);
  addAbortListener(stop.signal, () => clearTimeout(silence));
  const queue = new BoundedQueue<SubgraphResponse>({
    // The connection pauses instead.
    limit: Number.POSITIVE_INFINITY,
    returned: () => stop.abort(),
    taken() {
      if (!isHigh(queue) && body.isPaused()) {
        silence.refresh();
        body.resume();
      }
    },
  });
  function end(error: unknown): void {
    queue.fail(error);
    stop.abort();
  }
  function read(bytes: Uint8Array): void {
    silence.refresh();
    const events = parse(decoder.decode(bytes, { stream: true }));
    sinceLastEvent = events.length === 0 ? sinceLastEvent + bytes.length : 0;
    if (sinceLastEvent > maxBytes) {
      throw new TransportError('SUBGRAPH_RESPONSE_TOO_LARGE', "The subgraph's event is too large.");
    }
    if (!events.every((event) => take(event, queue))) {
      stop.abort();
    } else if (isHigh(queue)) {
      body.pause();
    }
  }
  body.on('data', (bytes: Uint8Array) => {
    try {
      read(bytes);
    } catch (error) {
      end(error);
    }
  });
  const brokeOff = (cause?: unknown) =>
    end(
      stop.signal.aborted
        ? stop.signal.reason
        : new TransportError('SUBGRAPH_UNREACHABLE', "The subgraph's events broke off.", cause),
    );
  body.on('error', brokeOff);
  body.on('end', () => brokeOff());
  return queue;
}

async function open(
  { dispatcher, path, headers, body }: SseSubscription,
  stop: AbortController,
): Promise<Dispatcher.ResponseData> {
  try {
    return await dispatcher.request({
      path,
      method: 'POST',
      // No list of types: graphql-sse's server does not accept one.
      headers: { ...headers, accept: 'text/event-stream' },
      body,
      signal: stop.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : new NoAnswer(error);
  }
}

/** Reads an answer that is not a stream: it has the reason why the subscription does not start. */
async function readOther(
  { statusCode, body }: Dispatcher.ResponseData,
  contentType: string,
  { maxBytes, responseOf }: SseSubscription,
  stop: AbortController,
): Promise<SubgraphResponse> {
  let text: string;
  try {
    text = await readWhole(body, maxBytes);
  } catch (error) {
    if (stop.signal.aborted) {
      throw stop.signal.reason;
    }
    throw error instanceof TransportError
      ? error
      : new TransportError('SUBGRAPH_UNREACHABLE', "The subgraph's answer broke off.", error);
  }
  const response = responseOf({ status: statusCode, contentType, body: text });
  if (response.errors === undefined) {
    throw new TransportError(
      'SUBGRAPH_RESPONSE_INVALID',
      'The subgraph answered a subscription without events.',
    );
  }
  return response;
}

/**
 * Subscribes over an HTTP event stream of its own.
 * Source: GraphQL over SSE protocol, "Distinct connections mode".
 *
 * @returns the events, or the subgraph's answer when it does not start the subscription. Rejects with a `TransportError`
 *   or the signal's reason.
 */
export async function subscribeBySse(
  subscription: SseSubscription,
): Promise<AsyncIterableIterator<SubgraphResponse> | SubgraphResponse> {
  const { signal, timeoutMs } = subscription;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const listening = signal && addAbortListener(signal, () => stop.abort(signal.reason));
  addAbortListener(stop.signal, () => listening?.[Symbol.dispose]());
  const late = new TransportError('SUBGRAPH_TIMEOUT', 'The subgraph did not answer in time.');
  const timer = setTimeout(() => stop.abort(late), timeoutMs);
  let isStreaming = false;
  try {
    const answer = await open(subscription, stop);
    const contentType = String(answer.headers['content-type'] ?? '');
    if (!isPlain(String(answer.headers['content-encoding'] ?? ''))) {
      throw unknownEncoding();
    }
    isStreaming = answer.statusCode === OK && EVENT_STREAM.test(contentType);
    return isStreaming
      ? readEvents(answer.body, subscription, stop)
      : await readOther(answer, contentType, subscription, stop);
  } finally {
    clearTimeout(timer);
    if (!isStreaming) {
      stop.abort();
    }
  }
}
