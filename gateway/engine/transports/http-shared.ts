import { addAbortListener } from 'node:events';

/** Running work by key. Callers with the same key get the same result. */
export interface SharedWork<T> {
  /**
   * Joins the work with this key, or starts it. A caller whose signal aborts is rejected with its reason; the work is
   * aborted when no caller is left.
   */
  run(key: string, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abandoned: AbortController;
  callers: number;
}

/** Makes a register of work under way; nothing is kept after it ended. */
export function createSharedWork<T>(): SharedWork<T> {
  const flights = new Map<string, Flight<T>>();

  function take(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const known = flights.get(key);
    if (known !== undefined) {
      return known;
    }
    const abandoned = new AbortController();
    const flight: Flight<T> = { result: start(abandoned.signal), abandoned, callers: 0 };
    flights.set(key, flight);
    const forget = (): void => {
      if (flights.get(key) === flight) {
        flights.delete(key);
      }
    };
    flight.result.then(forget, forget);
    return flight;
  }

  function leave(key: string, flight: Flight<T>, reason: unknown): void {
    flight.callers -= 1;
    if (flight.callers === 0) {
      // Forgotten at once, so that no one joins work that is being given up.
      if (flights.get(key) === flight) {
        flights.delete(key);
      }
      flight.abandoned.abort(reason);
    }
  }

  return {
    run(key, start, signal) {
      if (signal?.aborted) {
        return Promise.reject(signal.reason);
      }
      const flight = take(key, start);
      flight.callers += 1;
      if (signal === undefined) {
        return flight.result;
      }
      return new Promise((resolve, reject) => {
        const listening = addAbortListener(signal, () => {
          reject(signal.reason);
          leave(key, flight, signal.reason);
        });
        flight.result.finally(() => listening[Symbol.dispose]()).then(resolve, reject);
      });
    },
  };
}
