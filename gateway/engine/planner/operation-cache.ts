import { LRUCache } from 'lru-cache';

/** Whether an operation was known, or being prepared already, when it was asked for. */
export type OperationLookup = 'hit' | 'miss';

/** Bounds of a cache of operations, and who hears of its lookups. */
export interface OperationCacheOptions<T> {
  /** Most operations kept. */
  readonly entries: number;
  /** Most bytes of memory that they take, by `sizeOf`. */
  readonly bytes: number;
  /** Bytes that what an operation was turned into takes, its document not included. */
  sizeOf(value: T): number;
  readonly onLookup?: ((lookup: OperationLookup) => void) | undefined;
}

/** Remembers what operations were turned into; the same work is never done twice at the same time. */
export interface OperationCache<T> {
  /**
   * What is known for this document and operation name, or the result of `make`, or a promise while `make` runs.
   * A rejected `make` is forgotten.
   *
   * @param variant tells apart what one operation is turned into for different principals. Default: what it is for
   *   those who lack nothing. Lookups of others are not told: each follows one that was.
   */
  get(
    document: string,
    operationName: string | null,
    make: () => Promise<T>,
    variant?: string,
  ): T | Promise<T>;
}

/**
 * One string for each operation: no document and name that a client makes up look like another name with its document.
 * Most operations have no name, and their document is their key: it need not be copied.
 */
function keyOf(document: string, operationName: string | null, variant: string): string {
  const isPlain = operationName === null && variant === '' && !document.startsWith('\0');
  return isPlain ? document : `\0${JSON.stringify(operationName)}${variant}\n${document}`;
}

const BYTES_OF_CHARACTER = 2;

/** A cache that forgets the operations that were longest not used. */
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
