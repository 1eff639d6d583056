import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { fastifyApolloDrainPlugin, fastifyApolloHandler } from '@as-integrations/fastify';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Subgraph } from '../../../subgraphs/graph/subgraph.ts';
import type { CausalTimes } from '../../../subgraphs/kernel/database/causal-times.ts';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { createCallerController } from '../../../subgraphs/kernel/http/caller-gone.ts';
import type { Logger } from '../../../subgraphs/kernel/log/log.ts';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { type HttpTimeouts, httpTimeouts } from '../http-timeouts.ts';
import { endUnusedConnections } from '../unused-connections.ts';
import { maskError } from './mask-error.ts';
import { PRINCIPAL_HEADER, type PrincipalVerifier, type ReadToken } from './principal-token.ts';
import { addSubscriptions, type FindRevoked, withTimes } from './subscriptions.ts';

const LARGEST_BODY_BYTES = 8 * 1024 * 1024;

interface SubgraphAppDeps {
  subgraph: Subgraph;
  tokens: PrincipalVerifier;
  /** Finds revoked keys: their subscriptions end. */
  apiKeys: FindRevoked;
  log: Logger;
  /** On a sharded cluster: every answer names them. */
  causalTimes?: Pick<CausalTimes, 'latest'> | undefined;
  /** Default: the timeouts of every HTTP server of the product. */
  timeouts?: HttpTimeouts;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The content of the token, after its check. */
    subgraphContext: RequestContext | null;
  }
}

/**
 * Makes one subgraph a server of its own, on `/graphql`: HTTP by Apollo Server, subscriptions by `graphql-transport-ws`. It
 * trusts only the gateway: it rejects a request with 401, and a socket with 4403, unless the gateway has signed its token for
 * this subgraph and these bytes, and the token is used for the first time.
 */
export async function buildSubgraphApp(deps: SubgraphAppDeps): Promise<FastifyInstance> {
  const { subgraph, tokens, apiKeys, log, causalTimes, timeouts } = deps;
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: LARGEST_BODY_BYTES,
    forceCloseConnections: 'idle',
    ...(timeouts ?? httpTimeouts()),
  });
  endUnusedConnections(app);
  app.decorateRequest('subgraphContext', null);
  const schema = await subgraph.federatedSchema();
  const server = new ApolloServer<RequestContext>({
    schema,
    // Inline traces would show a gateway the masked parts of errors.
    plugins: [
      fastifyApolloDrainPlugin(app),
      ApolloServerPluginInlineTraceDisabled(),
      ...(causalTimes ? [namesTimes(causalTimes)] : []),
    ],
    formatError: (formatted, error) => maskError(formatted, error, log),
    includeStacktraceInErrorResponses: false,
    introspection: true,
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
  });
  await server.start();
  addSignedBodies(app, log);
  app.post('/graphql', {
    onRequest: async (request, reply) => {
      request.subgraphContext = (await readContext(request, reply, tokens, log)) ?? null;
      return request.subgraphContext ? undefined : reply.code(401).send(unauthenticated());
    },
    handler: fastifyApolloHandler(server, { context: async (request) => contextOf(request) }),
  });
  addSubscriptions(app, { schema, tokens, apiKeys, log, causalTimes });
  return app;
}

function namesTimes(causalTimes: Pick<CausalTimes, 'latest'>): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ response: { body } }) => {
        if (body.kind === 'single') {
          body.singleResult = withTimes(body.singleResult, causalTimes);
        }
      },
    }),
  };
}

async function readContext(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  tokens: PrincipalVerifier,
  log: Pick<Logger, 'warn'>,
): Promise<RequestContext | undefined> {
  const read = await tokens.read(request.headers[PRINCIPAL_HEADER], 'POST');
  if (!read.ok) {
    log.warn({ reason: read.reason }, 'subgraph.token_refused');
    return undefined;
  }
  request.principalToken = read.token;
  return { ...read.token.caller, signal: createCallerController(response).signal };
}

function contextOf({ subgraphContext }: FastifyRequest): RequestContext {
  if (!subgraphContext) {
    throw new TypeError('The context is read before the operation runs');
  }
  return subgraphContext;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of the request. Its body is not compared yet. */
    principalToken: ReadToken | null;
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * Makes every request of the application use its `principalToken` with the exact bytes of its body, before they are read as
 * JSON. Other content types than JSON get 415.
 */
function addSignedBodies(app: FastifyInstance, log: Pick<Logger, 'warn'>): void {
  app.decorateRequest('principalToken', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('preValidation', async (request, reply) => {
    if (request.principalToken) {
      return redeem(request, request.principalToken, reply, log);
    }
  });
}

function redeem(
  request: FastifyRequest,
  token: ReadToken,
  reply: FastifyReply,
  log: Pick<Logger, 'warn'>,
): FastifyReply | undefined {
  const body = Buffer.isBuffer(request.body) ? request.body : NOTHING;
  const reason = token.redeem(body);
  if (reason !== undefined) {
    log.warn({ reason, requestId: token.caller.requestId }, 'subgraph.token_refused');
    return reply.code(401).send(unauthenticated());
  }
  try {
    request.body = JSON.parse(body.toString('utf8'));
  } catch {
    return reply.code(400).send(errorOf('BAD_REQUEST', 'The body is no JSON.'));
  }
  return undefined;
}

/** The answer to a request without a valid token. */
function unauthenticated() {
  return errorOf('UNAUTHENTICATED', CATALOGUE.UNAUTHENTICATED.message);
}

function errorOf(code: string, message: string) {
  return { errors: [{ message, extensions: { code } }] };
}
