import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
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

/** The HTTP application of the process's role: everything, one subgraph, or only health and metrics. */
export async function buildRoleApp(deps: RoleAppDeps): Promise<FastifyInstance> {
  const { ROLE: role, ENCRYPTION_KEY } = deps.config;
  const tokens = createPrincipalTokens({ encryptionKey: Buffer.from(ENCRYPTION_KEY, 'hex') });
  const metrics = createMetrics(deps.backend.figures);
  if (role === 'all' || role === 'gateway') {
    const tracing = createTracing();
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
