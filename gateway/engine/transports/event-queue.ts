/** A queue of values that one side pushes and the other side takes. */
export interface EventQueue<T> {
  /** The number of values that wait. */
  size(): number;
  push(value: T): void;
  /** Ends the queue. Values that wait can still be taken. */
  end(): void;
  /** Like `end`, but the reader gets this failure after the last value. */
  fail(error: unknown): void;
  readonly values: AsyncIterableIterator<T>;
}

interface EventQueueListener {
  /** The reader wants no more values. Called once, at once, and not after the end. */
  returned(): void;
  /** A value was taken. */
  taken?(): void;
}

/** Makes a queue for one reader. `return()` takes effect at once, even while `next()` waits. */
export function createEventQueue<T>(listener: EventQueueListener): EventQueue<T> {
  const waiting: T[] = [];
  let reader: { resolve(result: IteratorResult<T>): void; reject(error: unknown): void } | null = null;
  let isOver = false;
  let failure: { readonly error: unknown } | null = null;

  function close(error: { readonly error: unknown } | null): void {
    if (isOver) {
      return;
    }
    isOver = true;
    const pending = reader;
    reader = null;
    if (pending === null) {
      failure = error;
    } else if (error === null) {
      pending.resolve({ value: undefined, done: true });
    } else {
      pending.reject(error.error);
    }
  }

  function next(): Promise<IteratorResult<T>> {
    const [value] = waiting;
    if (waiting.length > 0) {
      // The cast: the list has a first value.
      waiting.shift();
      listener.taken?.();
      return Promise.resolve({ value: value as T, done: false });
    }
    if (failure !== null) {
      const { error } = failure;
      failure = null;
      return Promise.reject(error);
    }
    return isOver
      ? Promise.resolve({ value: undefined, done: true })
      : new Promise((resolve, reject) => {
          reader = { resolve, reject };
        });
  }

  return {
    size: () => waiting.length,
    push(value) {
      if (isOver) {
        return;
      }
      const pending = reader;
      reader = null;
      if (pending === null) {
        waiting.push(value);
      } else {
        pending.resolve({ value, done: false });
      }
    },
    end: () => close(null),
    fail: (error) => close({ error }),
    values: {
      next,
      return() {
        const wasOpen = !isOver;
        waiting.length = 0;
        failure = null;
        close(null);
        if (wasOpen) {
          listener.returned();
        }
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    },
  };
}
