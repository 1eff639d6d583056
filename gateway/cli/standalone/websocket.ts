import type { FastifyInstance } from 'fastify';
import type { Extra } from 'graphql-ws/use/ws';
import { serveGraphQLSockets } from '../../../subgraphs/platform/serve/graphql-sockets.ts';
import { addWebSocketRoute } from '../../../subgraphs/platform/serve/websocket-route.ts';
import type { Engine } from '../../engine/index.ts';
import type { ClientDocuments } from '../../http/documents/client-documents.ts';
import { socketOperations } from '../../http/graphql/socket-operations.ts';
import type { StandaloneContext } from './context.ts';
import { socketContext } from './context.ts';

interface WebSocketDeps {
  readonly engine: Engine<StandaloneContext>;
  readonly documents: ClientDocuments;
  readonly forwardHeaders: readonly string[];
}

/** `graphql-transport-ws` at `path`, open to everyone. When the server closes, sockets close with 1001. */
export function addWebSocket(
  app: FastifyInstance,
  { engine, documents, forwardHeaders }: WebSocketDeps,
  path: string,
): void {
  const operations = socketOperations<Extra>({
    engine,
    documents,
    contextOf: ({ extra, connectionParams }) =>
      socketContext(extra.request.headers, connectionParams, forwardHeaders),
  });
  addWebSocketRoute(app, path, (server) => serveGraphQLSockets(operations, server, app.log));
}
