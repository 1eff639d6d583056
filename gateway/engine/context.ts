import { addAbortListener, setMaxListeners } from 'node:events';

/**
 * The part of a request's context that the engine reads. An application has its own context (`Engine<Context>`); the engine
 * passes it on to transports and hooks. Where the engine changes a context, it changes a copy of its own fields.
 */
export interface EngineContext {
  /** Identifies the request in reports of internal errors, and in the header `x-request-id` to subgraphs. */
  readonly requestId: string;
  /** Aborted when the answer is no longer needed. Then running fetches end, and no others start. */
  readonly signal?: AbortSignal;
}

/** A context whose work can be aborted by other code too. */
export interface LinkedContext<Context> {
  /** A copy; its signal is aborted by `abort`, and with that of the original. */
  readonly context: Context;
  abort(reason: unknown): void;
  /** Call it when the work has ended: the original signal may live longer. */
  release(): void;
}

export function linkContext<Context extends EngineContext>(original: Context): LinkedContext<Context> {
  const { signal } = original;
  const controller = new AbortController();
  // One operation may have any number of fetches at once, and each listens.
  setMaxListeners(0, controller.signal);
  const forward = () => controller.abort(signal?.reason);
  if (signal?.aborted) {
    forward();
  }
  const listening = signal && addAbortListener(signal, forward);
  return {
    context: { ...original, signal: controller.signal },
    abort: (reason) => controller.abort(reason),
    release: () => listening?.[Symbol.dispose](),
  };
}
