import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { OperationTypeNode } from 'graphql';
import type { Logger } from '../../subgraphs/platform/log.ts';
import type { Engine } from '../engine.ts';
import { addDraining } from '../http/drain.ts';
import { createEventStreams, type EventStreams } from '../http/event-streams.ts';
import {
  addGraphQLChecks,
  type GraphQLHttpRequest,
  refusalOf,
  sendRefusal,
  writeResult,
} from '../http/fastify.ts';
import { EVENT_STREAM } from '../http/media-type.ts';
import { httpOptions } from '../http/options.ts';
import { operationKind } from '../http/request.ts';
import { addHealth, type Draining } from '../plugins/health.ts';
import { addRequestIds } from '../plugins/request-id.ts';
import { contextOf, type StandaloneContext } from './context.ts';
import { addWebSocket } from './websocket.ts';

const PATH = '/graphql';

/** What the HTTP application is made of. */
export interface StandaloneAppDeps {
  readonly engine: Engine;
  readonly log: Logger;
  readonly state: Draining;
  /** Names, in lower case, of the client's headers that subgraphs are to see. */
  readonly forwardHeaders: readonly string[];
}

/**
 * Builds the HTTP application: GraphQL over HTTP, WebSocket and SSE at `/graphql`, and health. It does not listen;
 * `close` ends subscriptions and lets other requests finish.
 */
export async function buildStandaloneApp(deps: StandaloneAppDeps): Promise<FastifyInstance> {
  const app = Fastify(httpOptions(deps.log));
  addRequestIds(app);
  addDraining(app, deps.state);
  addHealth(app, deps.state, []);
  const streams = createEventStreams();
  app.addHook('preClose', async () => streams.close());
  await app.register(async (scope) => addGraphQL(scope, deps, streams));
  addWebSocket(app, deps.engine, PATH, deps.forwardHeaders);
  return app;
}

function addGraphQL(scope: FastifyInstance, deps: StandaloneAppDeps, streams: EventStreams): void {
  addGraphQLChecks(scope, PATH);
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal === null) {
      request.log.error({ err: error }, 'graphql.request failed');
    }
    return sendRefusal(
      reply,
      refusal ?? { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' },
    );
  });
  scope.route({
    method: ['GET', 'POST'],
    url: PATH,
    handler: async (request, reply) => {
      if (request.graphqlRequest === null) {
        throw new Error('A GraphQL request was not checked.');
      }
      const context = contextOf(request, reply, deps.forwardHeaders);
      return answer(deps.engine, request.graphqlRequest, context, reply, streams);
    },
  });
}

async function answer(
  engine: Engine,
  { parameters, mediaType }: GraphQLHttpRequest,
  context: StandaloneContext,
  reply: FastifyReply,
  streams: EventStreams,
): Promise<unknown> {
  if (mediaType !== EVENT_STREAM) {
    return writeResult(reply, await engine.execute(parameters, context), mediaType);
  }
  const isSubscription = operationKind(parameters) === OperationTypeNode.SUBSCRIPTION;
  const results = isSubscription
    ? await engine.subscribe(parameters, context)
    : await engine.execute(parameters, context);
  return reply
    .headers({ 'content-type': `${EVENT_STREAM}; charset=utf-8`, 'cache-control': 'no-cache' })
    .send(streams.open(results));
}
