import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { CloseCode } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import type { WebSocket, WebSocketServer } from 'ws';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import type { Principal } from '../../subgraphs/platform/principal.ts';
import { addWebSocketRoute } from '../../subgraphs/platform/serve/websocket-route.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import type { Engine } from '../engine.ts';
import { socketOperations } from '../http/socket-operations.ts';
import { keyOf } from './authentication.ts';
import { type CallLimits, refuseOperation } from './rate-limit.ts';

/** A key that was revoked loses its sockets within this time; keys themselves are at most 2 s old. */
const RECHECK_MS = 2_000;

interface WebSocketDeps {
  engine: Engine;
  documents: ClientDocuments;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  limits: CallLimits;
}

/** What a connection keeps from `connection_init` on. */
interface Session extends Record<PropertyKey, unknown> {
  key?: string;
  principal?: Principal;
}

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
  { engine, documents, apiKeys, limits }: WebSocketDeps,
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
      ...socketOperations({
        engine,
        documents,
        contextOf: ({ extra }) => ({
          principal: sessions.get(extra.socket)?.principal ?? null,
          requestId: randomUUID(),
        }),
        refuse: ({ principal }) => refuseOperation(limits, principal),
      }),
    },
    server,
  );
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
