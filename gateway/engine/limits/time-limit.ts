import { addAbortListener } from 'node:events';
import type { ExecutionResult } from 'graphql';
import type { EngineContext } from '../context.ts';
import type { EngineHooks } from '../hooks.ts';
import { failRequest } from '../request-error.ts';

/**
 * Hooks that limit the time of queries and mutations. An operation that takes longer than `timeoutMs` gets
 * `OPERATION_TIMEOUT` and no data, and its context's signal is aborted: its fetches end and no others start. A subgraph may
 * still do the part of a mutation that it has received. The timeouts of its fetches limit a subscription.
 */
export function withTimeout<Context extends EngineContext>(timeoutMs: number): EngineHooks<Context> {
  return { onOperation: (_operation, context, next) => runWithin(timeoutMs, context, next) };
}

/** The context that an operation runs with, and a way to end it. */
interface Abortable<Context> {
  readonly context: Context;
  abort(reason: unknown): void;
  /** Call it when the operation has ended. */
  release(): void;
}

function toAbortable<Context extends EngineContext>(context: Context): Abortable<Context> {
  if (context.abort !== undefined) {
    return { context, abort: (reason) => context.abort?.(reason), release: () => undefined };
  }
  const { signal } = context;
  const controller = new AbortController();
  const forward = () => controller.abort(signal?.reason);
  if (signal?.aborted) {
    forward();
  }
  const listening = signal && addAbortListener(signal, forward);
  return {
    context: { ...context, signal: controller.signal },
    abort: (reason) => controller.abort(reason),
    release: () => listening?.[Symbol.dispose](),
  };
}

function runWithin<Context extends EngineContext>(
  timeoutMs: number,
  given: Context,
  run: (context: Context) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const { context, abort, release } = toAbortable(given);
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      release();
    };
    const timer = setTimeout(() => {
      end();
      const failed = failRequest(
        'OPERATION_TIMEOUT',
        `The operation took longer than ${timeoutMs / 1000} s.`,
      );
      resolve(failed);
      abort(failed.errors[0]);
    }, timeoutMs);
    begin(run, context).then(
      (result) => {
        end();
        resolve(result);
      },
      (error: unknown) => {
        end();
        reject(error);
      },
    );
  });
}

/** A hook may throw before there is a promise. */
function begin<Context>(
  run: (context: Context) => Promise<ExecutionResult>,
  context: Context,
): Promise<ExecutionResult> {
  try {
    return run(context);
  } catch (error) {
    return Promise.reject(error);
  }
}
