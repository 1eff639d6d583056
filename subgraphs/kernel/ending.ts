import { setMaxListeners } from 'node:events';

/**
 * Ends work before it is done. It replaces an `AbortController` for each request or fetch: a signal, and each listener of one,
 * costs as much as the rest of a fetch within the process. So the AbortSignal is created on first read.
 *
 * It is a class because each object literal with a getter gets a shape of its own: V8 then keeps the object's parts until it
 * collects the whole heap.
 */
export class Ending {
  #end: { readonly reason: unknown } | undefined;
  #controller: AbortController | undefined;
  #listeners: Set<(reason: unknown) => void> | undefined;

  /** Aborted with the reason of {@link abort}. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // One operation may have any number of fetches at once, and each listens.
      setMaxListeners(0, this.#controller.signal);
      if (this.#end) {
        this.#controller.abort(this.#end.reason);
      }
    }
    return this.#controller.signal;
  }

  /** Ends the work. The first reason stays. */
  abort(reason: unknown): void {
    if (this.#end) {
      return;
    }
    this.#end = { reason };
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) {
      listener(reason);
    }
    this.#listeners?.clear();
  }

  throwIfAborted(): void {
    if (this.#end) {
      throw this.#end.reason;
    }
  }

  /**
   * Calls `listener` once when the work is ended, in a step of its own when it has ended already.
   * @returns a function that ends the listening
   */
  onAbort(listener: (reason: unknown) => void): () => void {
    const end = this.#end;
    if (end) {
      queueMicrotask(() => listener(end.reason));
      return () => undefined;
    }
    const listeners = this.#listeners ?? new Set();
    this.#listeners = listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }
}
