import type { ExecutionResult } from 'graphql';
import { type EngineContext, type LinkedContext, linkContext } from '../context.ts';
import type { EngineHooks } from '../hooks.ts';
import { failRequest } from '../request-error.ts';

/**
 * Hooks that limit the time of queries and mutations. An operation that takes longer than `timeoutMs` gets
 * `OPERATION_TIMEOUT` and no data, and its context's signal is aborted: its fetches end and no others start. A subgraph may
 * still do the part of a mutation that it has received. The timeouts of its fetches limit a subscription.
 *
 * @param controllerOf finds the controller of a context's `signal`, if the context serves only one operation: the time limit
 *   aborts that signal. Default: each operation gets a signal of its own, linked to its context's.
 */
export function withTimeout<Context extends EngineContext>(
  timeoutMs: number,
  controllerOf: (context: Context) => AbortController | undefined = () => undefined,
): EngineHooks<Context> {
  return {
    onOperation(_operation, context, next) {
      const controller = controllerOf(context);
      const limited = controller === undefined ? linkContext(context) : ownContext(context, controller);
      return runWithin(timeoutMs, limited, next);
    },
  };
}

/** The context as it is, with its own controller. */
function ownContext<Context>(context: Context, controller: AbortController): LinkedContext<Context> {
  return { context, abort: (reason) => controller.abort(reason), release: () => undefined };
}

function runWithin<Context>(
  timeoutMs: number,
  { context, abort, release }: LinkedContext<Context>,
  run: (context: Context) => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
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
