import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../engine/index.ts';
import type { ClientDocuments } from '../http/documents/client-documents.ts';
import { socketOperations } from '../http/graphql/socket-operations.ts';
import { type Connection, serveGraphQLSockets } from '../http/sockets/graphql-sockets.ts';
import { CLIENT_PACE } from '../http/sockets/inbound.ts';
import { addWebSocketRoute } from '../http/sockets/websocket-route.ts';
import type { StandaloneContext } from './context.ts';
import { socketContext } from './context.ts';

interface WebSocketDeps {
  readonly engine: Engine<StandaloneContext>;
  readonly documents: ClientDocuments;
  readonly forwardHeaders: readonly string[];
}

/** The state of a connection. */
interface Session extends Record<PropertyKey, unknown> {
  /** Of the request that opened it. */
  headers?: IncomingHttpHeaders;
  /** The client's `connectionParams`. */
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** `graphql-transport-ws` at `path`, open to everyone. When the server closes, sockets close with 1001. */
export function addWebSocket(
  app: FastifyInstance,
  { engine, documents, forwardHeaders }: WebSocketDeps,
  path: string,
): void {
  const operations = socketOperations<Connection<Session>>({
    engine,
    documents,
    contextOf: (operation, { headers, params }) =>
      socketContext(operation, headers ?? {}, params, forwardHeaders),
  });
  addWebSocketRoute(app, path, (server) =>
    serveGraphQLSockets<Session>(
      {
        ...operations,
        connect(connection, params) {
          connection.params = params;
          return true;
        },
      },
      server,
      app.log,
      { keep: ({ headers }) => ({ headers }), pace: CLIENT_PACE },
    ),
  );
}
