import { addAbortListener } from 'node:events';
import { type Client, createClient, type SubscribePayload } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createEventQueue } from './event-queue.ts';
import { TransportError } from './http-error.ts';
import { toSubgraphResponse } from './http-response.ts';
import type { SubgraphResponse } from './transport.ts';

/** What a subscription over a WebSocket needs. */
export interface WebSocketSubscription {
  readonly url: string;
  /** Sent with the handshake and as `connectionParams`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: SubscribePayload;
  /** Until the subgraph acknowledged the connection. */
  readonly timeoutMs: number;
  /** Longest message. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Most events that wait: the protocol cannot slow a sender, and an event must not be lost silently. */
const MOST_WAITING = 1_000;
const PING_MS = 10_000;
const PONG_WITHIN_MS = 5_000;

function unreachable(cause: unknown): TransportError {
  return new TransportError('SUBGRAPH_UNREACHABLE', 'The subgraph cannot be reached.', cause);
}

/** A client for one subscription. Callers never share a connection, because its headers name one of them. */
function createConnection(subscription: WebSocketSubscription, connected: () => void): Client {
  const { url, headers, timeoutMs, maxBytes } = subscription;
  const options = { headers, maxPayload: maxBytes, handshakeTimeout: timeoutMs, perMessageDeflate: false };
  let unanswered: NodeJS.Timeout | undefined;
  const client = createClient({
    url,
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, options);
        // A socket that is ended before it is open emits one more error, when graphql-ws has already stopped listening. An
        // error event without a listener ends the process.
        this.on('error', () => undefined);
      }
    },
    connectionParams: { ...headers },
    connectionAckWaitTimeout: timeoutMs,
    lazyCloseTimeout: 0,
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      connected,
      ping: (received) => {
        if (!received) {
          unanswered = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
        }
      },
      pong: () => clearTimeout(unanswered),
      closed: () => clearTimeout(unanswered),
    },
  });
  return client;
}

/**
 * Subscribes over a WebSocket of its own.
 * Source: GraphQL over WebSocket protocol (`graphql-transport-ws`).
 *
 * @returns the events, as soon as the connection is acknowledged; when the subgraph does not start the
 *   subscription, its errors are the first and last event. Rejects with a `TransportError` or the signal's reason.
 */
export function subscribeByWebSocket(
  subscription: WebSocketSubscription,
): Promise<AsyncIterableIterator<SubgraphResponse>> {
  const { payload, signal } = subscription;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const client = createConnection(subscription, () => resolve(queue.values));
    const queue = createEventQueue<SubgraphResponse>({ returned: close });
    const onAbort = (): void => {
      reject(signal?.reason);
      queue.fail(signal?.reason);
      close();
    };
    function fail(error: TransportError): void {
      reject(error);
      queue.fail(error);
      close();
    }
    function take(value: unknown): void {
      const response = toSubgraphResponse(value);
      if (response === null) {
        fail(
          new TransportError('SUBGRAPH_RESPONSE_INVALID', 'The subgraph sent an event that is no response.'),
        );
      } else if (queue.size() >= MOST_WAITING) {
        fail(new TransportError('SUBSCRIPTION_LAGGED', 'Events came faster than they were taken.'));
      } else {
        queue.push(response);
      }
    }
    const listening = signal && addAbortListener(signal, onAbort);
    const unsubscribe = client.subscribe(payload, {
      next: take,
      error(error) {
        // A list comes from the subgraph; anything else is a failure of the connection.
        if (Array.isArray(error)) {
          take({ errors: error });
          queue.end();
          close();
        } else {
          fail(unreachable(error));
        }
      },
      complete() {
        queue.end();
        close();
      },
    });
    function close(): void {
      listening?.[Symbol.dispose]();
      unsubscribe();
      client.terminate();
    }
  });
}
