import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { servesClients } from '../../subgraphs/kernel/config/roles.ts';
import { causalTimesOf } from '../../subgraphs/kernel/database/causal-times.ts';
import { addDraining, endAnsweredConnections } from '../http/drain.ts';
import { addHealth } from '../http/health.ts';
import { timeoutsOf } from '../http/http-timeouts.ts';
import { createPrincipalSigner, createPrincipalVerifier } from '../http/subgraph-server/principal-token.ts';
import { observeRequests, serveMetricsBesides } from '../observe/metrics-route.ts';
import { createTracing } from '../observe/tracing.ts';
import { type AppDeps, buildApp } from './app.ts';
import { connectSubgraphs } from './connect-subgraphs.ts';
import { readinessOf } from './readiness.ts';

/** The dependencies of a role's application, without its transports to the subgraphs. */
export type RoleAppDeps = Omit<AppDeps, 'transports' | 'tracing'>;

const SUBGRAPH_ROLE = 'subgraph-';

/** Builds the HTTP application of the process's role: everything, one subgraph, or only health and metrics. */
export async function buildRoleApp(deps: RoleAppDeps): Promise<FastifyInstance> {
  const { ROLE: role } = deps.config;
  const keys = tokenKeysOf(deps.config);
  const { clock } = deps.subgraphs;
  const causalTimes = causalTimesOf(deps.connection);
  const tracing = createTracing();
  if (servesClients(role)) {
    const { transports, close } = connectSubgraphs({
      config: deps.config,
      subgraphs: deps.subgraphs.schemas,
      tokens: keys && createPrincipalSigner({ keys, clock: () => clock.now().getTime(), causalTimes }),
      causalTimes,
      tracing,
      log: deps.log,
    });
    const app = await buildApp({ ...deps, transports, tracing });
    app.addHook('onClose', close);
    return app;
  }
  const app = role !== 'worker' && keys ? await buildOneSubgraph(deps, keys) : buildBareApp(deps);
  if (role !== 'worker') {
    tracing.requests(app, { 'graphql.subgraph.name': role.slice(SUBGRAPH_ROLE.length) });
  }
  addHealth(app, deps.state, readinessOf(deps));
  observeRequests(app, deps.metrics);
  serveMetricsBesides(app, deps.metrics, deps.config);
  return app;
}

function buildBareApp({ config, log, state }: RoleAppDeps): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    ...timeoutsOf(config),
  });
  addDraining(app, state);
  return app;
}

async function buildOneSubgraph(deps: RoleAppDeps, keys: TokenKeys): Promise<FastifyInstance> {
  // Other roles do not load Apollo Server.
  const { buildSubgraphApp } = await import('../http/subgraph-server/subgraph-app.ts');
  const subgraph = subgraphOf(deps);
  const causalTimes = causalTimesOf(deps.connection);
  const tokens = createPrincipalVerifier({
    keys,
    audience: subgraph.name,
    clock: () => deps.subgraphs.clock.now().getTime(),
    causalTimes,
  });
  const app = await buildSubgraphApp({
    subgraph,
    tokens,
    apiKeys: deps.subgraphs.apiKeys,
    causalTimes,
    log: deps.log,
    timeouts: timeoutsOf(deps.config),
  });
  // Gateways keep idle connections open for more than a minute.
  endAnsweredConnections(app, deps.state);
  return app;
}

type TokenKeys = readonly [string, ...string[]];

/** The keys of tokens between roles: the current one, then former ones. */
function tokenKeysOf({ INTERNAL_TOKEN_KEY, INTERNAL_TOKEN_KEY_PREVIOUS }: Config): TokenKeys | undefined {
  return INTERNAL_TOKEN_KEY === undefined ? undefined : [INTERNAL_TOKEN_KEY, ...INTERNAL_TOKEN_KEY_PREVIOUS];
}

function subgraphOf({ config, subgraphs }: RoleAppDeps) {
  const name = config.ROLE.slice(SUBGRAPH_ROLE.length);
  const subgraph = subgraphs.schemas.find((candidate) => candidate.name === name);
  if (!subgraph) {
    throw new TypeError(`There is no subgraph ${name}`);
  }
  return subgraph;
}
