import type { Config } from '../subgraphs/platform/config/load.ts';
import { OperatorError } from '../subgraphs/platform/errors/operator-error.ts';
import type { Logger } from '../subgraphs/platform/log.ts';
import { createEngine, type Engine } from './engine.ts';
import type { OperationLimits } from './limits/document-limits.ts';
import { limitTime } from './limits/time-limit.ts';
import { messageOf } from './message-of.ts';
import { measureEngine } from './metrics/measured-engine.ts';
import type { Metrics } from './metrics/metrics.ts';
import { createReloadableEngine, type Graph } from './reload/reloadable-engine.ts';
import { watchSupergraph } from './reload/watch-supergraph.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { SubgraphTransport } from './transports/transport.ts';

/** What the product's graph is made of. */
export interface GraphDeps {
  readonly config: Config;
  readonly supergraphSdl: string;
  /** The ways to the subgraphs, by name. */
  readonly transports: Readonly<Record<string, SubgraphTransport>>;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: Logger;
}

/**
 * The product's engine: bounded, measured, traced. Where `SUPERGRAPH_FILE` is set it follows that file.
 *
 * @throws an OperatorError when the supergraph of `SUPERGRAPH_FILE` cannot be served
 */
export function createGraph(deps: GraphDeps): Graph {
  const { config, log } = deps;
  const file = config.SUPERGRAPH_FILE;
  if (file === undefined) {
    return graphOf(deps, deps.supergraphSdl);
  }
  const reloadable = createReloadableEngine(firstGraph(deps, file), (error) =>
    log.error({ err: error }, 'supergraph.close failed'),
  );
  const watch = watchSupergraph({
    file,
    log,
    sdl: deps.supergraphSdl,
    apply: async (sdl) => reloadable.replace(graphOf(deps, sdl)),
  });
  return {
    engine: reloadable.engine,
    close: async () => {
      await watch.close();
      await reloadable.close();
    },
  };
}

function firstGraph(deps: GraphDeps, file: string): Graph {
  try {
    return graphOf(deps, deps.supergraphSdl);
  } catch (error) {
    throw new OperatorError(`SUPERGRAPH_FILE: ${file} cannot be served: ${messageOf(error)}`);
  }
}

/** The transports outlive the graph: they belong to the subgraphs. */
function graphOf(deps: GraphDeps, supergraphSdl: string): Graph {
  const { config, metrics, tracing } = deps;
  const engine = measureEngine(tracing.engine(buildEngine(deps, supergraphSdl)), metrics);
  return { engine: limitTime(engine, config.GRAPHQL_TIMEOUT_SECONDS * 1_000), close: async () => undefined };
}

function buildEngine(
  { config, transports, metrics, tracing, log }: GraphDeps,
  supergraphSdl: string,
): Engine {
  const watched = Object.entries(transports).map(
    ([name, transport]) => [name, metrics.measured(name, tracing.transport(name, transport))] as const,
  );
  return createEngine({
    supergraphSdl,
    limits: limitsOf(config),
    introspection: config.GRAPHQL_INTROSPECTION ?? config.NODE_ENV !== 'production',
    transports: Object.fromEntries(watched),
    onOperationLookup: metrics.operationLookedUp,
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
