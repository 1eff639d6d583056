import { onAbort } from './abort.ts';
import type { LiveState } from './live-items.ts';

/** The source of an iterator. Nothing is opened before the first `next()`. */
export interface LiveIterator<Item> extends AsyncIterable<Item> {
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Ends everything at once. */
  return(): Promise<IteratorResult<Item, undefined>>;
  [Symbol.asyncIterator](): LiveIterator<Item>;
}

/** The items that wait for the reader. */
export interface Waiting<Item> {
  /**
   * Passes the item to a waiting reader, or keeps it.
   * @returns false if too many wait, or the iterator has ended, and it did not take the item
   */
  put(item: Item): boolean;
  /** Resolves when at most half of the limit waits, or the signal is aborted. */
  room(signal: AbortSignal): Promise<void>;
}

interface IteratorOptions<Item> {
  /** How many items may wait for the reader. */
  readonly limit: number;
  /** Any of them ends it. */
  readonly signals: readonly AbortSignal[];
  onState(state: LiveState): void;
  /** Puts items until the signal is aborted. @throws the error for which it ends otherwise */
  run(waiting: Waiting<Item>, signal: AbortSignal): Promise<void>;
}

/**
 * Makes an iterator over the items of `run`. After the items that came before, it fails with the error that ended it.
 * An aborted signal is not a failure: the iterator then ends at once and drops waiting items.
 */
export function createLiveIterator<Item>(options: IteratorOptions<Item>): LiveIterator<Item> {
  const waiting = openWaiting<Item>(options.limit);
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const stop = () => {
    ending.abort();
    waiting.drop();
  };
  const unlisten = options.signals.map((signal) => onAbort(signal, stop));
  const cleanUp = () => {
    for (const end of unlisten) {
      end();
    }
  };
  const run = async () => {
    let failure: { readonly error: unknown } | undefined;
    try {
      await options.run(waiting, ending.signal);
    } catch (error) {
      failure = { error };
    }
    cleanUp();
    waiting.end(failure);
    options.onState({ name: 'ended', ...failure });
  };
  return {
    next() {
      if (!ending.signal.aborted) {
        running ??= run();
      }
      return waiting.next();
    },
    async return() {
      stop();
      cleanUp();
      await running;
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The items of one iterator: a stream of the platform, with an end that its chunks cannot have. */
interface OpenWaiting<Item> extends Waiting<Item> {
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Waiting items can still be read, then comes the failure once, if there is one. The first end counts. */
  end(failure: { readonly error: unknown } | undefined): void;
  /** Ends it at once, without the items that wait. */
  drop(): void;
}

/** @param limit the number of items that may wait, 1 or more */
function openWaiting<Item>(limit: number): OpenWaiting<Item> {
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let makeRoom = () => {};
  let stream: ReadableStreamDefaultController<Item> | undefined;
  const free = () => stream?.desiredSize ?? 0;
  const reader = new ReadableStream<Item>(
    {
      start: (controller) => {
        stream = controller;
      },
      // Called after reads.
      pull: () => {
        if (free() >= limit / 2) {
          makeRoom();
        }
      },
    },
    { highWaterMark: limit },
  ).getReader();
  return {
    put(item) {
      if (isOver || free() <= 0) {
        return false;
      }
      stream?.enqueue(item);
      return true;
    },
    room: (signal) =>
      new Promise((resolve) => {
        const unlisten = onAbort(signal, resolve);
        makeRoom = () => {
          unlisten();
          resolve();
        };
        if (free() >= limit / 2) {
          makeRoom();
        }
      }),
    async next() {
      const { done, value } = await reader.read();
      if (!done) {
        return { value, done };
      }
      const end = failure;
      failure = undefined;
      if (end !== undefined) {
        throw end.error;
      }
      return { value: undefined, done };
    },
    end(how) {
      if (!isOver) {
        isOver = true;
        failure = how;
        stream?.close();
      }
    },
    drop() {
      isOver = true;
      void reader.cancel();
    },
  };
}
