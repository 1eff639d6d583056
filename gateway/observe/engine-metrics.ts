import { Counter, Histogram, type Registry } from 'prom-client';
import { type EngineContext, type EngineHooks, type Outcome, observe } from '../engine/index.ts';
import { BUCKETS } from './buckets.ts';

/** Operation names come from clients: beyond this many they share the label `other`. */
const MOST_OPERATION_NAMES = 200;

/** Makes hooks for an engine with any context. */
export type HooksFactory = <Context extends EngineContext>() => EngineHooks<Context>;

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
export function createEngineMetrics(registry: Registry): HooksFactory {
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
  const boundedName = boundNames(MOST_OPERATION_NAMES);
  return () => ({
    onLookup: (result) => lookups.inc({ result }),
    onOperation: ({ operationName }, context, next) =>
      observe(
        () => next(context),
        (outcome) => {
          const labels = { operation: boundedName(operationName), outcome: outcomeOf(outcome) };
          operations.observe(labels, outcome.durationMs / 1000);
        },
      ),
    onFetch: ({ subgraph }, context, next) =>
      observe(
        () => next(context),
        (outcome) => fetches.observe({ subgraph, outcome: outcomeOf(outcome) }, outcome.durationMs / 1000),
      ),
  });
}

function boundNames(most: number): (name: string | undefined) => string {
  const known = new Set<string>();
  return (name) => {
    if (name === undefined || name === '') {
      return 'anonymous';
    }
    if (!known.has(name) && known.size >= most) {
      return 'other';
    }
    known.add(name);
    return name;
  };
}
