import { onAbort } from './abort.ts';
import type { LiveState } from './live-items.ts';
import { createQueue, type Queue } from './queue.ts';

/** The source of an iterator. Nothing is opened before the first `next()`. */
export interface LiveIterator<Item> extends AsyncIterable<Item> {
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Ends everything at once. */
  return(): Promise<IteratorResult<Item, undefined>>;
  [Symbol.asyncIterator](): LiveIterator<Item>;
}

interface IteratorOptions<Item> {
  /** How many items may wait for the reader. */
  readonly limit: number;
  /** Any of them ends it. */
  readonly signals: readonly AbortSignal[];
  onState(state: LiveState): void;
  /** Fills the queue until the signal is aborted. @throws the error for which it ends otherwise */
  run(queue: Queue<Item>, signal: AbortSignal): Promise<void>;
}

/**
 * Makes an iterator over the items of `run`. After the items that came before, it fails with the error that ended it.
 * An aborted signal is not a failure: the iterator then ends at once and drops waiting items.
 */
export function createLiveIterator<Item>(options: IteratorOptions<Item>): LiveIterator<Item> {
  const queue = createQueue<Item>(options.limit);
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const stop = () => {
    ending.abort();
    queue.clear();
    queue.end();
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
      await options.run(queue, ending.signal);
    } catch (error) {
      failure = { error };
    }
    cleanUp();
    queue.end(failure);
    options.onState({ name: 'ended', ...failure });
  };
  return {
    next() {
      if (!ending.signal.aborted) {
        running ??= run();
      }
      return queue.next();
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
