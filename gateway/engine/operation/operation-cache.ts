import { LRUCache } from 'lru-cache';

/** Whether an operation was in the cache, or was being prepared already, at its lookup. */
export type OperationLookup = 'hit' | 'miss';

/** Limits of a cache of operations, and a listener to its lookups. */
interface OperationCacheOptions<T> {
  /** Most operations kept. */
  readonly entries: number;
  /** Most bytes of memory that they take, by `sizeOf`. */
  readonly bytes: number;
  /** Bytes of a prepared operation, without its document. */
  sizeOf(value: T): number;
  readonly onLookup?: ((lookup: OperationLookup) => void) | undefined;
}

/** Keeps prepared operations. It never does the same work twice at the same time. */
export interface OperationCache<T> {
  /**
   * Returns the entry for this document and operation name, or calls `make` and keeps its result. Returns a promise while
   * `make` runs. A rejected `make` is forgotten.
   *
   * @param variant distinguishes the entries of one operation for callers with different missing scopes. Default: the
   * entry for callers without missing scopes. Lookups of other variants are not reported, because each follows one that
   * was
   */
  get(
    document: string,
    operationName: string | null,
    make: () => Promise<T>,
    variant?: string,
  ): T | Promise<T>;
}

/**
 * One key for each operation: a client cannot make up a document and a name that give the key of another pair. Most
 * operations have no name; their document is their key, without a copy.
 */
function keyOf(document: string, operationName: string | null, variant: string): string {
  const isPlain = operationName === null && variant === '' && !document.startsWith('\0');
  return isPlain ? document : `\0${JSON.stringify(operationName)}${variant}\n${document}`;
}

const BYTES_OF_CHARACTER = 2;

/** Creates a cache that drops the least recently used operations. */
export function createOperationCache<T extends object>(options: OperationCacheOptions<T>): OperationCache<T> {
  const known = new LRUCache<string, T>({ max: options.entries, maxSize: options.bytes });
  const pending = new Map<string, Promise<T>>();
  return {
    get(document, operationName, make, variant = '') {
      const key = keyOf(document, operationName, variant);
      const value = known.get(key) ?? pending.get(key);
      if (variant === '') {
        options.onLookup?.(value === undefined ? 'miss' : 'hit');
      }
      if (value !== undefined) {
        return value;
      }
      const made = make()
        .then((result) => {
          known.set(key, result, {
            size: BYTES_OF_CHARACTER * key.length + Math.ceil(options.sizeOf(result)) + 1,
          });
          return result;
        })
        .finally(() => pending.delete(key));
      pending.set(key, made);
      return made;
    },
  };
}
