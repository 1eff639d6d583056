/** The part of `process` that signals come by. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** What is done at the first signal, and at one that comes while that is still going on. */
export interface StopHandlers {
  stop(signal: NodeJS.Signals): void;
  /** Someone is tired of waiting: end at once. */
  force(signal: NodeJS.Signals): void;
}

/**
 * Signals that come this soon after the first are the same one, delivered twice: a terminal and a supervisor send it to
 * the whole process group, and npm passes on what it gets.
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
