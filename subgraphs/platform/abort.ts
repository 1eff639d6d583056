import { addAbortListener } from 'node:events';

/** What became of work under a signal. */
export type Unaborted<T> = { readonly aborted: true } | { readonly aborted: false; readonly value: T };

/**
 * Does a piece of work, but waits for it no longer than until the signal aborts. It looks before it starts: with a signal
 * that is aborted already the work is not begun. Work that is left alone goes on, and nobody hears how it ends.
 * It leaves no listener behind on the signal, which may live as long as the process.
 * @throws what the work throws before the abort
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
