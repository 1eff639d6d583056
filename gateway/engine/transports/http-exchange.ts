import { addAbortListener } from 'node:events';
import type { Dispatcher } from 'undici';
import { decodeBody } from './http-body.ts';
import { TransportError } from './http-error.ts';

/** One POST request. */
export interface HttpExchange {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time from the call to the last byte of the answer, including the wait for a connection. */
  readonly timeoutMs: number;
  /** Longest answer. */
  readonly maxBytes: number;
  /** Ends the exchange early. */
  readonly signal: AbortSignal | undefined;
}

/** The answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  /** Value of `content-type`; empty when there is none. */
  readonly contentType: string;
  readonly body: string;
}

/** The connection could not be made, or ended before the first byte of an answer. */
export class NoAnswer extends TransportError {
  constructor(cause: unknown) {
    super('SUBGRAPH_UNREACHABLE', 'The subgraph cannot be reached.', cause);
  }
}

function headerValue(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** The error with which undici ends a request. */
function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Collects one answer; `settle` is called once. */
function createCollector(maxBytes: number, stop: (reason: Error) => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let contentType = '';
  let encoding = '';
  return {
    hasBegun: () => status !== 0,
    begin(code: number, headers: Record<string, string | string[] | undefined>): void {
      status = code;
      contentType = headerValue(headers['content-type']);
      encoding = headerValue(headers['content-encoding']);
    },
    add(chunk: Buffer): void {
      size += chunk.length;
      if (size > maxBytes) {
        stop(new TransportError('SUBGRAPH_RESPONSE_TOO_LARGE', "The subgraph's answer is too large."));
      } else {
        chunks.push(chunk);
      }
    },
    /** Returns a promise for a compressed answer. */
    answer(): HttpAnswer | Promise<HttpAnswer> {
      const body = decodeBody(chunks, encoding, maxBytes);
      return body instanceof Promise
        ? body.then((text) => ({ status, contentType, body: text }))
        : { status, contentType, body };
    },
  };
}

/**
 * Sends a request and reads its whole answer. Rejects with a `TransportError` (`NoAnswer` when nothing came back), or with
 * the signal's reason; then it gives up the connection.
 */
export function exchange(dispatcher: Dispatcher, request: HttpExchange): Promise<HttpAnswer> {
  const { path, headers, body, timeoutMs, signal } = request;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: { readonly reason: unknown } | undefined;
    const collector = createCollector(request.maxBytes, stop);
    const timer = setTimeout(
      () => stop(new TransportError('SUBGRAPH_TIMEOUT', 'The subgraph did not answer in time.')),
      timeoutMs,
    );

    function finish(): void {
      clearTimeout(timer);
      listening?.[Symbol.dispose]();
    }
    function stop(reason: unknown): void {
      if (stopped === undefined) {
        stopped = { reason };
        finish();
        reject(reason);
        controller?.abort(toError(reason));
      }
    }

    const listening = signal && addAbortListener(signal, () => stop(signal.reason));
    // One timer above bounds the whole time; undici's own timers would only add to it.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    // undici's type wants an origin, which a Pool has already.
    dispatcher.dispatch({ path, method: 'POST', headers, body, ...limits } as Dispatcher.DispatchOptions, {
      onRequestStart(started) {
        controller = started;
        // The request was given up while it waited for a connection.
        if (stopped !== undefined) {
          started.abort(toError(stopped.reason));
        }
      },
      onResponseStart: (_controller, status, answered) => collector.begin(status, answered),
      onResponseData: (_controller, chunk) => collector.add(chunk),
      onResponseEnd() {
        finish();
        try {
          resolve(collector.answer());
        } catch (error) {
          reject(error);
        }
      },
      onResponseError(_controller, error) {
        finish();
        reject(
          collector.hasBegun()
            ? new TransportError('SUBGRAPH_UNREACHABLE', "The subgraph's answer broke off.", error)
            : new NoAnswer(error),
        );
      },
    });
  });
}
