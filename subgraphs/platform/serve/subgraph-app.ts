import { ApolloServer } from '@apollo/server';
import { fastifyApolloDrainPlugin, fastifyApolloHandler } from '@as-integrations/fastify';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { CATALOGUE, isErrorCode } from '../errors/catalogue.ts';
import type { Subgraph } from '../graphql/subgraph.ts';
import type { Logger } from '../log.ts';
import type { RequestContext } from '../principal.ts';
import { PRINCIPAL_HEADER, type PrincipalTokens } from './principal-token.ts';
import { addSubscriptions } from './subscriptions.ts';

const LARGEST_BODY_BYTES = 8 * 1024 * 1024;

export interface SubgraphAppDeps {
  subgraph: Subgraph;
  tokens: PrincipalTokens;
  log: Logger;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the gateway says of the request, once its signature has been checked. */
    subgraphContext: RequestContext | null;
  }
}

/**
 * One subgraph as a server of its own, on `/graphql`: HTTP by Apollo Server, subscriptions by `graphql-transport-ws`.
 * It believes the gateway alone: a request without a principal signed by it is refused with 401, a socket with 4403.
 */
export async function buildSubgraphApp({ subgraph, tokens, log }: SubgraphAppDeps): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: LARGEST_BODY_BYTES,
    forceCloseConnections: 'idle',
  });
  app.decorateRequest('subgraphContext', null);
  const server = new ApolloServer<RequestContext>({
    schema: subgraph.schema,
    plugins: [fastifyApolloDrainPlugin(app)],
    formatError: (formatted, error) => maskFault(formatted, error, log),
    includeStacktraceInErrorResponses: false,
    introspection: true,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
  });
  await server.start();
  app.post('/graphql', {
    onRequest: async (request, reply) => {
      request.subgraphContext = readContext(request, reply, tokens) ?? null;
      return request.subgraphContext ? undefined : reply.code(401).send(unauthenticated());
    },
    handler: fastifyApolloHandler(server, { context: async (request) => contextOf(request) }),
  });
  addSubscriptions(app, { schema: subgraph.schema, tokens });
  return app;
}

function readContext(
  { headers }: FastifyRequest,
  { raw: response }: FastifyReply,
  tokens: PrincipalTokens,
): RequestContext | undefined {
  const claims = tokens.verify(headers[PRINCIPAL_HEADER]);
  if (!claims) {
    return undefined;
  }
  const gone = new AbortController();
  // Not the request's end, which comes as soon as its body was read: the response is what the caller waits for.
  response.once('close', () => {
    if (!response.writableFinished) {
      gone.abort();
    }
  });
  return { ...claims, signal: gone.signal };
}

function contextOf({ subgraphContext }: FastifyRequest): RequestContext {
  if (!subgraphContext) {
    throw new TypeError('The context is read before the operation runs');
  }
  return subgraphContext;
}

function unauthenticated() {
  const { message } = CATALOGUE.UNAUTHENTICATED;
  return { errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] };
}

/** Errors that a resolver made for the client pass; of anything else the gateway only hears that it happened. */
function maskFault(formatted: GraphQLFormattedError, error: unknown, log: Logger): GraphQLFormattedError {
  const code = formatted.extensions?.code;
  if (error instanceof GraphQLError && typeof code === 'string' && code !== 'INTERNAL_SERVER_ERROR') {
    return isErrorCode(code) ? formatted : { ...formatted, extensions: { code } };
  }
  log.error({ err: error, path: formatted.path }, 'subgraph.internal error');
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  return { ...formatted, message, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}
