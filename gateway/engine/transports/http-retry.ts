import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from './http-exchange.ts';

/**
 * Calls `attempt` again after each delay, as long as nothing came back (N delays, N + 1 attempts). For queries only: a
 * subgraph may have begun to work when its connection ended.
 */
export async function retryWithoutAnswer<T>(
  attempt: () => Promise<T>,
  delaysMs: readonly number[],
  signal: AbortSignal | undefined,
): Promise<T> {
  for (const delay of delaysMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        throw error;
      }
      await waitFor(delay, signal);
    }
  }
  return attempt();
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // `sleep` rejects with an error of its own when the signal aborts; callers get the signal's reason.
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  signal?.throwIfAborted();
}
