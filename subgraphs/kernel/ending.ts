import { setMaxListeners } from 'node:events';

/**
 * Says that work is to end before it is done. It stands for an `AbortController` where one is made for each request or fetch: a
 * signal, and each listener of one, costs as much as all the rest of a fetch within the process. So the signal is made only for
 * who reads it.
 *
 * It is a class, because an object that is written with a getter gets a shape of its own each time: V8 then keeps what belongs
 * to it until it collects all of the heap.
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
