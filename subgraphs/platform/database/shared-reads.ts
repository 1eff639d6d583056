import { setImmediate as endOfTurn } from 'node:timers/promises';

/** What one read is to find. */
interface Batch<Value> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, Value>>;
}

/**
 * Has reads by key that calls of one tenant begin in the same turn of the event loop share one command: most of what a
 * read by an index costs is its command, and under load a turn brings several calls. Nothing is kept behind the read, and
 * tenants never share one.
 * @param read reads by at least one key, each given once, confined to the tenant; what is not there is absent
 */
export function shareReads<Value>(
  read: (tenantId: string, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (tenantId: string, key: string) => Promise<Value | undefined> {
  const batches = new Map<string, Batch<Value>>();
  const begin = (tenantId: string): Batch<Value> => {
    const keys = new Set<string>();
    const found = endOfTurn().then(() => {
      batches.delete(tenantId);
      return read(tenantId, [...keys]);
    });
    const batch = { keys, found };
    batches.set(tenantId, batch);
    return batch;
  };
  return async (tenantId, key) => {
    const { keys, found } = batches.get(tenantId) ?? begin(tenantId);
    keys.add(key);
    return (await found).get(key);
  };
}
