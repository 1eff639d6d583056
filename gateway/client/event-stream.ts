import { createParser } from 'eventsource-parser';
import { failureOf, type HttpDeps, limitTime, post, type TimeLimit } from './http.ts';
import { asLiveError, LiveError } from './live-error.ts';
import {
  ended,
  OPEN_MS,
  parseJson,
  readResult,
  type Sink,
  type Transport,
  unexpected,
  unresponsive,
} from './transport.ts';

const EVENT_STREAM = 'text/event-stream';
/** The server writes at least every 12 s. */
const SILENCE_MS = 30_000;

/**
 * Runs each subscription in an event stream of its own, by `fetch`: an `EventSource` sends no headers, and so no key.
 * A connection on which nothing comes for 30 s is given up.
 * Source: GraphQL over SSE protocol, "Distinct connections mode".
 */
export function createEventStreamTransport(deps: HttpDeps): Transport {
  return {
    async open(request, sink, signal) {
      const limit = limitTime(signal, OPEN_MS);
      try {
        const response = await post(deps, request, EVENT_STREAM, limit.signal);
        const type = response.headers.get('content-type') ?? '';
        if (!response.ok) {
          return await failureOf(response);
        }
        if (!type.startsWith(EVENT_STREAM) || response.body === null) {
          return unexpected('The URL answers with no event stream: it may not be that of the graph');
        }
        sink.live();
        return await readStream(response.body, sink, limit);
      } catch (error) {
        return asLiveError(error, 'CONNECTION_LOST', 'The event stream broke off');
      } finally {
        limit.end();
      }
    },
  };
}

/** @returns the reason for the end of the stream @throws the error that interrupts it */
async function readStream(
  body: ReadableStream<Uint8Array>,
  sink: Sink,
  limit: TimeLimit,
): Promise<LiveError> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let isComplete = false;
  let retryAfterMs: number | undefined;
  const parser = createParser({
    onEvent({ event, data }) {
      isComplete ||= event === 'complete';
      if (event === 'next' && !isComplete) {
        sink.next(readResult(parseJson(data)));
      }
    },
    onRetry: (ms) => {
      retryAfterMs = ms;
    },
  });
  try {
    while (!isComplete) {
      limit.restart(SILENCE_MS);
      const { done, value } = await reader.read();
      if (done) {
        return brokenOff(retryAfterMs);
      }
      parser.feed(decoder.decode(value, { stream: true }));
    }
    return ended();
  } catch (error) {
    if (limit.isOver()) {
      return unresponsive();
    }
    throw error instanceof LiveError ? error : brokenOff(retryAfterMs, error);
  } finally {
    // The cause is known already; a failure to cancel the stream adds nothing.
    reader.cancel().catch(() => undefined);
  }
}

/** @param retryAfterMs the reconnection time that a stopping server asks for */
function brokenOff(retryAfterMs: number | undefined, cause?: unknown): LiveError {
  return new LiveError('CONNECTION_LOST', 'The event stream broke off', {
    cause,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
