import type { IncomingHttpHeaders } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { CATALOGUE } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import type { Engine } from '../engine/index.ts';
import type { ClientDocuments } from '../http/documents/client-documents.ts';
import { addDraining } from '../http/drain.ts';
import { ignoreExpectations } from '../http/expectations.ts';
import { answerRequest } from '../http/graphql/answer.ts';
import { addGraphQLChecks, failureBody, sendFailure } from '../http/graphql/checks.ts';
import { createEventStreams, type EventStreams } from '../http/graphql/event-streams.ts';
import { badRequest } from '../http/graphql/request.ts';
import { socketOperations } from '../http/graphql/socket-operations.ts';
import { addHealth, type Draining } from '../http/health.ts';
import { addNotFound } from '../http/not-found.ts';
import { addCommonHeaders, httpOptions } from '../http/options.ts';
import { addHostCheck } from '../http/request-headers.ts';
import { type Connection, serveGraphQLSockets } from '../http/sockets/graphql-sockets.ts';
import { CLIENT_PACE } from '../http/sockets/inbound.ts';
import { addWebSocketRoute } from '../http/sockets/websocket-route.ts';
import type { Tracing } from '../observe/tracing.ts';
import { contextOf, type StandaloneContext, socketContext } from './context.ts';

const PATH = '/graphql';
const NOT_FOUND = { status: 404, code: 'NOT_FOUND', message: CATALOGUE.NOT_FOUND.message } as const;

interface StandaloneAppDeps {
  readonly engine: Engine<StandaloneContext>;
  readonly documents: ClientDocuments;
  readonly log: Logger;
  readonly state: Draining;
  /** Names, in lower case, of the client's headers that subgraphs are to see. */
  readonly forwardHeaders: readonly string[];
  readonly tracing: Pick<Tracing, 'requests'>;
}

/**
 * Builds the HTTP application: GraphQL over HTTP, WebSocket and SSE at `/graphql`, and health. It does not listen;
 * `close` ends subscriptions and lets other requests finish.
 */
export async function buildStandaloneApp(deps: StandaloneAppDeps): Promise<FastifyInstance> {
  const app = Fastify(httpOptions(deps.log, (_url, message) => ({ body: failureBody(badRequest(message)) })));
  addCommonHeaders(app);
  addHostCheck(app, (_request, reply, message) => sendFailure(reply, badRequest(message)));
  addDraining(app, deps.state);
  ignoreExpectations(app.server);
  addNotFound(app, (_request, reply) => sendFailure(reply, NOT_FOUND));
  deps.tracing.requests(app);
  addHealth(app, deps.state, []);
  const streams = createEventStreams();
  app.addHook('preClose', async () => streams.close());
  await app.register(async (scope) => addGraphQL(scope, deps, streams));
  addWebSocket(app, deps, PATH);
  return app;
}

function addGraphQL(scope: FastifyInstance, deps: StandaloneAppDeps, streams: EventStreams): void {
  addGraphQLChecks(scope, PATH, deps.documents);
  scope.route({
    method: ['GET', 'POST'],
    url: PATH,
    handler: async (request, reply) => {
      if (request.graphqlRequest === null) {
        throw new Error('A GraphQL request was not checked.');
      }
      const context = contextOf(request, reply, deps.forwardHeaders);
      return answerRequest(deps.engine, request.graphqlRequest, context, reply, streams);
    },
  });
}

interface WebSocketDeps {
  readonly engine: Engine<StandaloneContext>;
  readonly documents: ClientDocuments;
  readonly forwardHeaders: readonly string[];
}

interface Session extends Record<PropertyKey, unknown> {
  /** Of the request that opened it. */
  headers?: IncomingHttpHeaders;
  /** The client's `connectionParams`. */
  params?: Readonly<Record<string, unknown>> | undefined;
}

/** `graphql-transport-ws` at `path`, open to everyone. When the server closes, sockets close with 1001. */
function addWebSocket(
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
