import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { CloseCode, type ConnectionInitMessage, makeServer, type ServerOptions } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';
import { createInbound, type Inbound, type Pace } from './inbound.ts';

/** Most bytes that may wait for a slow client. Beyond it the socket is ended. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

/** graphql-ws's text for a message that only servers send. */
const SERVERS_MESSAGE = /^Unexpected message of type/;

/** How sockets are closed when their server stops. The code tells clients to come back. */
interface Goodbye {
  readonly code: number;
  readonly reason: string;
}

const GOING_AWAY: Goodbye = { code: 1001, reason: 'Going away' };

/** What graphql-ws keeps of a connection. */
export type SocketExtra<E extends Record<PropertyKey, unknown>> = Served & Partial<E>;

interface Served {
  readonly socket: WebSocket;
  /** Sends text; resolves when it has been handed to the system, and never rejects. */
  send(text: string): Promise<void>;
  /** Set when the socket is ended here, for a client that answers no pings or lets too much wait. */
  ended?: 'unresponsive' | 'slow';
}

/** How sockets are served, beside graphql-ws's own options. */
interface SocketOptions<E> {
  /** By default 1001. */
  readonly goodbye?: Goodbye;
  /**
   * What is kept of the request that opened a connection. By default nothing: a request with its headers takes more memory
   * than its socket.
   */
  keep?(request: IncomingMessage): Partial<E>;
  /** How fast messages of one socket are handled. By default as they come: for clients that are trusted. */
  readonly pace?: Pace;
}

/**
 * Runs graphql-ws on a socket server. The same as its own adapter for ws, but that it writes to our log, in one line
 * without a stack for what a client did wrong, and that it ends sockets whose clients do not read.
 * Source: GraphQL over WebSocket protocol (`graphql-transport-ws`); graphql-ws `use/ws`.
 */
export function serveGraphQLSockets<
  P extends ConnectionInitMessage['payload'] = ConnectionInitMessage['payload'],
  E extends Record<PropertyKey, unknown> = Record<PropertyKey, never>,
>(
  options: ServerOptions<P, SocketExtra<E>>,
  server: WebSocketServer,
  log: FastifyBaseLogger,
  { goodbye = GOING_AWAY, keep, pace }: SocketOptions<E> = {},
): { dispose(): Promise<void> } {
  const graphql = makeServer(options);
  const heartbeat = createHeartbeat();
  server.on('connection', (socket, request) => {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // ws closes the socket itself, with the code of the error.
      log.info({ code: error.code, reason: error.message }, 'websocket.client error');
    });
    const sendText = (text: string) => send(extra, text, log);
    // The cast: the hooks of `options` add what `E` has, before anything reads it.
    const extra = { ...keep?.(request), socket, send: sendText } as SocketExtra<E>;
    heartbeat.add(socket, () => {
      extra.ended = 'unresponsive';
    });
    const closed = graphql.opened(
      {
        protocol: socket.protocol,
        send: sendText,
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) => {
          const receive = receiverOf(socket, handle, log);
          const inbound = pace === undefined ? { receive } : createInbound(socket, pace, receive);
          listen(socket, inbound, heartbeat);
        },
      },
      extra,
    );
    socket.once('close', (code, reason) => {
      heartbeat.delete(socket);
      closed(code, String(reason)).catch((error: unknown) =>
        log.error({ err: error }, 'websocket.close failed'),
      );
    });
  });
  return {
    async dispose() {
      heartbeat.stop();
      for (const socket of server.clients) {
        socket.close(goodbye.code, goodbye.reason);
      }
      server.removeAllListeners();
      await new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
      });
    },
  };
}

/** Takes messages; what goes wrong with one closes its socket. */
function receiverOf(
  socket: WebSocket,
  handle: (text: string) => Promise<void>,
  log: FastifyBaseLogger,
): (message: Buffer) => void {
  return (message) => {
    handle(String(message)).catch((error: unknown) => {
      if (error instanceof Error && SERVERS_MESSAGE.test(error.message)) {
        log.info({ reason: error.message }, 'websocket.client error');
        socket.close(CloseCode.BadRequest, 'Invalid message received');
        return;
      }
      log.error({ err: error }, 'websocket.message failed');
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    });
  };
}

function listen(
  socket: WebSocket,
  inbound: Pick<Inbound, 'receive'> & Partial<Inbound>,
  { heard }: Pick<Heartbeat, 'heard'>,
): void {
  socket.on('message', (message) => {
    heard(socket);
    // A message is one Buffer: the default `binaryType` of ws.
    inbound.receive(message as Buffer);
  });
  socket.once('close', () => inbound.close?.());
}

/** Resolves when the message has been handed to the system: each operation waits, so a slow client slows it. */
function send(extra: Pick<Served, 'socket' | 'ended'>, text: string, log: FastifyBaseLogger): Promise<void> {
  const { socket } = extra;
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) {
      resolve();
      return;
    }
    if (socket.bufferedAmount > MOST_WAITING_BYTES) {
      log.info({ waitingBytes: socket.bufferedAmount }, 'websocket.client too slow');
      extra.ended = 'slow';
      socket.terminate();
      resolve();
      return;
    }
    // A message that cannot be sent is no error: the socket is closing, and its operations end then.
    socket.send(text, () => resolve());
  });
}
