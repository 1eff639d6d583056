import { addAbortListener } from 'node:events';

/** Work by key. Callers with the same key share the result. */
export interface SharedWork<T> {
  /**
   * Joins the work with this key that has not begun, or adds it: it begins when the one before it has ended. So the
   * result includes everything that was written before the call, and at most one work per key runs. A caller that
   * leaves gets a rejection with the reason; the work is aborted when no caller is left.
   */
  run(key: string, start: (signal: AbortSignal) => Promise<T>, caller: AbortSignal | undefined): Promise<T>;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abandoned: AbortController;
  callers: number;
  hasBegun: boolean;
}

/** Makes a register of work; nothing is kept after it ended. */
export function createSharedWork<T>(): SharedWork<T> {
  /** The latest work of each key. */
  const flights = new Map<string, Flight<T>>();

  function forget(key: string, flight: Flight<T>): void {
    if (flights.get(key) === flight) {
      flights.delete(key);
    }
  }

  function take(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const latest = flights.get(key);
    if (latest?.hasBegun === false) {
      return latest;
    }
    const abandoned = new AbortController();
    const begin = () => {
      flight.hasBegun = true;
      abandoned.signal.throwIfAborted();
      return start(abandoned.signal);
    };
    // Regardless of the outcome of the previous one. The first begins after this step, so that calls of the same step
    // share it.
    const result = Promise.resolve(latest?.result).then(begin, begin);
    const flight: Flight<T> = { result, abandoned, callers: 0, hasBegun: false };
    flights.set(key, flight);
    const end = () => forget(key, flight);
    result.then(end, end);
    return flight;
  }

  function leave(key: string, flight: Flight<T>, reason: unknown): void {
    flight.callers -= 1;
    if (flight.callers === 0) {
      // It is removed at once, so that no caller joins aborted work or waits for its end.
      forget(key, flight);
      flight.abandoned.abort(reason);
    }
  }

  return {
    run: (key, start, caller) =>
      new Promise((resolve, reject) => {
        caller?.throwIfAborted();
        const flight = take(key, start);
        flight.callers += 1;
        const leaveIt = () => {
          reject(caller?.reason);
          leave(key, flight, caller?.reason);
        };
        const listening = caller && addAbortListener(caller, leaveIt);
        flight.result.finally(() => listening?.[Symbol.dispose]()).then(resolve, reject);
      }),
  };
}
