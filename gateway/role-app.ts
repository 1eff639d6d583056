import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Role } from '../subgraphs/platform/config/schema.ts';
import { keyringOf } from '../subgraphs/platform/crypto/keyring.ts';
import { createPrincipalTokens } from '../subgraphs/platform/serve/principal-token.ts';
import { buildSubgraphApp } from '../subgraphs/platform/serve/subgraph-app.ts';
import { type AppDeps, buildApp } from './app.ts';
import { connectSubgraphs } from './connect-subgraphs.ts';
import { createMetrics } from './metrics/metrics.ts';
import { addHealth } from './plugins/health.ts';
import { addMetrics } from './plugins/metrics.ts';
import { pingStore } from './plugins/store-check.ts';
import { createTracing } from './tracing/tracing.ts';

/** What a role's application is built of, its ways to the subgraphs left out. */
export type RoleAppDeps = Omit<AppDeps, 'transports' | 'metrics' | 'tracing'>;

const SUBGRAPH_ROLE = 'subgraph-';

/** Whether a process of this role serves REST and GraphQL. */
export function servesClients(role: Role): boolean {
  return role === 'all' || role === 'gateway';
}

/** The HTTP application of the process's role: everything, one subgraph, or only health and metrics. */
export async function buildRoleApp(deps: RoleAppDeps): Promise<FastifyInstance> {
  const { ROLE: role } = deps.config;
  const tokens = createPrincipalTokens({ keys: keyringOf(deps.config).keys('principal') });
  const metrics = createMetrics(deps.backend.figures);
  const tracing = createTracing();
  if (servesClients(role)) {
    const { transports, close } = connectSubgraphs({
      config: deps.config,
      subgraphs: deps.backend.subgraphs,
      tokens,
      tracing,
      log: deps.log,
    });
    const app = await buildApp({ ...deps, transports, metrics, tracing });
    app.addHook('onClose', close);
    return app;
  }
  const app =
    role === 'worker'
      ? buildBareApp(deps)
      : await buildSubgraphApp({ ...deps, tokens, subgraph: subgraphOf(deps) });
  if (role !== 'worker') {
    tracing.requests(app, {
      name: 'graphql.subgraph',
      attributes: { 'graphql.subgraph.name': role.slice(SUBGRAPH_ROLE.length) },
    });
  }
  addHealth(app, deps.state, [['store', () => pingStore(deps.connection)]]);
  addMetrics(app, metrics);
  return app;
}

function buildBareApp({ log }: RoleAppDeps): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  return Fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) });
}

function subgraphOf({ config, backend }: RoleAppDeps) {
  const name = config.ROLE.slice(SUBGRAPH_ROLE.length);
  const subgraph = backend.subgraphs.find((candidate) => candidate.name === name);
  if (!subgraph) {
    throw new TypeError(`There is no subgraph ${name}`);
  }
  return subgraph;
}
