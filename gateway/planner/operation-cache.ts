import { LRUCache } from 'lru-cache';

/** Whether an operation was known, or being prepared already, when it was asked for. */
export type OperationLookup = 'hit' | 'miss';

/** Bounds of a cache of operations, and who hears of its lookups. */
export interface OperationCacheOptions {
  /** Most operations kept. */
  readonly entries: number;
  /** Most characters of document text kept, over all operations. */
  readonly characters: number;
  readonly onLookup?: ((lookup: OperationLookup) => void) | undefined;
}

/** Remembers what operations were turned into; the same work is never done twice at the same time. */
export interface OperationCache<T> {
  /**
   * What is known for this document and operation name, or the result of `make`, or a promise while `make` runs.
   * A rejected `make` is forgotten.
   */
  get(document: string, operationName: string | null, make: () => Promise<T>): T | Promise<T>;
}

/** A cache that forgets the operations that were longest not used. */
export function createOperationCache<T extends object>(options: OperationCacheOptions): OperationCache<T> {
  const known = new LRUCache<string, T>({ max: options.entries, maxSize: options.characters });
  const pending = new Map<string, Promise<T>>();
  return {
    get(document, operationName, make) {
      const key = operationName === null ? document : `${operationName}\n${document}`;
      const value = known.get(key) ?? pending.get(key);
      options.onLookup?.(value === undefined ? 'miss' : 'hit');
      if (value !== undefined) {
        return value;
      }
      const made = make()
        .then((result) => {
          known.set(key, result, { size: key.length + 1 });
          return result;
        })
        .finally(() => pending.delete(key));
      pending.set(key, made);
      return made;
    },
  };
}
