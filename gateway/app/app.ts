import { join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Connection } from 'mongoose';
import {
  addRestCompat,
  answerBadRequest,
  answerNotFound,
  answerRateLimited,
  answerUnexpected,
  loadDocuments,
  presentBadRequest,
} from '../../rest-compat/index.ts';
import { readDeprecations } from '../../schema/deprecations.ts';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { watchDatabase } from '../../subgraphs/kernel/database/reach.ts';
import { readPath, surfaceOf } from '../../subgraphs/kernel/errors/surface.ts';
import { maskPath } from '../../subgraphs/kernel/person/mask-numbers.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import { projectRoot } from '../../subgraphs/kernel/project-root.ts';
import { limitPartners } from '../../subgraphs/runtime/limits/partner-limiter.ts';
import type { RateLimit } from '../../subgraphs/runtime/limits/rate-limiter.ts';
import type { Engine } from '../engine/index.ts';
import { handleAfterFirstBytes, type PresentBadRequest } from '../http/client-error.ts';
import { addConsole } from '../http/console/routes.ts';
import { type ConsoleCookie, createConsoleCookie } from '../http/console-cookie.ts';
import { addConsoleSession } from '../http/console-session/routes.ts';
import { addCors } from '../http/cors.ts';
import { createCredentials, credentialOf } from '../http/credentials.ts';
import { addDeprecations } from '../http/deprecations.ts';
import { addDocs } from '../http/docs/routes.ts';
import { type ClientDocuments, createClientDocuments } from '../http/documents/client-documents.ts';
import { loadTrustedDocuments, readOwnDocuments } from '../http/documents/trusted-folder.ts';
import { addDraining, createStreamDrain } from '../http/drain.ts';
import { ignoreExpectations } from '../http/expectations.ts';
import { failureBody, sendFailure } from '../http/graphql/checks.ts';
import { createClientStreams } from '../http/graphql/client-streams.ts';
import { countOfPartners } from '../http/graphql/open-counts.ts';
import { badRequest } from '../http/graphql/request.ts';
import { addGraphQL } from '../http/graphql/route.ts';
import { limitSubscriptions } from '../http/graphql/subscription-limit.ts';
import { addWebSocket } from '../http/graphql/websocket.ts';
import { addHealth, type Draining } from '../http/health.ts';
import { timeoutsOf } from '../http/http-timeouts.ts';
import { addNotFound } from '../http/not-found.ts';
import { addCommonHeaders, httpOptions, setCommonHeaders } from '../http/options.ts';
import { addRateLimits, type CallLimits, createCallLimits } from '../http/rate-limit.ts';
import { addHostCheck } from '../http/request-headers.ts';
import { addRequestLog } from '../http/request-log.ts';
import { createRevocations } from '../http/revocation.ts';
import { paceOf } from '../http/sockets/inbound.ts';
import { addWebhookKeys } from '../http/webhook-keys.ts';
import { observeRequests, serveMetricsBesides } from '../observe/metrics-route.ts';
import { addConsoleSignIn } from './console-sign-in.ts';
import { createGraph, type GraphDeps } from './graph.ts';
import { confineMtls } from './mtls/confine.ts';
import { readinessOf } from './readiness.ts';
import type { Subgraphs } from './subgraphs.ts';

/** The maximum number of open subscriptions per key in this process (decisions, section 7, "Bounds"). */
const SUBSCRIPTIONS_PER_KEY = 1_000;

/** The dependencies of the HTTP application. */
export interface AppDeps extends GraphDeps {
  subgraphs: Pick<
    Subgraphs,
    | 'apiKeys'
    | 'clock'
    | 'aheadMs'
    | 'browserTokens'
    | 'consoleSessions'
    | 'usedTokens'
    | 'limiter'
    | 'requestLog'
    | 'tenants'
    | 'webhookKeys'
    | 'schemas'
    | 'figures'
  >;
  connection: Connection;
  /** Writes to the database, for `/health/ready`. */
  proveWrites?: (() => Promise<void>) | undefined;
  state: Draining;
  /** The key that GraphiQL starts with, in development only. */
  demoKey?: string | undefined;
}

/**
 * Builds the HTTP application: health, GraphQL over HTTP and WebSocket, GraphiQL in development, documentation, the REST
 * surfaces.
 * It does not listen; `close` ends sockets and running requests.
 */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, subgraphs, metrics } = deps;
  const app = await createApp(deps);
  const bounded = boundedByStore(subgraphs, deps.connection);
  const { apiKeys, limiter, tenants, reach } = bounded;
  app.addHook('onClose', async () => reach.close());
  const perPartner = limitPartners(limiter, config.RATE_LIMIT_PARTNER_FACTOR);
  const limits = createCallLimits(perPartner, config, tenants);
  addRateLimits(app, limits, answerRateLimited);
  addHealth(app, deps.state, readinessOf(deps));
  observeRequests(app, metrics);
  serveMetricsBesides(app, metrics, config);
  const { engine, close } = createGraph(deps);
  app.addHook('onClose', close);
  addDeprecations(app, {
    deprecations: readDeprecations(),
    schema: engine.publicSchema,
    maxTokens: config.GRAPHQL_MAX_TOKENS,
    publicUrl: config.PUBLIC_URL,
  });
  const documents = await documentsOf(engine, config);
  metrics.nameOperations(documents.operationNames);
  const credentials = createCredentials(bounded);
  const consoleCookie = createConsoleCookie(config.PUBLIC_URL);
  const revocations = createRevocations(credentials, deps.log, subgraphs.clock.now);
  app.addHook('onClose', async () => revocations.close());
  const drain = createStreamDrain({ seconds: config.SUBSCRIPTION_DRAIN_SECONDS });
  // Before the hooks that end the remaining connections.
  app.addHook('preClose', () => drain.run());
  const shared = {
    engine: limitSubscriptions(engine, SUBSCRIPTIONS_PER_KEY, config.RATE_LIMIT_PARTNER_FACTOR),
    documents,
    credentials,
    consoleCookie,
    revocations,
    drain,
    clients: createClientStreams({
      limits: { events: config.SUBSCRIPTION_BUFFER_EVENTS, bytes: config.SUBSCRIPTION_BUFFER_BYTES },
      ...{ metrics: metrics.streams, log: deps.log, clock: subgraphs.clock.now, aheadMs: subgraphs.aheadMs },
    }),
  };
  await addGraphQL(app, shared);
  addWebSocket(app, {
    ...shared,
    limits,
    sockets: countOfPartners(config.SOCKETS_PER_KEY, config.RATE_LIMIT_PARTNER_FACTOR),
    pace: paceOf(config.SOCKET_MESSAGES_PER_SECOND),
    requestLog: subgraphs.requestLog,
  });
  await addWaysIntoConsole(app, deps, bounded, { cookie: consoleCookie, limits });
  if (config.NODE_ENV !== 'production') {
    const { addGraphiQL } = await import('../http/graphiql/routes.ts');
    await addGraphiQL(app, { key: deps.demoKey, publicUrl: config.PUBLIC_URL });
  }
  await addDocs(app, { publicUrl: config.PUBLIC_URL });
  await addConsole(app);
  addWebhookKeys(app, (accountId) => reach.wait(() => subgraphs.webhookKeys(accountId)));
  const run = await loadDocuments(engine, { eager: config.SUPERGRAPH_FILE !== undefined });
  await addRestCompat(app, {
    run: (...call) => reach.wait(() => run(...call)),
    whoCalls: (request) =>
      credentials.authenticate(credentialOf(request.headers, consoleCookie.credentialOf(request))),
    apiKeys,
    tenants,
    internalKey: config.INTERNAL_API_KEY,
    partnerFactor: config.RATE_LIMIT_PARTNER_FACTOR,
  });
  return app;
}

/** Adds the ways into the console: links, and sign-in with accounts of companies. */
async function addWaysIntoConsole(
  app: FastifyInstance,
  { config, subgraphs }: AppDeps,
  { consoleSessions, tenants, limiter, reach }: ReturnType<typeof boundedByStore>,
  shared: { readonly cookie: ConsoleCookie; readonly limits: CallLimits },
): Promise<void> {
  await addConsoleSession(app, {
    ...shared,
    sessions: consoleSessions,
    tenants,
    limiter,
    settings: { signInsPerMinute: config.RATE_LIMIT_CONSOLE, idleSeconds: config.CONSOLE_IDLE_SECONDS },
  });
  await addConsoleSignIn(app, {
    config,
    usedTokens: subgraphs.usedTokens,
    reach,
    sessions: subgraphs.consoleSessions,
    tenants,
    limiter,
    clock: subgraphs.clock.now,
  });
}

/** An application with the hooks that every route needs, and no route yet. */
async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = Fastify({
    ...httpOptions(deps.log, presentAtSurface, timeoutsOf(deps.config)),
    trustProxy: [...deps.config.TRUSTED_PROXIES],
    frameworkErrors: (_error, request, reply) => {
      // Fastify calls no hook for a path that cannot be decoded.
      answerNotFound(request, setCommonHeaders(request, reply));
    },
  });
  app.decorateRequest('principal', null);
  addCommonHeaders(app);
  addHostCheck(app, answerAtSurface);
  handleAfterFirstBytes(app);
  addDraining(app, deps.state);
  addAccessLog(app);
  addRequestLog(app, deps.subgraphs.requestLog);
  ignoreExpectations(app.server);
  deps.tracing.requests(app);
  confineMtls(app, '/v1/user/', answerNotFound);
  await addCors(app, deps.config.CORS_ORIGINS);
  addNotFound(app, answerNotFound);
  app.setErrorHandler(answerUnexpected);
  return app;
}

/** Answers 400 to a malformed request before any call handles it. */
function answerAtSurface(request: FastifyRequest, reply: FastifyReply, message: string): FastifyReply {
  return surfaceOf(readPath(request.url)) === 'graphql'
    ? sendFailure(reply, badRequest(message))
    : answerBadRequest(request, reply, message);
}

function presentAtSurface(url: string, message: string): ReturnType<PresentBadRequest> {
  return surfaceOf(readPath(url)) === 'graphql'
    ? { body: failureBody(badRequest(message)) }
    : presentBadRequest(url, message);
}

/** The database reads of calls before they reach the graph. They fail soon while the database cannot be reached. */
function boundedByStore(
  subgraphs: Pick<Subgraphs, 'apiKeys' | 'browserTokens' | 'consoleSessions' | 'limiter' | 'tenants'>,
  connection: Connection,
) {
  const reach = watchDatabase(connection);
  const bounded = <T>(made: T | Promise<T>) => (made instanceof Promise ? reach.wait(() => made) : made);
  return {
    reach,
    apiKeys: { authenticate: (key?: string) => bounded(subgraphs.apiKeys.authenticate(key)) },
    browserTokens: {
      authenticate: (token?: string) => bounded(subgraphs.browserTokens.authenticate(token)),
    },
    consoleSessions: {
      authenticate: (cookie?: string) => bounded(subgraphs.consoleSessions.authenticate(cookie)),
      find: (cookie?: string) => reach.wait(() => subgraphs.consoleSessions.find(cookie)),
      open: (code: string) => reach.wait(() => subgraphs.consoleSessions.open(code)),
      signOut: (cookie?: string) => reach.wait(() => subgraphs.consoleSessions.signOut(cookie)),
    },
    limiter: {
      take: (limit: RateLimit, caller: string) => bounded(subgraphs.limiter.take(limit, caller)),
      peek: (limit: RateLimit, caller: string) => subgraphs.limiter.peek(limit, caller),
    },
    tenants: {
      find: (accountId: AccountId) => reach.wait(() => subgraphs.tenants.find(accountId)),
      rateLimitsOf: (accountId: AccountId) => bounded(subgraphs.tenants.rateLimitsOf(accountId)),
    },
  };
}

/** The documents that clients may run by hash: REST's own, where clients may run them too, the console's and the operator's. */
async function documentsOf(engine: Engine<RequestContext>, config: Config): Promise<ClientDocuments> {
  const folder = config.TRUSTED_DOCUMENTS_DIR;
  const folders = [
    ['schema', 'operations'],
    ['gateway', 'console', 'documents'],
  ].map((parts) => readOwnDocuments(engine, join(projectRoot(), ...parts)));
  const own = (await Promise.all(folders)).flat();
  const given = folder === undefined ? [] : await loadTrustedDocuments(engine, folder);
  return createClientDocuments({
    trusted: given,
    own,
    trustedOnly: config.TRUSTED_DOCUMENTS_ONLY,
    maxTokens: config.GRAPHQL_MAX_TOKENS,
  });
}

/** Logs one line for each answered request, without headers and bodies. */
function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: maskPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        accountId: request.principal?.accountId,
      },
      'http.request',
    );
    done();
  });
}
