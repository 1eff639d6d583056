import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { type ServerOptions, WebSocketServer } from 'ws';
import { findHostIssue } from '../host-header.ts';
import { markHandedOver } from '../unused-connections.ts';

const LARGEST_MESSAGE_BYTES = 1024 * 1024;
/** Time for a client to answer the close of its socket. A stopping server waits for it; the default of ws is 30 s. */
const CLOSE_WITHIN_MS = 3_000;
/** The types of ws do not have `closeTimeout` yet. */
const OPTIONS: ServerOptions & { readonly closeTimeout: number } = {
  noServer: true,
  maxPayload: LARGEST_MESSAGE_BYTES,
  closeTimeout: CLOSE_WITHIN_MS,
  handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
};

/** Gives the id of a request that is answered without a route. */
type RequestIdOf = (request: IncomingMessage) => string;

/**
 * Accepts `graphql-transport-ws` sockets on a path of an HTTP application; other paths get 404. A handshake that is not valid
 * gets 400, with a GraphQL error that says why. When the application closes, it first closes sockets with 1001.
 * @param serve sets up graphql-ws on the socket server; see `serveGraphQLSockets`
 * @param requestIdOf the `x-request-id` of a rejected handshake; a new UUID by default
 */
export function addWebSocketRoute(
  app: FastifyInstance,
  path: string,
  serve: (server: WebSocketServer) => { dispose(): Promise<void> | void },
  requestIdOf: RequestIdOf = () => randomUUID(),
): void {
  const server = new WebSocketServer(OPTIONS);
  const graphql = serve(server);
  const reject = (request: IncomingMessage, socket: Duplex, status: 400 | 404, message: string) => {
    // Nobody else listens to the socket any more: node has passed it on.
    socket.on('error', () => socket.destroy());
    socket.end(rejection(status, message, requestIdOf(request)), () => socket.destroy());
  };
  server.on('wsClientError', (error, socket, request) => reject(request, socket, 400, `${error.message}.`));
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    markHandedOver(socket);
    const issue = findHostIssue(request);
    if (issue !== undefined) {
      reject(request, socket, 400, issue);
    } else if (request.url?.split('?')[0] !== path) {
      reject(request, socket, 404, 'There is no WebSocket at this path.');
    } else {
      server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request));
    }
  });
  app.addHook('preClose', async () => {
    await graphql.dispose();
  });
}

/** The bytes of an answer that rejects a handshake. */
function rejection(status: 400 | 404, message: string, requestId: string): string {
  const code = status === 400 ? 'BAD_REQUEST' : 'NOT_FOUND';
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${requestId}`,
    'content-type: application/json',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    'sec-websocket-version: 13',
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
