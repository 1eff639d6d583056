import { addAbortListener } from 'node:events';

/** The outcome of work under a signal. */
export type Unaborted<T> = { readonly aborted: true } | { readonly aborted: false; readonly value: T };

/**
 * Does a piece of work, but waits for it only until the signal aborts. With a signal that has aborted already it does not
 * begin the work. Abandoned work goes on, and nobody learns how it ends. It leaves no listener on the signal, which may live
 * as long as the process.
 * @throws any error of the work before the abort
 */
export async function unlessAborted<T>(signal: AbortSignal, start: () => Promise<T>): Promise<Unaborted<T>> {
  if (signal.aborted) {
    return { aborted: true };
  }
  let stopListening = () => {};
  const aborted = new Promise<Unaborted<T>>((resolve) => {
    const listening = addAbortListener(signal, () => resolve({ aborted: true }));
    stopListening = () => listening[Symbol.dispose]();
  });
  try {
    return await Promise.race([finish(start), aborted]);
  } finally {
    stopListening();
  }
}

async function finish<T>(start: () => Promise<T>): Promise<Unaborted<T>> {
  return { aborted: false, value: await start() };
}

/** Resolves after the time, or at once when the signal aborts; leaves nothing behind. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listening[Symbol.dispose]();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const listening = addAbortListener(signal, done);
  });
}
