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

/** The callback form. It starts at once, and returns a function that stops it. */
export function listen<Item>(items: LiveIterator<Item>, listener: Listener<Item>): () => Promise<void> {
  const run = async () => {
    try {
      for await (const item of items) {
        await listener.next(item);
      }
    } catch (error) {
      return { error };
    }
    return undefined;
  };
  const running = run().then((failure) => listener.ended(failure));
  return async () => {
    await items.return();
    await running;
  };
}
