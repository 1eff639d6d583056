/** How long to wait before the next attempt. */
export interface BackoffOptions {
  /** The most that the first wait lasts, milliseconds. Each further wait may last twice as long as the one before. */
  readonly baseMs: number;
  /** The most that any wait lasts, milliseconds. */
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
 * Exponential backoff with full jitter: each wait is a random time up to a bound that doubles. Thousands of clients of one
 * process that has died come back spread over that time, not at once.
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
