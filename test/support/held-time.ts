import { jest } from '@jest/globals';

/**
 * From now on, timers fire when a test advances them, until `jest.useRealTimers()`: on a busy machine a short limit would end too
 * early. Sockets and promises go on.
 */
export function holdTimers(): void {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
}

/**
 * From now on, the limits that `AbortSignal.timeout` sets end when a test says so: on a busy machine a short one would end too
 * early. Jest's fake timers leave them alone.
 */
export function holdCallTimes(): {
  /** Ends the time of everything that is under way, the youngest first: as if the event loop were late. */
  end(): void;
  /** Limits set from now on are real again. */
  release(): void;
} {
  const limits: AbortController[] = [];
  const held = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  return {
    end: () => {
      for (const limit of limits.splice(0).toReversed()) {
        limit.abort(new DOMException('The time is over.', 'TimeoutError'));
      }
    },
    release: () => held.mockRestore(),
  };
}
