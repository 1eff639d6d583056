/** The part of `process` that delivers signals. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** The reactions to the first signal, and to one that comes while the process is stopping. */
interface StopHandlers {
  stop(signal: NodeJS.Signals): void;
  /** The sender does not want to wait: end at once. */
  force(signal: NodeJS.Signals): void;
}

/**
 * Signals within this time after the first count as the same signal: a terminal and a supervisor send it to the whole process
 * group, and npm passes on its own.
 */
const SAME_SIGNAL_MS = 1_000;

/** Listens for `SIGTERM` and `SIGINT`. Without this, the second delivery would cut off the clean stop. */
export function listenForStop(
  { stop, force }: StopHandlers,
  source: SignalSource = process,
  now: () => number = () => performance.now(),
): void {
  let first: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = now();
      stop(signal);
    } else if (now() - first > SAME_SIGNAL_MS) {
      force(signal);
    }
  };
  source.on('SIGTERM', listener);
  source.on('SIGINT', listener);
}
