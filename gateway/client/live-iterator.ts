import { onAbort } from './abort.ts';
import type { LiveState } from './live-items.ts';
import { createQueue, type Queue } from './queue.ts';

/** What is iterated: nothing is opened before the first `next()`. */
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
  /** Fills the queue until the signal is aborted. @throws why it ends otherwise */
  run(queue: Queue<Item>, signal: AbortSignal): Promise<void>;
}

/**
 * Makes an iterator over what `run` brings. It fails with the error that ended it, after the items that came before.
 * An aborted signal is no failure: there are no more items then, not even those that wait.
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
