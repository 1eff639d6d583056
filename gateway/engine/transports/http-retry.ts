import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from './http-exchange.ts';

/**
 * Calls `attempt` again after each delay, as long as nothing came back (N delays, N + 1 attempts). For queries only: a
 * subgraph may have begun to work when its connection ended.
 */
export function retryWithoutAnswer<T>(
  attempt: () => Promise<T>,
  delaysMs: readonly number[],
  signal: AbortSignal | undefined,
): Promise<T> {
  const attemptFrom = (tried: number): Promise<T> =>
    attempt().catch(async (error: unknown) => {
      const delay = delaysMs[tried];
      if (delay === undefined || !(error instanceof NoAnswer)) {
        throw error;
      }
      await waitFor(delay, signal);
      return attemptFrom(tried + 1);
    });
  return attemptFrom(0);
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // `sleep` rejects with an error of its own when the signal aborts; callers get the signal's reason.
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}
