import { findMutationIssue } from '../../subgraphs/graph/enforce-scopes.ts';
import { JsonObjectScalar } from '../../subgraphs/graph/json-object.ts';
import {
  CountryCodeScalar,
  CurrencyCodeScalar,
  DateScalar,
  DateTimeScalar,
  DecimalScalar,
} from '../../subgraphs/graph/scalars.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { isOutage } from '../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE } from '../../subgraphs/kernel/errors/catalogue.ts';
import { OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../subgraphs/kernel/errors/thrown.ts';
import { withoutInput } from '../../subgraphs/kernel/errors/without-input.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import {
  buildEngine,
  type CostWeights,
  type Engine,
  type EngineHooks,
  explainPlan,
  type OperationLimits,
  type ScalarInput,
  type SubgraphTransport,
  withTimeout,
} from '../engine/index.ts';
import { EVENT_FIELDS } from '../http/graphql/client-streams.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Tracing } from '../observe/tracing.ts';
import { byPrincipal } from './connect-subgraphs.ts';
import { readEventCursorFirst } from './event-cursor.ts';
import { noteOperations } from './note-operations.ts';
import { createReloadableEngine, type Graph } from './reload/reloadable-engine.ts';
import { type ReloadSignal, watchSupergraph } from './reload/watch-supergraph.ts';

/** The graph's scalars. Values that they cannot read fail before anything goes to a subgraph. */
const SCALARS: readonly ScalarInput[] = [
  { type: DecimalScalar, numbersAsText: true },
  { type: DateScalar },
  { type: DateTimeScalar },
  { type: CurrencyCodeScalar },
  { type: CountryCodeScalar },
  { type: JsonObjectScalar },
];

const UNAVAILABLE = {
  code: 'SERVICE_UNAVAILABLE',
  message: CATALOGUE.SERVICE_UNAVAILABLE.message,
} as const;

/** The dependencies of the product's graph. */
export interface GraphDeps {
  readonly config: Config;
  readonly supergraphSdl: string;
  /** The transports to the subgraphs, by name. */
  readonly transports: Readonly<Record<string, SubgraphTransport<RequestContext>>>;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly log: Logger;
  /** Triggers an immediate read of `SUPERGRAPH_FILE`; otherwise changes of the file are noticed by polling. */
  readonly reloadSignal?: ReloadSignal | undefined;
}

/**
 * Makes the product's engine with limits, metrics and traces. With `SUPERGRAPH_FILE` it follows that file.
 *
 * @throws an OperatorError when the supergraph of `SUPERGRAPH_FILE` cannot be served
 */
export function createGraph(deps: GraphDeps): Graph<RequestContext> {
  const { config, log } = deps;
  const file = config.SUPERGRAPH_FILE;
  if (file === undefined) {
    return buildGraph(deps, deps.supergraphSdl);
  }
  const reloadable = createReloadableEngine(firstGraph(deps, file), (error) =>
    log.error({ err: error }, 'supergraph.close_failed'),
  );
  const watch = watchSupergraph({
    file,
    log,
    reloadSignal: deps.reloadSignal,
    sdl: deps.supergraphSdl,
    apply: async (sdl) => reloadable.replace(buildGraph(deps, sdl)),
  });
  return {
    engine: reloadable.engine,
    close: async () => {
      await watch.close();
      await reloadable.close();
    },
  };
}

function firstGraph(deps: GraphDeps, file: string): Graph<RequestContext> {
  try {
    return buildGraph(deps, deps.supergraphSdl);
  } catch (error) {
    throw new OperatorError(`SUPERGRAPH_FILE: ${file} cannot be served: ${messageOf(error)}`);
  }
}

/** Transports outlive the graph, because they belong to the subgraphs. */
function buildGraph(deps: GraphDeps, supergraphSdl: string): Graph<RequestContext> {
  return { engine: productEngine(deps, supergraphSdl), close: async () => undefined };
}

function productEngine(
  { config, transports, metrics, tracing, log }: GraphDeps,
  supergraphSdl: string,
): Engine<RequestContext> {
  return buildEngine<RequestContext>({
    supergraphSdl,
    limits: limitsOf(config),
    scalars: SCALARS,
    maxResponseBytes: config.GRAPHQL_MAX_RESPONSE_BYTES,
    introspection: config.GRAPHQL_INTROSPECTION ?? config.NODE_ENV !== 'production',
    transports,
    eventFields: EVENT_FIELDS,
    shareEventsBy: byPrincipal,
    callerOf: ({ principal }) => principal,
    hooks: [
      withTimeout(config.GRAPHQL_TIMEOUT_SECONDS * 1_000, ({ controller }) => controller),
      metrics.hooks<RequestContext>(),
      ...tracing.hooks<RequestContext>(),
      noteOperations(),
      withoutMutationsOfReaders(),
      readEventCursorFirst(),
      ...(config.NODE_ENV === 'production' ? [] : [explainPlans(supergraphSdl)]),
    ],
    onInternalError: (error, info) =>
      log.error({ err: withoutInput(error), ...info }, 'graphql.internal_error'),
    exposeInternalErrors: config.NODE_ENV !== 'production',
    recognise: (error) => (isOutage(error) ? UNAVAILABLE : undefined),
  });
}

/**
 * Hooks that send no mutation to a subgraph for a caller that only reads: with a browser token, or in a console session for
 * reading. Our own subgraphs check this too; other subgraphs in the same supergraph do not know such callers.
 */
function withoutMutationsOfReaders(): EngineHooks<RequestContext> {
  return {
    onFetch: (fetch, context, next) => {
      const issue =
        fetch.operationKind === 'mutation' && context.principal
          ? findMutationIssue(context.principal)
          : undefined;
      return issue === undefined
        ? next(context)
        : { errors: [{ message: issue, extensions: { code: 'FORBIDDEN' } }] };
    },
  };
}

/**
 * Hooks that add the plan of an operation, as text, to the extensions of its result if the request asks for it. The
 * plan shows subgraphs and their documents. It is computed for each request, so this is for development only.
 */
function explainPlans(supergraphSdl: string): EngineHooks<RequestContext> {
  return {
    async onOperation({ document, operationName }, context, next) {
      const result = await next(context);
      if (context.wantsPlan === true && 'data' in result) {
        const plan = await explainPlan(supergraphSdl, document, operationName);
        result.extensions = { ...result.extensions, plan };
      }
      return result;
    },
  };
}

/**
 * Extra costs. A value that may have kilobytes costs as much as the objects that it stands for. Totals, for which the
 * database reads everything that they count, cost as much as their largest number of objects: 1,000 with a sum each. So does a
 * series of figures.
 * A search or a timeline reads a dozen indexes, even if it finds nothing. The totals of a user count up to 30,000 records, and there
 * is one of these fields for each user of a page.
 */
const WEIGHTS: CostWeights = {
  JSONObject: 10,
  'LinkActivity.data': 1,
  'WebhookDelivery.body': 5,
  'WebhookAttempt.answer': 5,
  'Query.search': 30,
  'Operation.timeline': 30,
  'RequestMoney.timeline': 30,
  'Remittance.timeline': 30,
  'Reservation.timeline': 30,
  'Query.operationTotals': 2_000,
  'Query.requestMoneyTotals': 2_000,
  'FigureReport.series': 1_000,
  'User.paymentTotals': 50,
  'User.lastActivityAt': 3,
};

function limitsOf(config: Config): OperationLimits {
  return {
    depth: config.GRAPHQL_MAX_DEPTH,
    aliases: config.GRAPHQL_MAX_ALIASES,
    rootFields: config.GRAPHQL_MAX_ROOT_FIELDS,
    tokens: config.GRAPHQL_MAX_TOKENS,
    cost: config.GRAPHQL_MAX_COST,
    weights: WEIGHTS,
  };
}
