/** The attributes of a span: ids, figures and codes; nothing personal, no address of a partner, no key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span before its work. */
export interface SpanInfo {
  /** Of few different values, such as `webhook.attempt`. */
  readonly name: string;
  /** `consumer`: an attempt at stored work; `client`: a call of another system. */
  readonly kind: 'consumer' | 'client';
  readonly attributes: SpanAttributes;
  /** For stored work: what caused it. Absent: the span is a child of the current one. */
  readonly cause?: Cause;
}

/** The cause of stored work. */
export interface Cause {
  /** The trace that was stored with the work, as W3C `traceparent`. */
  readonly traceparent: string | undefined;
  /**
   * Whether this is the first attempt: it is a child of the cause. A later one is a trace of its own with a link to the
   * cause, because it may come hours after it, when the trace is complete for the sampler.
   */
  readonly isFirst: boolean;
}

/** The end of a span. */
export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  /** The class of the error, if it failed; never a message. */
  readonly errorType?: string | undefined;
}

/** Names the span to the other side of a call: `traceparent`, or nothing. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** Traces of work and of calls. The kernel has no tracing of its own; the process provides it (`gateway/observe`). */
export interface Tracing {
  /**
   * The current span, as W3C `traceparent`, to be stored with the work that it causes. Undefined without tracing.
   * @param cause the stored trace of what is worked at: it is returned while the current span belongs to another trace
   */
  traceparent(cause?: string): string | undefined;
  /** Runs work in a span. An error that it throws ends the span with the error's name, and goes on. */
  span<T>(
    info: SpanInfo,
    work: (headers: TraceHeaders) => Promise<T>,
    end: (result: T) => SpanEnd,
  ): Promise<T>;
}

const NO_HEADERS: TraceHeaders = {};

/** For processes without tracing. */
export const UNTRACED: Tracing = {
  traceparent: (cause) => cause,
  span: (_info, work) => work(NO_HEADERS),
};

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The id of the trace that a `traceparent` names; undefined when there is none, or it cannot be read. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return TRACEPARENT.exec(traceparent ?? '')?.[1];
}
