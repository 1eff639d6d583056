import { addAbortListener } from 'node:events';
import { ADD_END_LISTENER, type StreamEnd } from './on-stream-end.ts';

/** Maps a source's values, and its failure. */
interface EventStreamHandlers<T, R> {
  /** When it fails, the stream ends like one whose source failed. */
  map(value: T): Promise<R>;
  /** Makes the last result of a stream whose source failed. */
  failed(error: unknown): R | Promise<R>;
  /** Called when the source could not end cleanly; the stream has ended by then. */
  endFailed(error: unknown): void;
}

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true };

/**
 * Maps a source's values one at a time. It reads the next value when the reader has taken the last one, so a slow reader
 * slows the source and fills no memory. `return()` ends the stream at once, even while `next()` waits for an event, and ends
 * the source too; so does `signal` when it aborts. The source ends with the stream in every case.
 */
export function mapEventStream<T, R>(
  source: AsyncIterable<T>,
  handlers: EventStreamHandlers<T, R>,
  signal?: AbortSignal,
): AsyncIterableIterator<R> {
  return new MappedStream(source[Symbol.asyncIterator](), handlers, signal);
}

/** A class, because thousands wait at a time: each is this object and the promises of one pending read. */
class MappedStream<T, R> implements AsyncIterableIterator<R> {
  readonly #source: AsyncIterator<T>;
  readonly #handlers: EventStreamHandlers<T, R>;
  #listening: Disposable | undefined;
  /** Listeners to the end. */
  #listeners: ((how: StreamEnd) => void)[] = [];
  #ended: StreamEnd | undefined;
  /** Answers the pending read. */
  #answer: ((result: IteratorResult<R> | Promise<IteratorResult<R>>) => void) | undefined;
  /** The last requested read, and the number of waiting reads. */
  #last: Promise<IteratorResult<R>> = Promise.resolve(DONE);
  #queued = 0;
  readonly #onItem = (item: IteratorResult<T>) => this.#receive(item);
  readonly #onError = (error: unknown) => this.#fail(error);

  constructor(
    source: AsyncIterator<T>,
    handlers: EventStreamHandlers<T, R>,
    signal: AbortSignal | undefined,
  ) {
    this.#source = source;
    this.#handlers = handlers;
    if (signal?.aborted) {
      this.#stop();
    } else {
      this.#listening = signal && addAbortListener(signal, () => this.#stop());
    }
  }

  next(): Promise<IteratorResult<R>> {
    if (this.#answer === undefined && this.#queued === 0) {
      this.#last = this.#read();
    } else {
      // Reads wait for each other, so events keep their order even if one takes long.
      this.#queued += 1;
      this.#last = this.#last.then(() => {
        this.#queued -= 1;
        return this.#read();
      });
    }
    return this.#last;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#stop();
    return Promise.resolve(DONE);
  }

  throw(error: unknown): Promise<never> {
    this.#stop();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [ADD_END_LISTENER](listener: (how: StreamEnd) => void): void {
    if (this.#ended === undefined) {
      this.#listeners.push(listener);
    } else {
      listener(this.#ended);
    }
  }

  #read(): Promise<IteratorResult<R>> {
    if (this.#ended !== undefined) {
      return Promise.resolve(DONE);
    }
    return new Promise((resolve) => {
      this.#answer = resolve;
      try {
        this.#source.next().then(this.#onItem, this.#onError);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #settle(result: IteratorResult<R> | Promise<IteratorResult<R>>): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(result);
  }

  #receive(item: IteratorResult<T>): void {
    if (item.done === true) {
      this.#finish('completed');
      this.#settle(DONE);
    } else if (this.#ended === undefined) {
      try {
        this.#handlers.map(item.value).then((value) => this.#settle({ value, done: false }), this.#onError);
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #fail(error: unknown): void {
    if (this.#ended === undefined) {
      this.#finish('failed');
      // The mapping may have failed, while the source is still open.
      this.#letSourceEnd();
      this.#settle(this.#makeLast(error));
    }
  }

  async #makeLast(error: unknown): Promise<IteratorResult<R>> {
    return { value: await this.#handlers.failed(error), done: false };
  }

  #stop(): void {
    if (this.#ended === undefined) {
      this.#finish('stopped');
      this.#settle(DONE);
      this.#letSourceEnd();
    }
  }

  #finish(how: StreamEnd): void {
    if (this.#ended === undefined) {
      this.#ended = how;
      this.#listening?.[Symbol.dispose]();
      for (const listener of this.#listeners.splice(0)) {
        listener(how);
      }
    }
  }

  /**
   * It does not wait for the source, which may be waiting for an event itself: an async generator returns only after that.
   */
  #letSourceEnd(): void {
    this.#endSource().catch(this.#handlers.endFailed);
  }

  async #endSource(): Promise<void> {
    await this.#source.return?.();
  }
}
