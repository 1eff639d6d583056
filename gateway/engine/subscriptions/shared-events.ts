import type { ExecutionResult } from 'graphql';

/** What is made of an event for one subscriber serves others for so long: who gets it later reads anew. */
const SHARED_MS = 1_000;

/**
 * Has subscribers share what is made of an event. Those share it who have the same event object and the same key; a failure,
 * and a result with errors, serves only those who wait for it.
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

/** Nothing is kept longer than its event. @param now a time in milliseconds */
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
