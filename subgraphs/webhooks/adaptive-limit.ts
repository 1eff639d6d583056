/** How many attempts at one endpoint may run at once in this process. */
export interface AdaptiveLimit {
  /** Whole attempts, at least 1. */
  current(): number;
  /**
   * Records the end of an attempt.
   * @param begunAt when it began, milliseconds of any clock that all calls share
   * @param ms how long it took
   */
  ended(attempt: { readonly delivered: boolean; readonly begunAt: number; readonly ms: number }): void;
}

/** The limit of an endpoint of which nothing is known. */
const FIRST_LIMIT = 5;

/** Slower answers leave the limit as it is: more attempts at once would hardly be answered sooner. */
const FAST_MS = 1_000;

/**
 * Grows by one for each round of fast successes, and halves when an attempt fails, down to one: additive increase,
 * multiplicative decrease, as TCP shares a line. Attempts that began before the last decrease do not count. Otherwise five
 * time-outs at once would count as five.
 */
export function createAdaptiveLimit(most: number): AdaptiveLimit {
  let limit = Math.min(FIRST_LIMIT, most);
  let decreasedAt = Number.NEGATIVE_INFINITY;
  return {
    current: () => Math.floor(limit),
    ended: ({ delivered, begunAt, ms }) => {
      if (begunAt < decreasedAt) {
        return;
      }
      if (!delivered) {
        limit = Math.max(1, Math.floor(limit / 2));
        decreasedAt = begunAt + ms;
      } else if (ms <= FAST_MS) {
        limit = Math.min(most, limit + 1 / limit);
      }
    },
  };
}
