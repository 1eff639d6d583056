import type { LiveIterator } from './live-iterator.ts';

/** Who is told of items. */
export interface Listener<Item> {
  /**
   * Called with each item. The next item comes after its promise is settled; an error that it throws ends the subscription.
   */
  next(item: Item): void | Promise<void>;
  /** Called once: with the error that ended it, or without one after `stop` and an aborted signal. */
  ended(failure?: { readonly error: unknown }): void;
}

/** The callback form: begins at once. Returns what stops it. */
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
