import type { RequestContext } from '../kernel/principal.ts';
import { shareLoads } from '../kernel/shared-loads.ts';

/**
 * Loads for field resolvers: it reads together, each once, the keys that the fields of one request need in the same turn. It
 * keeps nothing after that, so that a long subscription sees the present state.
 */
export function createBatchLoader<Value>(
  load: (context: RequestContext, keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (context: RequestContext, key: string) => Promise<Value | undefined> {
  return shareLoads(load, () => Promise.resolve());
}
