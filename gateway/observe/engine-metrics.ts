import { Counter, Histogram, type Registry } from 'prom-client';
import { type EngineContext, type EngineHooks, type Outcome, observe } from '../engine/index.ts';
import { BUCKETS } from './buckets.ts';

/** Makes hooks for an engine with any context. */
type HooksFactory = <Context extends EngineContext>() => EngineHooks<Context>;

/** The measures of engines. */
export interface EngineMetrics {
  readonly hooks: HooksFactory;
  /**
   * Adds names of trusted documents. Only they become labels: clients choose all other names, which share the label `other`.
   */
  nameOperations(names: Iterable<string>): void;
}

/** Whether a result, or a subgraph's response, has errors. */
function outcomeOf({
  result,
}: Outcome<{ readonly errors?: readonly unknown[] | undefined }>): 'ok' | 'error' {
  return result === undefined || result.errors ? 'error' : 'ok';
}

/**
 * Makes hooks that measure engines: operations by name, fetches by subgraph, lookups of plans. Durations
 * are in seconds.
 */
export function createEngineMetrics(registry: Registry): EngineMetrics {
  const registers = [registry];
  const operations = new Histogram({
    name: 'graphql_operation_duration_seconds',
    help: 'GraphQL operations by name and outcome',
    labelNames: ['operation', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  const fetches = new Histogram({
    name: 'graphql_subgraph_fetch_duration_seconds',
    help: 'Fetches of plans by subgraph and outcome',
    labelNames: ['subgraph', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  const lookups = new Counter({
    name: 'graphql_operation_cache_lookups_total',
    help: 'Lookups of planned operations in the cache, by result',
    labelNames: ['result'],
    registers,
  });
  const trusted = new Set<string>();
  const labelOf = (name: string | undefined) => labelOfName(trusted, name);
  const hooks: HooksFactory = () => ({
    onLookup: (result) => lookups.inc({ result }),
    onOperation: ({ operationName }, context, next) =>
      observe(
        () => next(context),
        (outcome) => {
          const labels = { operation: labelOf(operationName), outcome: outcomeOf(outcome) };
          operations.observe(labels, outcome.durationMs / 1000);
        },
      ),
    onFetch: ({ subgraph }, context, next) =>
      observe(
        () => next(context),
        (outcome) => fetches.observe({ subgraph, outcome: outcomeOf(outcome) }, outcome.durationMs / 1000),
      ),
  });
  return {
    hooks,
    nameOperations: (names) => {
      for (const name of names) {
        trusted.add(name);
      }
    },
  };
}

function labelOfName(trusted: ReadonlySet<string>, name: string | undefined): string {
  if (name === undefined || name === '') {
    return 'anonymous';
  }
  return trusted.has(name) ? name : 'other';
}
