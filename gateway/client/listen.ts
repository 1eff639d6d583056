import type { LiveIterator } from './live-iterator.ts';

/** The callbacks for items. */
export interface Listener<Item> {
  /**
   * Called with each item, one at a time: the next item waits until its promise settles. An error that it throws ends
   * the subscription.
   */
  next(item: Item): void | Promise<void>;
  /** Called once: with the error that ended it, or without one after `stop` and an aborted signal. */
  ended(failure?: { readonly error: unknown }): void;
}

/**
 * The callback form. It starts at once, and returns a function that stops it, which fits an effect of React. After that
 * `next` is not called; `ended` is called when the connection is closed.
 */
export function listen<Item>(items: LiveIterator<Item>, listener: Listener<Item>): () => void {
  let isStopped = false;
  const run = async () => {
    try {
      for await (const item of items) {
        // An item may be on its way when the caller stops.
        if (isStopped) {
          return undefined;
        }
        await listener.next(item);
      }
    } catch (error) {
      return { error };
    }
    return undefined;
  };
  void run().then((failure) => listener.ended(failure));
  return () => {
    isStopped = true;
    void items.return();
  };
}
