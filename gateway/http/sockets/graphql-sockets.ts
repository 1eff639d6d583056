import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';
import { createInbound, type Inbound, type Pace } from './inbound.ts';
import type { SocketOperation, StartedOperation } from './socket-operation.ts';
import { type Admission, type SocketClose, type SocketProtocol, speakProtocol } from './socket-protocol.ts';

/** Most bytes that may wait for a slow client. Beyond it the socket is ended. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** Time for a client's first message. */
const INIT_WITHIN_MS = 3_000;

const GOING_AWAY: SocketClose = { code: 1001, reason: 'Going away' };

/** A connection: its socket, and what the application keeps of it. */
export type Connection<E extends Record<PropertyKey, unknown>> = Served & Partial<E>;

interface Served {
  readonly socket: WebSocket;
  /** Set when the socket is ended here, for a client that answers no pings or lets too much wait. */
  ended?: 'unresponsive' | 'slow';
}

/** The application behind the sockets. */
export interface SocketApplication<E extends Record<PropertyKey, unknown>> {
  /**
   * Decides whether a client is let in; otherwise its socket is closed, with 4403 unless another code is named. By default it
   * is.
   * @param params `connectionParams` of clients
   */
  connect?(
    connection: Connection<E>,
    params: Readonly<Record<string, unknown>> | undefined,
  ): Admission | Promise<Admission>;
  /** Starts an operation. When it rejects, that is logged, and the socket is closed with 4500. */
  start(operation: SocketOperation, connection: Connection<E>): Promise<StartedOperation>;
  /** The JSON of a result. */
  textOf(result: ExecutionResult): string;
  /**
   * An error as its client sees it: one of an operation that does not run, or the failure of a stream. By default an error that
   * is no GraphQLError is logged and masked.
   */
  formatError?(error: unknown): GraphQLFormattedError;
  /** Called when a socket has closed and its operations have ended. */
  closed?(connection: Connection<E>): void;
}

interface SocketOptions<E> {
  /** Close code of sockets when their server stops, on which clients connect again. By default 1001. */
  readonly goodbye?: SocketClose;
  /**
   * The part that is kept of the request that opened a connection. By default nothing: a request with its headers takes more memory
   * than its socket.
   */
  keep?(request: IncomingMessage): Partial<E>;
  /** How fast messages of one socket are handled. By default as they come: for clients that are trusted. */
  readonly pace?: Pace;
  /** Time for a client's first message. Default 3,000. */
  readonly initWithinMs?: number;
}

/**
 * Serves GraphQL on a socket server, and ends sockets whose clients do not read or do not respond. It writes one line to the log,
 * without a stack, for a client's mistake.
 * Source: GraphQL over WebSocket protocol (`graphql-transport-ws`).
 */
export function serveGraphQLSockets<E extends Record<PropertyKey, unknown> = Record<PropertyKey, never>>(
  application: SocketApplication<E>,
  server: WebSocketServer,
  log: FastifyBaseLogger,
  { goodbye = GOING_AWAY, keep, pace, initWithinMs = INIT_WITHIN_MS }: SocketOptions<E> = {},
): { dispose(): Promise<void> } {
  const heartbeat = createHeartbeat();
  server.on('connection', (socket, request) => {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // ws closes the socket itself, with the code of the error.
      log.info({ code: error.code, reason: error.message }, 'websocket.client_error');
    });
    // The cast: the hooks of the application add what `E` has, before anything reads it.
    const connection = { ...keep?.(request), socket } as Connection<E>;
    heartbeat.add(socket, () => {
      connection.ended = 'unresponsive';
    });
    const protocol = speakOn(connection, application, log, initWithinMs);
    const receive = receiverOf(socket, protocol, log);
    listen(socket, pace === undefined ? { receive } : createInbound(socket, pace, receive), heartbeat);
    socket.once('close', () => {
      heartbeat.delete(socket);
      protocol.closed();
      application.closed?.(connection);
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

function speakOn<E extends Record<PropertyKey, unknown>>(
  connection: Connection<E>,
  application: SocketApplication<E>,
  log: FastifyBaseLogger,
  initWithinMs: number,
): SocketProtocol {
  const { socket } = connection;
  return speakProtocol(
    {
      send: (text) => send(connection, text, log),
      close(code, reason) {
        if (code === CloseCode.BadRequest) {
          log.info({ reason }, 'websocket.client_error');
        }
        socket.close(code, reason);
      },
      textOf: application.textOf,
      formatError: application.formatError ?? ((error) => maskUnknown(error, log)),
      report: (error) => log.error({ err: error }, 'websocket.operation_not_ended'),
    },
    {
      connect: (params) => application.connect?.(connection, params) ?? true,
      start: (operation) => application.start(operation, connection),
    },
    initWithinMs,
  );
}

function maskUnknown(error: unknown, log: FastifyBaseLogger): GraphQLFormattedError {
  if (error instanceof GraphQLError) {
    return error.toJSON();
  }
  log.error({ err: error }, 'websocket.operation_failed');
  const code = 'INTERNAL_SERVER_ERROR';
  return { message: CATALOGUE[code].message, extensions: { code } };
}

/**
 * Takes the messages of a socket that is not closing: its client may not be allowed to do anything any more. A fault of ours
 * while one is handled closes the socket.
 */
function receiverOf(
  socket: WebSocket,
  protocol: SocketProtocol,
  log: FastifyBaseLogger,
): (message: Buffer) => void {
  return (message) => {
    if (socket.readyState !== socket.OPEN) {
      return;
    }
    protocol.receive(String(message)).catch((error: unknown) => {
      log.error({ err: error }, 'websocket.message_failed');
      protocol.closed();
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    });
  };
}

function listen(
  socket: WebSocket,
  inbound: Pick<Inbound, 'receive'> & Partial<Inbound>,
  { markAlive }: Pick<Heartbeat, 'markAlive'>,
): void {
  socket.on('message', (message) => {
    markAlive(socket);
    // A message is one Buffer: the default `binaryType` of ws.
    inbound.receive(message as Buffer);
  });
  socket.once('close', () => inbound.close?.());
}

/**
 * Resolves when the message has been handed to the system: each operation waits, so a slow client slows it. Never resolves on a
 * socket that is closing: otherwise a replay would be read at full speed until the socket has closed, which ends its operations.
 */
function send(connection: Served, text: string, log: FastifyBaseLogger): Promise<void> {
  const { socket } = connection;
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) {
      return;
    }
    if (socket.bufferedAmount > MOST_WAITING_BYTES) {
      log.info({ waitingBytes: socket.bufferedAmount }, 'websocket.client_too_slow');
      connection.ended = 'slow';
      socket.terminate();
      return;
    }
    // A message that cannot be sent is no error: the socket is closing, and its operations end then.
    socket.send(text, () => resolve());
  });
}
