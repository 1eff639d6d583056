import { addAbortListener } from 'node:events';

/** Maps a source's values, and its failure. */
export interface EventStreamHandlers<T, R> {
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
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  let answerWaiting: ((result: IteratorResult<R>) => void) | null = null;

  async function advance(): Promise<IteratorResult<R>> {
    try {
      const item = await iterator.next();
      if (ended || item.done === true) {
        finish();
        return DONE;
      }
      return { value: await handlers.map(item.value), done: false };
    } catch (error) {
      if (ended) {
        return DONE;
      }
      finish();
      // The mapping may have failed, while the source is still open.
      letSourceEnd();
      return { value: await handlers.failed(error), done: false };
    }
  }

  function finish(): void {
    ended = true;
    listening?.[Symbol.dispose]();
  }

  function stop(): void {
    if (!ended) {
      finish();
      answerWaiting?.(DONE);
      letSourceEnd();
    }
  }

  /**
   * It does not wait for the source, which may be waiting for an event itself: an async generator returns only after that.
   */
  function letSourceEnd(): void {
    endSource().catch(handlers.endFailed);
  }

  async function endSource(): Promise<void> {
    await iterator.return?.();
  }

  function answerNext(): Promise<IteratorResult<R>> {
    return new Promise((resolve, reject) => {
      answerWaiting = resolve;
      advance().then(resolve, reject);
    });
  }

  const listening = signal && addAbortListener(signal, stop);
  let last: Promise<IteratorResult<R>> = Promise.resolve(DONE);
  return {
    next() {
      if (ended) {
        return Promise.resolve(DONE);
      }
      // Calls of `next` wait for each other, so events keep their order however long each one takes.
      last = last.then(() => (ended ? DONE : answerNext()));
      return last;
    },
    return() {
      stop();
      return Promise.resolve(DONE);
    },
    throw(error) {
      stop();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
