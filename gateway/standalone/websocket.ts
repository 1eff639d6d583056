import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type ExecutionArgs, GraphQLError, parse } from 'graphql';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { Engine, GraphQLRequest } from '../engine.ts';
import { type StandaloneContext, socketContext } from './context.ts';

const LARGEST_MESSAGE_BYTES = 1024 * 1024;

/** Arguments of graphql-js that also carry what our engine needs: it takes the place of graphql-js. */
type EngineArgs = ExecutionArgs & { request: GraphQLRequest; contextValue: StandaloneContext };

function toEngineArgs(
  engine: Engine,
  request: GraphQLRequest,
  contextValue: StandaloneContext,
): EngineArgs | readonly GraphQLError[] {
  try {
    const document = parse(request.query);
    return {
      schema: engine.publicSchema,
      document,
      operationName: request.operationName,
      request,
      contextValue,
    };
  } catch (error) {
    return [error instanceof GraphQLError ? error : new GraphQLError('The document cannot be read.')];
  }
}

/** `graphql-transport-ws` at `path`, open to everyone. When the server closes, sockets close with 1001. */
export function addWebSocket(
  app: FastifyInstance,
  engine: Engine,
  path: string,
  forward: readonly string[],
): void {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: LARGEST_MESSAGE_BYTES,
    handleProtocols: (offered) => offered.has(GRAPHQL_TRANSPORT_WS_PROTOCOL) && GRAPHQL_TRANSPORT_WS_PROTOCOL,
  });
  const graphql = useServer(
    {
      onSubscribe: ({ extra, connectionParams }, _id, request) =>
        toEngineArgs(
          engine,
          request as GraphQLRequest,
          socketContext(extra.request.headers, connectionParams, forward),
        ),
      execute: (args) => {
        const { request, contextValue } = args as EngineArgs;
        return engine.execute(request, contextValue);
      },
      subscribe: (args) => {
        const { request, contextValue } = args as EngineArgs;
        return engine.subscribe(request, contextValue);
      },
    },
    server,
  );
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url?.split('?')[0] !== path) {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request));
  });
  app.addHook('preClose', async () => {
    await graphql.dispose();
  });
}
