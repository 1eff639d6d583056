import { addAbortListener } from 'node:events';

/**
 * The part of a request's context that the engine reads. An application has its own context (`Engine<Context>`); the engine
 * passes it on to transports and hooks. Where the engine changes a context, it changes a copy: see {@link copyContext}.
 */
export interface EngineContext {
  /** Identifies the request in reports of internal errors, and in the header `x-request-id` to subgraphs. */
  readonly requestId: string;
  /** Aborted when the answer is no longer needed. Then running fetches end, and no others start. */
  readonly signal?: AbortSignal;
  /**
   * Aborts `signal`. An application sets it on a context that serves one operation only. Without it `withTimeout` copies the
   * context with a signal of its own, which takes several times as long as everything else it does.
   */
  abort?(reason: unknown): void;
  /**
   * Throws the reason of `signal` when it is aborted. An application that makes the signal when it is first read sets this and
   * `onAbort`: then the engine reads it for subscriptions alone. A signal costs more than a fetch within the process.
   */
  throwIfAborted?(): void;
  /** Calls `listener` once when `signal` is aborted, or soon when it is already. Returns a function that ends the listening. */
  onAbort?(listener: (reason: unknown) => void): () => void;
}

/** Ways in which work can end early. */
export type Cancellation = Pick<EngineContext, 'signal' | 'throwIfAborted' | 'onAbort'>;

/** Throws the reason when nobody waits for the answer any more. */
export function throwIfAborted(by: Cancellation): void {
  if (by.throwIfAborted === undefined) {
    by.signal?.throwIfAborted();
  } else {
    by.throwIfAborted();
  }
}

/** Calls `listener` when nobody waits any more; see `EngineContext.onAbort`. Nothing is returned where that cannot happen. */
export function onAbort(by: Cancellation, listener: (reason: unknown) => void): (() => void) | undefined {
  if (by.onAbort !== undefined) {
    return by.onAbort(listener);
  }
  const { signal } = by;
  if (signal === undefined) {
    return undefined;
  }
  const listening = addAbortListener(signal, () => listener(signal.reason));
  return () => listening[Symbol.dispose]();
}

/** A copy with the same fields and the same prototype: the signal may be a getter of a class. */
export function copyContext<Context extends EngineContext>(context: Context): Context {
  return Object.assign(Object.create(Object.getPrototypeOf(context)), context);
}
