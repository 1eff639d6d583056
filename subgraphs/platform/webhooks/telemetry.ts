import type { DeliveryDocument } from './model.ts';
import type { ErrorClass, SendOutcome } from './sender.ts';

/** Traces of attempts. The engine has no tracing of its own; the process provides it. */
export interface AttemptTracing {
  /** The current trace, as W3C `traceparent`: it is stored with a new delivery. Undefined without tracing. */
  traceparent(): string | undefined;
  /** Runs the attempt in a span of its own, linked to the trace of the delivery's creation. */
  attempt(delivery: TracedDelivery, post: () => Promise<SendOutcome>): Promise<SendOutcome>;
}

/** The attributes of a delivery's span: ids, nothing personal. */
export type TracedDelivery = Pick<
  DeliveryDocument,
  '_id' | 'tenantId' | 'event' | 'scheme' | 'attempt' | 'traceparent'
>;

/** For processes without tracing. */
export const UNTRACED: AttemptTracing = {
  traceparent: () => undefined,
  attempt: (_delivery, post) => post(),
};

/** An attempt that ended with an answer or without one in time; not one that this process gave up. */
export interface MeasuredAttempt {
  readonly result: 'delivered' | ErrorClass;
  /** From resolving the name to the end of the answer. */
  readonly seconds: number;
}

export type AttemptListener = (attempt: MeasuredAttempt) => void;

/** Listeners to attempts. */
export interface AttemptListeners {
  readonly add: (listener: AttemptListener) => void;
  readonly tell: AttemptListener;
}

export function createAttemptListeners(): AttemptListeners {
  const listeners: AttemptListener[] = [];
  return {
    add: (listener) => {
      listeners.push(listener);
    },
    tell: (attempt) => {
      for (const listener of listeners) {
        listener(attempt);
      }
    },
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The id of the trace that a `traceparent` names; undefined when there is none. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return TRACEPARENT.exec(traceparent ?? '')?.[1];
}
