import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { type ServerOptions, WebSocketServer } from 'ws';
import { findHostIssue } from './host-header.ts';
import { markHandedOver } from './unused-connections.ts';

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

const NOT_FOUND =
  'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncache-control: no-store\r\ncontent-length: 0\r\n\r\n';

/** The answer to an upgrade whose `Host` is wrong. */
function badRequest(message: string): string {
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}

/**
 * Accepts `graphql-transport-ws` sockets on a path of an HTTP application; other paths get 404. When the application closes,
 * it first closes sockets with 1001.
 * @param serve sets up graphql-ws on the socket server; see `serveGraphQLSockets`
 */
export function addWebSocketRoute(
  app: FastifyInstance,
  path: string,
  serve: (server: WebSocketServer) => { dispose(): Promise<void> | void },
): void {
  const server = new WebSocketServer(OPTIONS);
  const graphql = serve(server);
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    markHandedOver(socket);
    const issue = findHostIssue(request);
    const isKnown = request.url?.split('?')[0] === path;
    if (!isKnown || issue !== undefined) {
      // Nobody else listens to the socket any more: node has passed it on.
      socket.on('error', () => socket.destroy());
      socket.end(issue === undefined ? NOT_FOUND : badRequest(issue), () => socket.destroy());
      return;
    }
    server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request));
  });
  app.addHook('preClose', async () => {
    await graphql.dispose();
  });
}
