import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, GraphQLError, getOperationAST, parse } from 'graphql';
import mercurius, { type MercuriusContext } from 'mercurius';
import { CATALOGUE } from '../../subgraphs/platform/errors/catalogue.ts';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import type { RequestContext } from '../../subgraphs/platform/principal.ts';
import type { Engine } from '../engine.ts';
import { authenticateBy } from './authentication.ts';

interface GraphQLDeps {
  engine: Engine;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/**
 * `/graphql` over HTTP. mercurius serves the route; its `app.graphql` is the one seam where our engine takes over, so
 * everything that it does around an operation stays, and nothing is run by it.
 */
export async function addGraphQL(app: FastifyInstance, deps: GraphQLDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', authenticateBy(deps.apiKeys, refuseUnknownKey));
    await scope.register(mercurius, {
      schema: deps.engine.publicSchema,
      graphiql: false,
      context: (request, reply) => ({ requestContext: contextOf(request, reply) }),
      errorHandler: answerFault,
      additionalRouteOptions: { schema: {} },
    });
    scope.graphql = Object.assign(runBy(deps.engine), scope.graphql) as unknown as typeof scope.graphql;
  });
}

type SeamContext = MercuriusContext & { requestContext: RequestContext };

function runBy(engine: Engine) {
  return async (
    query: string,
    context: SeamContext,
    variables: Record<string, unknown> | null | undefined,
    operationName: string | null | undefined,
  ): Promise<string> => {
    const { reply, requestContext } = context;
    const refused = reply.request.method === 'GET' ? refuseChange(query, operationName) : undefined;
    const result = refused ?? (await engine.execute({ query, variables, operationName }, requestContext));
    return answer(reply, result, refused ? 405 : undefined);
  };
}

/** The answer's text; status and media type by the GraphQL over HTTP specification. */
function answer(reply: FastifyReply, result: ExecutionResult, status?: number): string {
  const type = acceptsResponseType(reply.request) ? RESPONSE_TYPE : JSON_TYPE;
  reply.code(status ?? (type === RESPONSE_TYPE && !('data' in result) ? 400 : 200));
  reply.header('content-type', type);
  return JSON.stringify(result);
}

function acceptsResponseType(request: FastifyRequest): boolean {
  return request.headers.accept?.includes(RESPONSE_TYPE) === true;
}

/** GET must not change anything, so that a link can't. */
function refuseChange(query: string, operationName: string | null | undefined): ExecutionResult | undefined {
  let operation: ReturnType<typeof getOperationAST>;
  try {
    operation = getOperationAST(parse(query, { noLocation: true }), operationName);
  } catch {
    // Not a document: the engine says so, with the place.
    return undefined;
  }
  return operation && operation.operation !== 'query'
    ? { errors: [new GraphQLError('GET runs queries only.', { extensions: { code: 'METHOD_NOT_ALLOWED' } })] }
    : undefined;
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
  return sendErrors(reply, 401, 'UNAUTHENTICATED', CATALOGUE.UNAUTHENTICATED.message);
}

/** Faults before an operation runs: a body that is no JSON, too large, or has no query. */
function answerFault(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const status = error.statusCode ?? 500;
  if (status === 413) {
    sendErrors(reply, 413, 'PAYLOAD_TOO_LARGE', CATALOGUE.PAYLOAD_TOO_LARGE.message);
  } else if (status < 500) {
    sendErrors(reply, 400, 'BAD_REQUEST', error.message);
  } else {
    request.log.error({ err: error }, 'graphql.request failed');
    sendErrors(reply, 500, 'INTERNAL_SERVER_ERROR', CATALOGUE.INTERNAL_SERVER_ERROR.message);
  }
}

function sendErrors(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}
