/** Calls `ended` when the signal aborts, or at once if it has aborted already. Returns a function that stops listening. */
export function onAbort(signal: AbortSignal, ended: () => void): () => void {
  if (signal.aborted) {
    ended();
    return () => undefined;
  }
  // biome-ignore lint/plugin: addAbortListener is of Node alone, and an aborted signal is dealt with above.
  signal.addEventListener('abort', ended, { once: true });
  return () => signal.removeEventListener('abort', ended);
}

/** Resolves after a time, milliseconds, or when the signal is aborted. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      unlisten();
      resolve();
    };
    const timer = setTimeout(stop, ms);
    let unlisten: () => void = () => undefined;
    unlisten = onAbort(signal, stop);
  });
}

/** Waits for the promise; fails if the signal aborts first. @throws the signal's reason */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unlisten = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(unlisten);
  });
}
