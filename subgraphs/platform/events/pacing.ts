/** Keeps apart what could follow each other closely: at once after a quiet while, seldom in the long run. */
export interface Pacing {
  /** Counts one that begins now. @returns how long to wait before the next one, in milliseconds */
  count(): number;
}

/** A few may begin this far apart: what one atomic call writes in 50 ms is two turns, not five. */
const SPACING_MS = 40;
/** In the long run they are this far apart: as often as somebody looks who is never told. */
const INTERVAL_MS = 250;
/** How many may begin without regard to the interval after a quiet while; the next call but one finds as many again. */
const BURST = 4;

/**
 * Under load one turn then serves what came in a quarter of a second, at a fraction of the cost of a turn for each commit. A
 * single call is not held up: only its later events wait, for up to 40 ms.
 * @param now the present time in milliseconds
 */
export function createPacing(now: () => number = () => performance.now()): Pacing {
  // The time up to which the interval is used up: that of a leaky bucket.
  let usedUntil = 0;
  return {
    count: () => {
      const at = now();
      usedUntil = Math.max(usedUntil, at) + INTERVAL_MS;
      return Math.max(SPACING_MS, usedUntil - BURST * INTERVAL_MS - at);
    },
  };
}
