/** The amount that may wait for a slow client. One value may always wait, whatever its size. */
export interface WaitingLimits {
  readonly events: number;
  /** Bytes of the values' JSON. */
  readonly bytes: number;
}

/** The limit for reading a stream ahead of its reader, and the callbacks. */
export interface ReadAheadOptions<T> {
  readonly limits: WaitingLimits;
  /** Returns the bytes of a value. */
  sizeOf(value: T): number;
  /** Whether the source is read further while this value waits. Otherwise the reader sets the pace. */
  readsOn(value: T): boolean;
  /** Makes the failure of a stream with a slow reader. @param last the last value that the reader has taken */
  tooSlow(last: T | undefined): Error;
  /** Called with each value that the reader takes. @throws the error that the reader gets instead */
  taken?(value: T): void;
  /** Called when the reader learns that there are no more values. */
  over?(): void;
  /** Called with the failure that the reader gets. */
  failed?(error: unknown): void;
  /** Called when the reader wants no more values. */
  returned?(): void;
}

/**
 * Reads a stream ahead of its reader, up to a limit. Beyond it the waiting values are dropped at once, the source ends, and
 * the reader gets the failure the next time it comes. It is for one reader, which calls `next` after it has handled the value
 * before.
 */
export function readAhead<T>(
  source: AsyncIterableIterator<T>,
  options: ReadAheadOptions<T>,
): AsyncIterableIterator<T> {
  return new ReadAhead(source, options);
}

/** How a stream has ended. */
type End = { readonly error: unknown } | 'over';

interface Reader<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}

interface Kept<T> {
  readonly value: T;
  readonly size: number;
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true };

/** A class, because thousands wait at a time: each is this object and the promises of one pending read. */
class ReadAhead<T> implements AsyncIterableIterator<T> {
  /** Values that wait for the reader; undefined without any. */
  #kept: Kept<T>[] | undefined;
  #bytes = 0;
  /** The reader that waits. */
  #reader: Reader<T> | undefined;
  #isReading = false;
  #ended: End | undefined;
  #isFailureReported = false;
  #last: T | undefined;
  readonly #onItem = (item: IteratorResult<T>) => this.#receive(item);
  readonly #onError = (error: unknown) => this.#end({ error });

  constructor(
    private readonly source: AsyncIterableIterator<T>,
    private readonly options: ReadAheadOptions<T>,
  ) {}

  next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      const first = this.#kept?.shift();
      if (first !== undefined) {
        this.#bytes -= first.size;
        this.#hand({ resolve, reject }, first.value);
      } else if (this.#ended !== undefined) {
        this.#settle({ resolve, reject }, this.#ended);
      } else {
        this.#reader = { resolve, reject };
        this.#read();
      }
    });
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.options.returned?.();
    const wasOpen = this.#ended === undefined;
    this.#clear();
    this.#end('over');
    if (wasOpen) {
      await this.source.return?.();
    }
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Reads the next value, unless one is being read. */
  #read(): void {
    if (!this.#isReading && this.#ended === undefined) {
      this.#isReading = true;
      this.source.next().then(this.#onItem, this.#onError);
    }
  }

  #receive(item: IteratorResult<T>): void {
    this.#isReading = false;
    if (this.#ended !== undefined) {
      return;
    }
    if (item.done === true) {
      this.#end('over');
      return;
    }
    this.#put(item.value);
    if (this.#isTooMuch()) {
      this.#clear();
      this.#end({ error: this.options.tooSlow(this.#last) });
      // The stream fails with its own reason; the source reports a failed end.
      this.source.return?.().catch(() => undefined);
    } else if (this.options.readsOn(item.value)) {
      this.#read();
    }
  }

  #isTooMuch(): boolean {
    const { events, bytes } = this.options.limits;
    const waiting = this.#kept?.length ?? 0;
    return waiting > 1 && (waiting > events || this.#bytes > bytes);
  }

  /** Hands the value to the reader that waits, or keeps it. */
  #put(value: T): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader !== undefined) {
      this.#hand(reader, value);
      return;
    }
    const size = this.options.sizeOf(value);
    this.#kept ??= [];
    this.#kept.push({ value, size });
    this.#bytes += size;
  }

  #hand({ resolve, reject }: Reader<T>, value: T): void {
    this.#last = value;
    try {
      this.options.taken?.(value);
      resolve({ value, done: false });
    } catch (error) {
      this.options.failed?.(error);
      reject(error);
    }
  }

  /** Drops the waiting values. */
  #clear(): void {
    this.#kept = undefined;
    this.#bytes = 0;
  }

  /** Ends the values; waiting ones can still be taken. The first end counts. */
  #end(how: End): void {
    this.#ended ??= how;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader !== undefined) {
      this.#settle(reader, this.#ended);
    }
  }

  /** A failure is reported once. */
  #settle({ resolve, reject }: Reader<T>, how: End): void {
    if (how === 'over' || this.#isFailureReported) {
      this.options.over?.();
      resolve(DONE);
    } else {
      this.#isFailureReported = true;
      this.options.failed?.(how.error);
      reject(how.error);
    }
  }
}
