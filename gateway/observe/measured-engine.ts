import type { ExecutionResult } from 'graphql';
import type { Engine, TrustedDocument } from '../engine/engine.ts';
import { operationNameOf } from '../engine/planner/operation-name.ts';
import { onStreamEnd } from '../engine/subscriptions/on-stream-end.ts';
import type { Metrics } from './metrics.ts';

type EngineMetrics = Pick<Metrics, 'observeOperation' | 'subscriptionStarted' | 'subscriptionEnded'>;

/** The same engine; its operations are timed by name, its subscriptions counted. */
export function measureEngine(engine: Engine, metrics: EngineMetrics): Engine {
  const trustedNames = new WeakMap<TrustedDocument, string | undefined>();
  return {
    ...engine,
    execute: (request, context) =>
      timed(metrics, request.operationName, () => engine.execute(request, context)),
    prepareTrusted: (document) => {
      const trusted = engine.prepareTrusted(document);
      trustedNames.set(trusted, operationNameOf(document));
      return trusted;
    },
    executeTrusted: (document, variables, context) =>
      timed(metrics, trustedNames.get(document), () => engine.executeTrusted(document, variables, context)),
    subscribe: async (request, context) => {
      const result = await engine.subscribe(request, context);
      return Symbol.asyncIterator in result ? counted(metrics, result) : result;
    },
  };
}

async function timed(
  metrics: EngineMetrics,
  name: string | null | undefined,
  run: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const start = performance.now();
  const result = await run();
  metrics.observeOperation(name, result.errors ? 'error' : 'ok', (performance.now() - start) / 1000);
  return result;
}

function counted(
  metrics: EngineMetrics,
  events: AsyncIterableIterator<ExecutionResult>,
): AsyncIterableIterator<ExecutionResult> {
  metrics.subscriptionStarted();
  return onStreamEnd(events, (how) => metrics.subscriptionEnded(how));
}
