import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode } from 'graphql';
import mercurius, { type MercuriusContext } from 'mercurius';
import { CATALOGUE } from '../../subgraphs/platform/errors/catalogue.ts';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import type { RequestContext } from '../../subgraphs/platform/principal.ts';
import type { Engine } from '../engine.ts';
import { createEventStreams, type EventStreams } from '../http/event-streams.ts';
import { addGraphQLChecks, refusalOf, sendRefusal, writeResult } from '../http/fastify.ts';
import { EVENT_STREAM } from '../http/media-type.ts';
import { operationKind } from '../http/request.ts';
import { authenticateBy } from './authentication.ts';

interface GraphQLDeps {
  engine: Engine;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

const PATH = '/graphql';

/**
 * `/graphql` over HTTP: GraphQL over HTTP's checks and answers around mercurius, which serves the route. Its
 * `app.graphql` is the one seam where our engine takes over; nothing is run by mercurius itself. A client that accepts
 * `text/event-stream` gets its results as Server-Sent Events.
 */
export async function addGraphQL(app: FastifyInstance, deps: GraphQLDeps): Promise<void> {
  const streams = createEventStreams();
  app.addHook('preClose', async () => streams.close());
  await app.register(async (scope) => {
    scope.addHook('onRequest', authenticateBy(deps.apiKeys, refuseUnknownKey));
    addGraphQLChecks(scope, PATH);
    await scope.register(mercurius, {
      schema: deps.engine.publicSchema,
      path: PATH,
      graphiql: false,
      context: (request, reply) => ({ requestContext: contextOf(request, reply) }),
      errorHandler: answerFault,
      additionalRouteOptions: { schema: {} },
    });
    scope.graphql = Object.assign(
      runBy(deps.engine, streams),
      scope.graphql,
    ) as unknown as typeof scope.graphql;
  });
}

type SeamContext = MercuriusContext & { requestContext: RequestContext };

function runBy(engine: Engine, streams: EventStreams) {
  return async (_query: string, context: SeamContext): Promise<unknown> => {
    const { reply, requestContext } = context;
    const checked = reply.request.graphqlRequest;
    if (!checked) {
      throw new TypeError('A request is checked before it is run');
    }
    const { parameters, mediaType } = checked;
    if (mediaType !== EVENT_STREAM) {
      return writeResult(reply, await engine.execute(parameters, requestContext), mediaType);
    }
    const isSubscription = operationKind(parameters) === OperationTypeNode.SUBSCRIPTION;
    const results = isSubscription
      ? await engine.subscribe(parameters, requestContext)
      : await engine.execute(parameters, requestContext);
    reply.headers({ 'content-type': `${EVENT_STREAM}; charset=utf-8`, 'cache-control': 'no-cache' });
    return streams.open(results);
  };
}

/** The context of a request; its signal is aborted when the client goes away before the answer. */
export function contextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) {
      gone.abort();
    }
  });
  return { principal: request.principal, requestId: request.id, signal: gone.signal };
}

function refuseUnknownKey(reply: FastifyReply): FastifyReply {
  const { message } = CATALOGUE.UNAUTHENTICATED;
  return sendRefusal(reply, { status: 401, code: 'UNAUTHENTICATED', message });
}

/** Faults before an operation runs: a body that is no JSON or too large, or a bug of ours. */
function answerFault(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = refusalOf(error);
  if (!refusal) {
    request.log.error({ err: error }, 'graphql.request failed');
  }
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  sendRefusal(reply, refusal ?? { status: 500, code: 'INTERNAL_SERVER_ERROR', message });
}
