/** The waits before each next attempt. */
export interface BackoffOptions {
  /** The upper bound of the first wait, milliseconds. It doubles with each further wait. */
  readonly baseMs: number;
  /** The upper bound of every wait, milliseconds. */
  readonly capMs: number;
}

/** Waits between attempts. */
export interface Backoff {
  /** The next wait, milliseconds. */
  next(): number;
  /** Starts again with short waits. */
  reset(): void;
}

/**
 * Exponential backoff with full jitter: each wait is a random time up to a bound that doubles. So thousands of
 * clients of a dead process reconnect spread over that time, not at once.
 * @param random between 0 and 1
 */
export function createBackoff({ baseMs, capMs }: BackoffOptions, random: () => number): Backoff {
  let attempts = 0;
  return {
    next() {
      const bound = Math.min(capMs, baseMs * 2 ** attempts);
      attempts += 1;
      return Math.round(random() * bound);
    },
    reset() {
      attempts = 0;
    },
  };
}
