import { addAbortListener } from 'node:events';
import { type Client, createClient, type SubscribePayload, TerminatedCloseEvent } from 'graphql-ws';
import { WebSocket } from 'ws';
import { BoundedQueue } from './bounded-queue.ts';
import { isHigh } from './high-water.ts';
import { TransportError } from './http-error.ts';
import { toSubgraphResponse } from './http-response.ts';
import type { SubgraphResponse } from './transport.ts';

interface WebSocketSubscription {
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

const PING_MS = 10_000;
const PONG_WITHIN_MS = 5_000;

/** The connection of one subscription. */
interface Connection extends Pick<Client, 'subscribe'> {
  /** Length of the message that is being handled. */
  messageBytes(): number;
  /**
   * Stops reading: the subgraph's messages wait at its own side. Pings of a subgraph that wait behind them are answered from
   * now on by unsolicited pongs. Source: RFC 6455, section 5.5.3.
   */
  pause(): void;
  resume(): void;
  end(): void;
}

interface ConnectionListener {
  /** The subgraph acknowledged the connection. */
  connected(): void;
  /** The connection is over, for whatever reason; may be called again. */
  closed(event: unknown): void;
}

/** A close event, an error event of `ws` (which holds the error), or an error of graphql-ws. */
function causeOf(event: unknown): unknown {
  if (event instanceof Error || typeof event !== 'object' || event === null) {
    return event;
  }
  if ('error' in event) {
    return event.error;
  }
  return 'code' in event && 'reason' in event
    ? new Error(`The subgraph closed the WebSocket: ${event.code} ${event.reason}`.trim())
    : event;
}

const TOO_LONG = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

/** The failure of a connection: an `Error` of graphql-ws itself means that a message did not follow the protocol. */
function failureOf(event: unknown): TransportError {
  const cause = causeOf(event);
  if (cause instanceof Error && 'code' in cause && cause.code === TOO_LONG) {
    return new TransportError('SUBGRAPH_RESPONSE_TOO_LARGE', "The subgraph's event is too large.", cause);
  }
  return event instanceof Error && !(event instanceof TerminatedCloseEvent)
    ? new TransportError('SUBGRAPH_RESPONSE_INVALID', 'The subgraph sent an invalid message.', cause)
    : new TransportError('SUBGRAPH_UNREACHABLE', 'The subgraph cannot be reached.', cause);
}

/** Opens a connection for one subscription. Callers never share one, because its headers name one of them. */
function openConnection(
  { url, headers, timeoutMs, maxBytes }: WebSocketSubscription,
  listener: ConnectionListener,
): Connection {
  const options = { headers, maxPayload: maxBytes, handshakeTimeout: timeoutMs, perMessageDeflate: false };
  let socket: WebSocket | undefined;
  let messageBytes = 0;
  const pong = createPongTimer({ isPaused: () => socket?.isPaused === true, late: () => client.terminate() });
  let pongs: NodeJS.Timeout | undefined;
  const client = createClient({
    url,
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocols: string[]) {
        super(address, protocols, options);
        // A socket that is ended before it is open emits one more error, when graphql-ws has already stopped listening. An
        // error event without a listener ends the process.
        this.on('error', () => undefined);
        this.on('message', (message) => {
          // A message is one Buffer: the default `binaryType` of ws.
          messageBytes = (message as Buffer).length;
          pong.extend();
        });
        socket = this;
      }
    },
    connectionParams: { ...headers },
    connectionAckWaitTimeout: timeoutMs,
    lazyCloseTimeout: 0,
    retryAttempts: 0,
    keepAlive: PING_MS,
    on: {
      connected: () => listener.connected(),
      ping: (received) => {
        if (!received) {
          pong.expect();
        }
      },
      pong: () => pong.stop(),
      // Called before graphql-ws handles a close: after code 1000 it would reconnect at once and without a limit.
      closed: (event) => listener.closed(event),
    },
  });
  return {
    subscribe: client.subscribe,
    messageBytes: () => messageBytes,
    pause() {
      socket?.pause();
      pongs ??= setInterval(() => socket?.pong(), PING_MS);
    },
    resume() {
      if (socket?.isPaused) {
        pong.extend();
        socket.resume();
      }
    },
    end() {
      pong.stop();
      clearInterval(pongs);
      client.terminate();
      if (socket?.isPaused) {
        // It would not read the subgraph's answer to the close.
        socket.terminate();
      }
    },
  };
}

/** Calls `late` when neither a pong nor another message comes within 5 s in which the connection is not paused. */
function createPongTimer({ isPaused, late }: { isPaused(): boolean; late(): void }) {
  let timer: NodeJS.Timeout | undefined;
  return {
    expect() {
      timer = setTimeout(() => (isPaused() ? timer?.refresh() : late()), PONG_WITHIN_MS);
    },
    /** A pong may wait behind other messages. */
    extend: () => timer?.refresh(),
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/**
 * Subscribes over a WebSocket of its own, and reads it as fast as the events are taken: a slow reader slows the subgraph, not
 * the memory. It never subscribes again: if the connection ends before the subgraph has
 * completed the subscription, with any close code, the events fail. So the caller knows that it may have missed
 * events. Source: GraphQL over WebSocket protocol (`graphql-transport-ws`).
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
    const connection = openConnection(subscription, {
      connected: () => resolve(queue),
      closed: (event) => fail(failureOf(event)),
    });
    let isOver = false;
    const queue = new BoundedQueue<SubgraphResponse>({
      // The connection pauses instead.
      limit: Number.POSITIVE_INFINITY,
      returned: close,
      taken() {
        if (!(isOver || isHigh(queue))) {
          connection.resume();
        }
      },
    });
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
        return;
      }
      if (queue.push(response, connection.messageBytes()) && isHigh(queue)) {
        connection.pause();
      }
    }
    const listening = signal && addAbortListener(signal, onAbort);
    const unsubscribe = connection.subscribe(payload, {
      next: take,
      error(error) {
        // A list comes from the subgraph; anything else is a failure of the connection.
        if (Array.isArray(error)) {
          take({ errors: error });
          queue.end();
          close();
        } else {
          fail(failureOf(error));
        }
      },
      complete() {
        queue.end();
        close();
      },
    });
    function close(): void {
      if (isOver) {
        return;
      }
      isOver = true;
      listening?.[Symbol.dispose]();
      unsubscribe();
      connection.end();
    }
  });
}
