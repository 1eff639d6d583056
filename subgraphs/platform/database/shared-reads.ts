import { setImmediate as endOfTurn } from 'node:timers/promises';
import { shareLoads } from '../shared-loads.ts';

/**
 * Has reads by key that calls of one tenant begin in the same turn of the event loop share one command: most of what a
 * read by an index costs is its command, and under load a turn brings several calls. Nothing is kept behind the read, and
 * tenants never share one.
 * @param read reads by at least one key and at most 100, each given once, confined to the tenant; what is not there is absent
 */
export function shareReads<Value>(
  read: (tenantId: string, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (tenantId: string, key: string) => Promise<Value | undefined> {
  return shareLoads(read, () => endOfTurn());
}
