import Fastify, { type FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { addRestCompat, answerNotFound, loadDocuments } from '../rest-compat/index.ts';
import type { Config } from '../subgraphs/platform/config/load.ts';
import type { Logger } from '../subgraphs/platform/log.ts';
import type { Backend } from './backend.ts';
import { createEngine, type Engine } from './engine.ts';
import { addDraining } from './http/drain.ts';
import { httpOptions } from './http/options.ts';
import type { OperationLimits } from './limits/document-limits.ts';
import { measureEngine } from './metrics/measured-engine.ts';
import type { Metrics } from './metrics/metrics.ts';
import { addGraphiQL } from './plugins/graphiql.ts';
import { addGraphQL } from './plugins/graphql.ts';
import { addHealth, type Draining } from './plugins/health.ts';
import { addMetrics } from './plugins/metrics.ts';
import { addRequestIds } from './plugins/request-id.ts';
import { pingStore } from './plugins/store-check.ts';
import { addWebSocket } from './plugins/websocket.ts';
import type { SubgraphTransport } from './transports/transport.ts';

/** What the HTTP application is made of. */
export interface AppDeps {
  config: Config;
  backend: Pick<Backend, 'apiKeys' | 'subgraphs' | 'figures'>;
  connection: Connection;
  supergraphSdl: string;
  /** The ways to the subgraphs, by name. */
  transports: Readonly<Record<string, SubgraphTransport>>;
  metrics: Metrics;
  log: Logger;
  state: Draining;
  /** Key that GraphiQL starts with, in development only. */
  demoKey?: string | undefined;
}

/**
 * Builds the HTTP application: health, GraphQL over HTTP and WebSocket, GraphiQL in development, the REST surfaces.
 * It does not listen; `close` ends sockets and running requests.
 */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, backend, metrics } = deps;
  const app = Fastify({
    ...httpOptions(deps.log),
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded reaches no hook.
      answerNotFound(request, reply.header('x-request-id', request.id));
    },
  });
  app.decorateRequest('principal', null);
  addRequestIds(app);
  addDraining(app, deps.state);
  addAccessLog(app);
  addHealth(app, deps.state, [['store', () => pingStore(deps.connection)]]);
  addMetrics(app, metrics);
  const engine = measureEngine(buildEngine(deps), metrics);
  const { apiKeys } = backend;
  await addGraphQL(app, { engine, apiKeys });
  addWebSocket(app, { engine, apiKeys });
  if (config.NODE_ENV !== 'production') {
    await addGraphiQL(app, { key: deps.demoKey });
  }
  const run = await loadDocuments(engine);
  await addRestCompat(app, { run, apiKeys, internalKey: config.INTERNAL_API_KEY });
  return app;
}

function buildEngine(deps: AppDeps): Engine {
  const { supergraphSdl, config, log, metrics } = deps;
  const measured = Object.entries(deps.transports).map(
    ([name, transport]) => [name, metrics.measured(name, transport)] as const,
  );
  return createEngine({
    supergraphSdl,
    limits: limitsOf(config),
    introspection: config.GRAPHQL_INTROSPECTION ?? config.NODE_ENV !== 'production',
    transports: Object.fromEntries(measured),
    onInternalError: (error, info) => log.error({ err: error, ...info }, 'graphql.internal error'),
    exposeInternalErrors: config.NODE_ENV !== 'production',
  });
}

function limitsOf(config: Config): OperationLimits {
  return {
    depth: config.GRAPHQL_MAX_DEPTH,
    aliases: config.GRAPHQL_MAX_ALIASES,
    rootFields: config.GRAPHQL_MAX_ROOT_FIELDS,
    tokens: config.GRAPHQL_MAX_TOKENS,
    cost: config.GRAPHQL_MAX_COST,
  };
}

/** One line for each answered request; no headers, no bodies. */
function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        tenantId: request.principal?.tenantId,
      },
      'http.request',
    );
  });
}
