import { onAbort } from './abort.ts';
import type { CredentialHeaders } from './credential.ts';
import { asLiveError, errorOf, LiveError, type ResultError } from './live-error.ts';
import {
  ended,
  type GraphQLRequest,
  isRecord,
  OPEN_MS,
  parseJson,
  readResult,
  type Sink,
  unexpected,
  unresponsive,
} from './transport.ts';

/** The used part of a WebSocket. Browsers, Node from 22 on and the package `ws` have it. */
export interface WebSocketLike {
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

export type WebSocketConstructor = new (url: string, protocol: string) => WebSocketLike;

export interface SocketDeps {
  /** Of `/graphql`, with `ws:` or `wss:`. */
  readonly url: string;
  readonly credential: CredentialHeaders;
  readonly WebSocket: WebSocketConstructor;
}

/** One socket, with the subscriptions that share it. */
export interface SocketConnection {
  /** The number of its subscriptions. */
  size(): number;
  isOver(): boolean;
  /** As `Transport.open`. The socket closes with its last subscription. */
  run(request: GraphQLRequest, sink: Sink, signal: AbortSignal): Promise<LiveError>;
}

const PROTOCOL = 'graphql-transport-ws';
/** A server that sends nothing between two pings is unresponsive: this is noticed within 12 to 24 s. */
const PING_MS = 12_000;
/** Source: IANA, WebSocket close codes. */
const NORMAL_CLOSURE = 1000;

interface Operation {
  readonly request: GraphQLRequest;
  readonly sink: Sink;
  end(error: LiveError): void;
}

interface State {
  /** Undefined if the runtime cannot open one. */
  socket: WebSocketLike | undefined;
  readonly operations: Map<string, Operation>;
  isAcknowledged: boolean;
  /** Whether the server has sent anything since the last ping. */
  hasMessage: boolean;
  /** The reason for its end; undefined while it is open. */
  over: LiveError | undefined;
  stopTimers(): void;
}

/**
 * Opens a socket and speaks the protocol on it. Source: GraphQL over WebSocket protocol (`graphql-transport-ws`).
 *
 * The client of graphql-ws 6.4.2 is not used, because it breaks promises of this client. After a close with 1000 it
 * subscribes again by itself, with any `retryAttempts`, after the cursor of the first attempt: events come twice. It keeps
 * opening a socket whose subscriptions have ended. If the runtime rejects the URL, it causes an unhandled rejection and
 * never calls the sink. It does not notice a silent server. And it is larger: 3.3 kB instead of 2.0 kB, minified and gzipped.
 */
export function openSocket(deps: SocketDeps): SocketConnection {
  const state: State = {
    socket: undefined,
    operations: new Map(),
    isAcknowledged: false,
    hasMessage: false,
    over: undefined,
    stopTimers: () => undefined,
  };
  startTimers(state);
  connect(state, deps);
  let lastId = 0;
  return {
    size: () => state.operations.size,
    isOver: () => state.over !== undefined,
    run(request, sink, signal) {
      lastId += 1;
      return run(state, String(lastId), { request, sink }, signal);
    },
  };
}

function startTimers(state: State): void {
  const opening = setTimeout(() => state.isAcknowledged || finish(state, unresponsive()), OPEN_MS);
  const pings = setInterval(() => {
    if (!state.isAcknowledged) {
      return;
    }
    if (!state.hasMessage) {
      finish(state, unresponsive());
      return;
    }
    state.hasMessage = false;
    attempt(state, () => send(state, { type: 'ping' }));
  }, PING_MS);
  state.stopTimers = () => {
    clearTimeout(opening);
    clearInterval(pings);
  };
}

function connect(state: State, { url, credential, WebSocket }: SocketDeps): void {
  const introduce = async () => {
    try {
      const payload = await credential.read();
      attempt(state, () => send(state, { type: 'connection_init', payload }));
    } catch (error) {
      finish(state, asLiveError(error, 'NO_CREDENTIAL', 'There is no key or token'));
    }
  };
  try {
    const socket = new WebSocket(url, PROTOCOL);
    state.socket = socket;
    socket.addEventListener('open', () => void introduce());
    socket.addEventListener('message', ({ data }) => attempt(state, () => receive(state, data)));
    socket.addEventListener('close', ({ code, reason }) => finish(state, errorOfClose(code, reason)));
    // Its close comes next, and ends the connection.
    socket.addEventListener('error', () => undefined);
  } catch (error) {
    const message = 'The runtime opens no socket to this URL';
    finish(state, new LiveError('CONNECTION_LOST', message, { cause: error, isFinal: true }));
  }
}

/** Runs a callback for an open socket. If it fails, the socket ends. */
function attempt(state: State, work: () => void): void {
  try {
    if (state.over === undefined) {
      work();
    }
  } catch (error) {
    finish(state, asLiveError(error, 'CONNECTION_LOST', 'The socket cannot be used'));
  }
}

function finish(state: State, why: LiveError): void {
  if (state.over !== undefined) {
    return;
  }
  state.over = why;
  state.stopTimers();
  state.socket?.close(NORMAL_CLOSURE);
  for (const operation of state.operations.values()) {
    operation.end(why);
  }
}

function send({ socket }: State, message: Readonly<Record<string, unknown>>): void {
  socket?.send(JSON.stringify(message));
}

function receive(state: State, text: unknown): void {
  state.hasMessage = true;
  const { type, id, payload } = readMessage(text);
  const operation = state.operations.get(id);
  switch (type) {
    case 'connection_ack':
      acknowledge(state);
      break;
    case 'ping':
      send(state, { type: 'pong' });
      break;
    case 'next':
      operation?.sink.next(readResult(payload));
      break;
    case 'error':
      operation?.end(errorOf(readErrors(payload)));
      break;
    case 'complete':
      operation?.end(ended());
      break;
    default:
    // A pong needs no answer; unknown messages may come from a later version.
  }
}

function acknowledge(state: State): void {
  if (state.isAcknowledged) {
    throw unexpected('The server has let the client in twice');
  }
  state.isAcknowledged = true;
  for (const [id, operation] of state.operations) {
    subscribe(state, id, operation);
  }
}

function subscribe(state: State, id: string, { request, sink }: Pick<Operation, 'request' | 'sink'>): void {
  send(state, { id, type: 'subscribe', payload: request });
  sink.live();
}

function run(
  state: State,
  id: string,
  { request, sink }: Pick<Operation, 'request' | 'sink'>,
  signal: AbortSignal,
): Promise<LiveError> {
  return new Promise((resolve) => {
    if (state.over !== undefined) {
      resolve(state.over);
      return;
    }
    let unlisten: () => void = () => undefined;
    const end = (error: LiveError) => {
      unlisten();
      state.operations.delete(id);
      if (state.operations.size === 0) {
        finish(state, error);
      }
      resolve(error);
    };
    state.operations.set(id, { request, sink, end });
    unlisten = onAbort(signal, () => {
      // The socket closes with the last one, which has the same effect.
      if (state.isAcknowledged && state.operations.size > 1) {
        attempt(state, () => send(state, { id, type: 'complete' }));
      }
      end(ended());
    });
    if (state.isAcknowledged) {
      attempt(state, () => subscribe(state, id, { request, sink }));
    }
  });
}

interface SocketMessage {
  readonly type: string;
  /** Id of the operation; empty if the message belongs to none. */
  readonly id: string;
  readonly payload: unknown;
}

/** Source: GraphQL over WebSocket protocol. @throws LiveError `UNEXPECTED_ANSWER` */
function readMessage(text: unknown): SocketMessage {
  const message = typeof text === 'string' ? parseJson(text) : undefined;
  if (!isRecord(message) || typeof message.type !== 'string') {
    throw unexpected('The server has sent what is no message of graphql-transport-ws');
  }
  return { type: message.type, id: String(message.id ?? ''), payload: message.payload };
}

/** The payload of `error`. @throws LiveError `UNEXPECTED_ANSWER` */
function readErrors(payload: unknown): readonly ResultError[] {
  if (!Array.isArray(payload) || !payload.every(isRecord)) {
    throw unexpected('The server has sent an error that cannot be read');
  }
  return payload as unknown as readonly ResultError[];
}

/** Unauthorized, forbidden: the key or token is invalid, or no longer valid. */
const REFUSED = [4401, 4403];
/** The server waited too long for our first message. */
const INIT_TIMEOUT = 4408;

/**
 * Codes from 4400 to 4499 are errors of the client; others are temporary: restarts, broken connections, internal
 * errors.
 */
function errorOfClose(code: number, reason: string): LiveError {
  const message = `The socket was closed: ${code}${reason === '' ? '' : ` ${reason}`}`;
  if (REFUSED.includes(code)) {
    return new LiveError('UNAUTHENTICATED', message);
  }
  const isFinal = code >= 4400 && code < 4500 && code !== INIT_TIMEOUT;
  return new LiveError(isFinal ? 'PROTOCOL_ERROR' : 'CONNECTION_LOST', message);
}
