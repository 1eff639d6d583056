import type { RequestContext } from '../principal.ts';

interface Batch<Value> {
  readonly keys: Set<string>;
  readonly loaded: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Loads for field resolvers: keys that the fields of one request need in the same turn are read together, each once.
 * Nothing is kept behind that, so that a long subscription sees what there is.
 */
export function createBatchLoader<Value>(
  load: (context: RequestContext, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (context: RequestContext, key: string) => Promise<Value | undefined> {
  const batches = new WeakMap<RequestContext, Batch<Value>>();
  const begin = (context: RequestContext): Batch<Value> => {
    const keys = new Set<string>();
    const loaded = Promise.resolve().then(() => {
      batches.delete(context);
      return load(context, [...keys]);
    });
    const batch = { keys, loaded };
    batches.set(context, batch);
    return batch;
  };
  return async (context, key) => {
    const { keys, loaded } = batches.get(context) ?? begin(context);
    keys.add(key);
    return (await loaded).get(key);
  };
}
