import { isAscii } from 'node:buffer';
import { addAbortListener } from 'node:events';
import type { Dispatcher } from 'undici';
import { TransportError } from './http-error.ts';

/** One POST request. */
export interface HttpExchange {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the call to the last byte of the answer, waiting for a connection included. */
  readonly timeoutMs: number;
  /** Longest answer. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** What came back, whatever the status. */
export interface HttpAnswer {
  readonly status: number;
  /** Value of `content-type`; empty when there is none. */
  readonly contentType: string;
  readonly body: string;
}

/** A connection that could not be made, or that ended before the first byte of an answer. */
export class NoAnswer extends TransportError {
  constructor(cause: unknown) {
    super('SUBGRAPH_UNREACHABLE', 'The subgraph cannot be reached.', cause);
  }
}

function headerValue(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  // The same text, copied instead of decoded.
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** Collects one answer; `settle` is called once. */
function createCollector(maxBytes: number, stop: (reason: Error) => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let contentType = '';
  return {
    hasBegun: () => status !== 0,
    begin(code: number, headers: Record<string, string | string[] | undefined>): void {
      status = code;
      contentType = headerValue(headers['content-type']);
    },
    add(chunk: Buffer): void {
      size += chunk.length;
      if (size > maxBytes) {
        stop(new TransportError('SUBGRAPH_RESPONSE_TOO_LARGE', "The subgraph's answer is too large."));
      } else {
        chunks.push(chunk);
      }
    },
    answer: (): HttpAnswer => ({ status, contentType, body: textOf(chunks) }),
  };
}

/**
 * Sends a request and reads its answer whole. Rejects with a `TransportError` (`NoAnswer` when nothing came back), or
 * with the signal's reason; the connection is given up then.
 */
export function exchange(dispatcher: Dispatcher, request: HttpExchange): Promise<HttpAnswer> {
  const { path, headers, body, timeoutMs, signal } = request;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let controller: Dispatcher.DispatchController | undefined;
    let stopped: Error | undefined;
    const collector = createCollector(request.maxBytes, stop);
    const timer = setTimeout(
      () => stop(new TransportError('SUBGRAPH_TIMEOUT', 'The subgraph did not answer in time.')),
      timeoutMs,
    );

    function finish(): void {
      clearTimeout(timer);
      listening?.[Symbol.dispose]();
    }
    function stop(reason: Error): void {
      if (stopped === undefined) {
        stopped = reason;
        finish();
        reject(reason);
        controller?.abort(reason);
      }
    }

    const listening = signal && addAbortListener(signal, () => stop(signal.reason));
    // One call for the whole time is bounded above; undici's own timers would only add to it.
    const limits = { headersTimeout: 0, bodyTimeout: 0 };
    // undici's type wants an origin, which a Pool has already.
    dispatcher.dispatch({ path, method: 'POST', headers, body, ...limits } as Dispatcher.DispatchOptions, {
      onRequestStart(started) {
        controller = started;
        // It waited for a connection when it was given up.
        if (stopped !== undefined) {
          started.abort(stopped);
        }
      },
      onResponseStart: (_controller, status, answered) => collector.begin(status, answered),
      onResponseData: (_controller, chunk) => collector.add(chunk),
      onResponseEnd() {
        finish();
        resolve(collector.answer());
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
