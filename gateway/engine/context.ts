/**
 * The part of a request's context that the engine reads. An application has its own context (`Engine<Context>`); the engine
 * passes it on to transports and hooks. Where the engine changes a context, it changes a copy made by spread.
 */
export interface EngineContext {
  /** Identifies the request in reports of internal errors, and in the header `x-request-id` to subgraphs. */
  readonly requestId: string;
  /** Aborted when nobody waits for the answer any more. Running fetches end then, and no others start. */
  readonly signal?: AbortSignal;
  /**
   * Aborts `signal`. An application sets it on a context that serves one operation only. Without it `withTimeout` copies the
   * context with a signal of its own, which takes several times as long as everything else it does.
   */
  readonly abort?: (reason: unknown) => void;
}
