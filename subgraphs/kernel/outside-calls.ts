import { AsyncResource } from 'node:async_hooks';

/** Made when the process starts, outside of every call. */
const outside = new AsyncResource('outside-calls');

/**
 * Runs work that outlives the call that happens to start it, such as a loop: its commands, log lines and spans are then not that
 * call's. `AsyncLocalStorage` has no value in it.
 */
export function outsideCalls<T>(work: () => T): T {
  return outside.runInAsyncScope(work);
}
