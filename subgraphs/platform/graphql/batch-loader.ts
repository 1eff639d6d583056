import type { RequestContext } from '../principal.ts';
import { shareLoads } from '../shared-loads.ts';

/**
 * Loads for field resolvers: keys that the fields of one request need in the same turn are read together, each once.
 * Nothing is kept behind that, so that a long subscription sees what there is.
 */
export function createBatchLoader<Value>(
  load: (context: RequestContext, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (context: RequestContext, key: string) => Promise<Value | undefined> {
  return shareLoads(load, () => Promise.resolve());
}
