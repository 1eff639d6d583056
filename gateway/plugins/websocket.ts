import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type ExecutionArgs, GraphQLError, parse } from 'graphql';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import type { WebSocket, WebSocketServer } from 'ws';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import type { Principal, RequestContext } from '../../subgraphs/platform/principal.ts';
import { addWebSocketRoute } from '../../subgraphs/platform/serve/websocket-route.ts';
import type { Engine, GraphQLRequest } from '../engine.ts';
import { keyOf } from './authentication.ts';

/** A key that was revoked loses its sockets within this time; keys themselves are at most 2 s old. */
const RECHECK_MS = 2_000;

interface WebSocketDeps {
  engine: Engine;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

/** What a connection keeps from `connection_init` on. */
interface Session extends Record<PropertyKey, unknown> {
  key?: string;
  principal?: Principal;
}

/** Arguments of graphql-js that also carry what our engine needs: it takes the place of graphql-js. */
type EngineArgs = ExecutionArgs & { request: GraphQLRequest; contextValue: RequestContext };

/**
 * `graphql-transport-ws` on `/graphql` (decisions, section 5). The key comes in `connectionParams`; a bad one closes
 * the socket with 4403, and so does revoking it later. When the server closes, sockets close with 1001.
 */
export function addWebSocket(app: FastifyInstance, deps: WebSocketDeps): void {
  const sessions = new Map<WebSocket, Session>();
  const recheck = setInterval(() => closeRevoked(sessions, deps.apiKeys, app), RECHECK_MS).unref();
  addWebSocketRoute(app, '/graphql', (server) => serveGraphQL(server, sessions, deps));
  app.addHook('preClose', async () => clearInterval(recheck));
}

function serveGraphQL(
  server: WebSocketServer,
  sessions: Map<WebSocket, Session>,
  { engine, apiKeys }: WebSocketDeps,
) {
  return useServer<Record<string, unknown>, Session>(
    {
      onConnect: async ({ connectionParams, extra }) => {
        const key = keyOf(lowerCased(connectionParams));
        const principal = await apiKeys.authenticate(key);
        if (!principal || key === undefined) {
          return false;
        }
        sessions.set(extra.socket, { key, principal });
        return true;
      },
      onDisconnect: ({ extra }) => {
        sessions.delete(extra.socket);
      },
      onSubscribe: ({ extra }, _id, request) => {
        const principal = sessions.get(extra.socket)?.principal ?? null;
        return toEngineArgs(engine, request as GraphQLRequest, principal);
      },
      execute: (args) => engine.execute((args as EngineArgs).request, args.contextValue as RequestContext),
      subscribe: (args) =>
        engine.subscribe((args as EngineArgs).request, args.contextValue as RequestContext),
    },
    server,
  );
}

function toEngineArgs(
  engine: Engine,
  request: GraphQLRequest,
  principal: Principal | null,
): EngineArgs | readonly GraphQLError[] {
  try {
    return {
      schema: engine.publicSchema,
      document: parse(request.query),
      operationName: request.operationName,
      request,
      contextValue: { principal, requestId: randomUUID() },
    };
  } catch (error) {
    return [error instanceof GraphQLError ? error : new GraphQLError('The document cannot be read.')];
  }
}

/** `connectionParams` names headers, which have no case. */
function lowerCased(params: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

function closeRevoked(
  sessions: Map<WebSocket, Session>,
  apiKeys: WebSocketDeps['apiKeys'],
  app: FastifyInstance,
): void {
  for (const [socket, { key }] of sessions) {
    apiKeys.authenticate(key).then(
      (principal) => {
        if (!principal) {
          socket.close(CloseCode.Forbidden, 'Forbidden');
        }
      },
      // The store is away: the next round looks again.
      (error: unknown) => app.log.warn({ err: error }, 'websocket.recheck failed'),
    );
  }
}
