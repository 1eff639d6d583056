import { LRUCache } from 'lru-cache';

/**
 * A cache of the `most` entries that were used last, by string key. Its memory grows with its content. An `LRUCache` with
 * `max` takes the memory of all entries when it is made; with tens of thousands, every start would pay for it.
 * @param ttl how long an entry is kept, milliseconds; default: for good
 */
export function createBoundedCache<Value extends NonNullable<unknown>>(
  most: number,
  ttl = 0,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ttl });
}
