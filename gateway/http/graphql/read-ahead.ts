/** How much may wait for a client that reads too slowly. One value may always wait, however large it is. */
export interface WaitingLimits {
  readonly events: number;
  /** Of the values' JSON. */
  readonly bytes: number;
}

/** How far a stream is read ahead of its reader. */
export interface ReadAheadOptions<T> {
  readonly limits: WaitingLimits;
  /** The bytes that a value takes. */
  sizeOf(value: T): number;
  /** Whether the source is read on while this value waits. Where it is not, the reader sets the pace. */
  readsOn(value: T): boolean;
  /** Makes the failure of a stream whose reader is too slow. @param last what the reader has taken last */
  tooSlow(last: T | undefined): Error;
}

/**
 * Reads a stream ahead of its reader, up to a limit. Beyond it what waits is let go at once, the source ends, and the reader
 * gets the failure the next time it comes. For one reader, which calls `next` when it has dealt with the value before.
 */
export function readAhead<T>(
  source: AsyncIterableIterator<T>,
  { limits, sizeOf, readsOn, tooSlow }: ReadAheadOptions<T>,
): AsyncIterableIterator<T> {
  const outbox = createOutbox<T>(sizeOf);
  let isReading = false;
  const endSource = async () => {
    await source.return?.();
  };
  const isTooMuch = ({ events, bytes }: Waiting) =>
    events > 1 && (events > limits.events || bytes > limits.bytes);
  const receive = (item: IteratorResult<T>) => {
    if (item.done === true) {
      outbox.end('over');
      return;
    }
    outbox.put(item.value);
    if (isTooMuch(outbox.waiting())) {
      outbox.clear();
      outbox.end({ error: tooSlow(outbox.last()) });
      // The stream fails with its own reason; an end that fails is told by the source.
      endSource().catch(() => undefined);
    } else if (readsOn(item.value)) {
      void read();
    }
  };
  const read = async () => {
    if (isReading || outbox.isEnded()) {
      return;
    }
    isReading = true;
    try {
      const item = await source.next();
      isReading = false;
      if (!outbox.isEnded()) {
        receive(item);
      }
    } catch (error) {
      outbox.end({ error });
    }
  };
  return {
    next() {
      if (outbox.waiting().events === 0) {
        void read();
      }
      return outbox.next();
    },
    async return() {
      const wasOpen = !outbox.isEnded();
      outbox.clear();
      outbox.end('over');
      if (wasOpen) {
        await endSource();
      }
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface Waiting {
  readonly events: number;
  readonly bytes: number;
}

/** How a stream has ended. */
type End = { readonly error: unknown } | 'over';

/** Values between a source and one reader. */
interface Outbox<T> {
  /** Hands the value to the reader that waits, or keeps it. */
  put(value: T): void;
  /** No more values; those that wait are still taken. The first end counts. */
  end(how: End): void;
  /** Lets go what waits. */
  clear(): void;
  next(): Promise<IteratorResult<T>>;
  waiting(): Waiting;
  isEnded(): boolean;
  /** What was taken last. */
  last(): T | undefined;
}

interface Reader<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}

function createOutbox<T>(sizeOf: (value: T) => number): Outbox<T> {
  let kept: { readonly value: T; readonly size: number }[] = [];
  let bytes = 0;
  let reader: Reader<T> | undefined;
  let ended: End | undefined;
  let isFailureTold = false;
  let last: T | undefined;
  const tellEnd = ({ resolve, reject }: Reader<T>, how: End) => {
    if (how === 'over' || isFailureTold) {
      resolve({ value: undefined, done: true });
    } else {
      isFailureTold = true;
      reject(how.error);
    }
  };
  const hand = ({ resolve }: Reader<T>, value: T) => {
    last = value;
    resolve({ value, done: false });
  };
  return {
    put(value) {
      const pending = reader;
      reader = undefined;
      if (pending === undefined) {
        const size = sizeOf(value);
        kept.push({ value, size });
        bytes += size;
      } else {
        hand(pending, value);
      }
    },
    end(how) {
      ended ??= how;
      const pending = reader;
      reader = undefined;
      if (pending !== undefined) {
        tellEnd(pending, ended);
      }
    },
    clear() {
      kept = [];
      bytes = 0;
    },
    next: () =>
      new Promise((resolve, reject) => {
        const first = kept.shift();
        if (first !== undefined) {
          bytes -= first.size;
          hand({ resolve, reject }, first.value);
        } else if (ended !== undefined) {
          tellEnd({ resolve, reject }, ended);
        } else {
          reader = { resolve, reject };
        }
      }),
    waiting: () => ({ events: kept.length, bytes }),
    isEnded: () => ended !== undefined,
    last: () => last,
  };
}
