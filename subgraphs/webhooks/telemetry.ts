import type { ErrorClass } from './sender.ts';

/** An attempt that ended with an answer or without one in time; not one that this process gave up. */
export interface MeasuredAttempt {
  readonly result: 'delivered' | ErrorClass;
  /** From resolving the name to the end of the answer. */
  readonly seconds: number;
}

export type AttemptListener = (attempt: MeasuredAttempt) => void;

interface AttemptListeners {
  readonly add: (listener: AttemptListener) => void;
  readonly notify: AttemptListener;
}

export function createAttemptListeners(): AttemptListeners {
  const listeners: AttemptListener[] = [];
  return {
    add: (listener) => {
      listeners.push(listener);
    },
    notify: (attempt) => {
      for (const listener of listeners) {
        listener(attempt);
      }
    },
  };
}
