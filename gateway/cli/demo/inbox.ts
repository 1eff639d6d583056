import { EventEmitter, once } from 'node:events';

/** Keeps arriving items, so that a step can wait for an item that has already arrived. */
export interface Inbox<T> {
  put(item: T): void;
  /** Ends the inbox: waiting steps get the error. Items that have arrived can still be collected. */
  fail(error: Error): void;
  /**
   * Waits until at least `count` of the items match.
   * @returns all that match, in the order in which they came
   * @throws the signal's reason, or the error of {@link fail}
   */
  collect(count: number, matches: (item: T) => boolean, signal: AbortSignal): Promise<T[]>;
}

export function createInbox<T>(): Inbox<T> {
  const items: T[] = [];
  const changes = new EventEmitter();
  let failure: Error | undefined;
  return {
    put: (item) => {
      items.push(item);
      changes.emit('change');
    },
    fail: (error) => {
      failure = error;
      changes.emit('change');
    },
    collect: async (count, matches, signal) => {
      while (true) {
        const found = items.filter(matches);
        if (found.length >= count) {
          return found;
        }
        if (failure) {
          throw failure;
        }
        await once(changes, 'change', { signal });
      }
    },
  };
}
