/**
 * What the engine needs of a request's context. Whoever uses the engine has a context of its own (`Engine<Context>`),
 * which the engine hands on to transports and hooks. Where it must change a context, it makes a copy by spread.
 */
export interface EngineContext {
  /** Identifies the request in reports of internal errors, and in the header `x-request-id` to subgraphs. */
  readonly requestId: string;
  /** Aborted when nobody waits for the answer any more. Fetches end then, and no others start. */
  readonly signal?: AbortSignal;
  /**
   * Aborts `signal`, where the application lets the engine do so: for a context of one operation. `withTimeout` makes a copy
   * with a signal of its own otherwise, which takes several times as long as everything else that it does.
   */
  readonly abort?: (reason: unknown) => void;
}
