import { addAbortListener } from 'node:events';
import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../../../subgraphs/platform/principal.ts';
import type { Engine } from '../engine.ts';
import { failRequest } from '../planner/request-error.ts';

/**
 * The same engine; a query or mutation that takes longer than `timeoutMs` is answered with `OPERATION_TIMEOUT` and
 * without data, and its context's signal is aborted, which ends its fetches and starts no others. What a mutation had
 * asked of a subgraph by then may be done all the same. A subscription is bounded by the timeouts of its fetches.
 */
export function withTimeout(engine: Engine, timeoutMs: number): Engine {
  const limit = (context: RequestContext, run: (context: RequestContext) => Promise<ExecutionResult>) =>
    within(timeoutMs, context, run);
  return {
    ...engine,
    execute: (request, context) => limit(context, (limited) => engine.execute(request, limited)),
    executeTrusted: (document, variables, context) =>
      limit(context, (limited) => engine.executeTrusted(document, variables, limited)),
  };
}

function within(
  timeoutMs: number,
  context: RequestContext,
  run: (context: RequestContext) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const { signal } = context;
  const controller = new AbortController();
  const forward = () => controller.abort(signal?.reason);
  if (signal?.aborted) {
    forward();
  }
  const listening = signal && addAbortListener(signal, forward);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const failed = failRequest(
        'OPERATION_TIMEOUT',
        `The operation took longer than ${timeoutMs / 1000} s.`,
      );
      resolve(failed);
      controller.abort(failed.errors[0]);
    }, timeoutMs);
    run({ ...context, signal: controller.signal })
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        listening?.[Symbol.dispose]();
      });
  });
}
