import type { ExecutionResult } from 'graphql';

/**
 * The time in which other subscribers get the result that was made for one of them. A later subscriber makes a new
 * one.
 */
const SHARED_MS = 1_000;

/**
 * Lets subscribers share the result of an event: those with the same event object and the same key. A failure, or a result
 * with errors, goes only to subscribers that already wait for it.
 */
export type ShareEvents = (
  event: object,
  key: string,
  make: () => Promise<ExecutionResult>,
) => Promise<ExecutionResult>;

interface Made {
  readonly at: number;
  readonly result: Promise<ExecutionResult>;
}

/** Keeps nothing longer than its event. @param now a time in milliseconds */
export function createSharedEvents(now: () => number = () => performance.now()): ShareEvents {
  const madeOf = new WeakMap<object, Map<string, Made>>();
  return (event, key, make) => {
    const byKey = madeOf.get(event) ?? new Map<string, Made>();
    madeOf.set(event, byKey);
    const known = byKey.get(key);
    if (known !== undefined && now() - known.at < SHARED_MS) {
      return known.result;
    }
    const made: Made = { at: now(), result: make() };
    byKey.set(key, made);
    const forget = () => {
      if (byKey.get(key) === made) {
        byKey.delete(key);
      }
    };
    made.result.then(({ errors }) => (errors === undefined ? undefined : forget()), forget);
    return made.result;
  };
}
