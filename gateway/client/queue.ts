import { onAbort } from './abort.ts';

/** A bounded queue of values for one reader. */
export interface Queue<T> {
  /**
   * Passes the value to a waiting reader, or keeps it.
   * @returns false if the queue is full and did not take the value
   */
  put(value: T): boolean;
  /**
   * Ends the queue. Waiting values can still be read, then comes the failure, if there is one. The first call counts.
   */
  end(failure?: { readonly error: unknown }): void;
  /** Lets go what waits. */
  clear(): void;
  next(): Promise<IteratorResult<T, undefined>>;
  /** Resolves when at least half of it is free, or the signal is aborted. */
  room(signal: AbortSignal): Promise<void>;
}

interface Reader<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

const DONE = { value: undefined, done: true } as const;

/** Makes an empty queue. @param limit the number of values that may wait, 1 or more */
export function createQueue<T>(limit: number): Queue<T> {
  const waiting: T[] = [];
  /** Only while nothing waits. */
  const readers: Reader<T>[] = [];
  let makeRoom: () => void = () => undefined;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  const settle = (reader: Reader<T>) => {
    const end = failure;
    failure = undefined;
    if (end === undefined) {
      reader.resolve(DONE);
    } else {
      reader.reject(end.error);
    }
  };
  return {
    put(value) {
      if (isOver || waiting.length >= limit) {
        return false;
      }
      const reader = readers.shift();
      if (reader === undefined) {
        waiting.push(value);
      } else {
        reader.resolve({ value, done: false });
      }
      return true;
    },
    end(how) {
      if (!isOver) {
        isOver = true;
        failure = how;
        readers.splice(0).forEach(settle);
      }
    },
    clear() {
      waiting.length = 0;
    },
    next: () =>
      new Promise((resolve, reject) => {
        if (waiting.length > 0) {
          resolve({ value: waiting.shift() as T, done: false });
          if (waiting.length <= limit / 2) {
            makeRoom();
          }
        } else if (isOver) {
          settle({ resolve, reject });
        } else {
          readers.push({ resolve, reject });
        }
      }),
    room: (signal) =>
      new Promise((resolve) => {
        let unlisten: () => void = () => undefined;
        makeRoom = () => {
          unlisten();
          resolve();
        };
        if (waiting.length <= limit / 2) {
          makeRoom();
        } else {
          unlisten = onAbort(signal, makeRoom);
        }
      }),
  };
}
