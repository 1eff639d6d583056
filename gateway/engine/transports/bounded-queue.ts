/** The limits of a queue, and callbacks about its reader. */
export interface QueueOptions<T> {
  /** Most values that wait: 1 or more; no limit where the maker stops pushing by itself. */
  readonly limit: number;
  /** Most bytes of the values that wait. One value may always wait, whatever its size. Default: no limit. */
  readonly maxBytes?: number;
  /** Bytes of a value. Default: none. */
  sizeOf?(value: T): number;
  /** Called with each value that the reader takes. */
  taken?(value: T): void;
  /** Called when the reader learns that there are no more values, or gets a failure. */
  over?(failure: QueueFailure | undefined): void;
  /** Called once when the reader wants no more values of a queue that has not ended. */
  returned?(): void;
}

/** The failure with which a queue ended. */
export interface QueueFailure {
  readonly error: unknown;
}

interface Reader<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

interface Kept<T> {
  readonly value: T;
  readonly bytes: number;
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true };

/**
 * A bounded queue of values that one side pushes and the other side takes, as an iterator. Calls of `next` are answered in their
 * order. `return` takes effect at once, even while `next` waits, and drops the values that wait.
 *
 * A class, because thousands wait at a time: each is this object and the promise of one pending read.
 */
export class BoundedQueue<T> implements AsyncIterableIterator<T, undefined> {
  readonly #options: QueueOptions<T>;
  /** Values that wait for a reader; undefined without any. */
  #waiting: Kept<T>[] | undefined;
  #bytes = 0;
  /** Readers that wait for a value; undefined without any. */
  #readers: Reader<T>[] | undefined;
  #isOver = false;
  #failure: QueueFailure | undefined;

  constructor(options: QueueOptions<T>) {
    this.#options = options;
  }

  /** The number of values that wait. */
  get size(): number {
    return this.#waiting?.length ?? 0;
  }

  /** Bytes of the values that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it has ended; values may still wait. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Hands the value to a reader that waits, or keeps it.
   * @param bytes of the value; by default its `sizeOf`
   * @returns false if it is full or has ended, and did not take the value
   */
  push(value: T, bytes?: number): boolean {
    if (this.#isOver) {
      return false;
    }
    const reader = this.#shiftReader();
    if (reader === undefined) {
      return this.#keep(value, bytes ?? this.#options.sizeOf?.(value) ?? 0);
    }
    this.#hand(reader, value);
    return true;
  }

  /** Ends it. Values that wait can still be taken. The first end counts. */
  end(): void {
    this.#end(undefined);
  }

  /** Like `end`, but the reader gets this failure after the last value, once. */
  fail(error: unknown): void {
    this.#end({ error });
  }

  /** Drops the values that wait. */
  clear(): void {
    this.#waiting = undefined;
    this.#bytes = 0;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      const first = this.#shift();
      if (first !== undefined) {
        this.#hand({ resolve }, first.value);
      } else if (this.#isOver) {
        this.#settle({ resolve, reject });
      } else if (this.#readers === undefined) {
        this.#readers = [{ resolve, reject }];
      } else {
        this.#readers.push({ resolve, reject });
      }
    });
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    const wasOpen = !this.#isOver;
    this.clear();
    this.#failure = undefined;
    this.end();
    if (wasOpen) {
      this.#options.returned?.();
    }
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #keep(value: T, bytes: number): boolean {
    const { limit, maxBytes = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#waiting === undefined) {
      this.#waiting = [{ value, bytes }];
    } else if (this.#waiting.length >= limit || this.#bytes + bytes > maxBytes) {
      return false;
    } else {
      this.#waiting.push({ value, bytes });
    }
    this.#bytes += bytes;
    return true;
  }

  #shift(): Kept<T> | undefined {
    const first = this.#waiting?.shift();
    this.#bytes -= first?.bytes ?? 0;
    if (this.#waiting?.length === 0) {
      this.#waiting = undefined;
    }
    return first;
  }

  #shiftReader(): Reader<T> | undefined {
    const first = this.#readers?.shift();
    if (this.#readers?.length === 0) {
      this.#readers = undefined;
    }
    return first;
  }

  #hand({ resolve }: Pick<Reader<T>, 'resolve'>, value: T): void {
    this.#options.taken?.(value);
    resolve({ value, done: false });
  }

  #end(failure: QueueFailure | undefined): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    this.#failure = failure;
    const readers = this.#readers ?? [];
    this.#readers = undefined;
    for (const reader of readers) {
      this.#settle(reader);
    }
  }

  #settle({ resolve, reject }: Reader<T>): void {
    const failure = this.#failure;
    this.#failure = undefined;
    this.#options.over?.(failure);
    if (failure === undefined) {
      resolve(DONE);
    } else {
      reject(failure.error);
    }
  }
}
