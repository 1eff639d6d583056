import { LRUCache } from 'lru-cache';

/**
 * A cache of the `most` entries that were used last, by string key. Its memory grows with its content. An `LRUCache` with
 * `max` takes the memory of all entries when it is made; with tens of thousands, every start would pay for it.
 */
export function createBoundedCache<Value extends NonNullable<unknown>>(
  most: number,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
