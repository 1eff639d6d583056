/** Spaces out work: at once after a quiet time, seldom in the long run. */
export interface Pacing {
  /** Counts one that begins now. @returns how long to wait before the next one, in milliseconds */
  count(): number;
}

/** How far apart, in milliseconds. */
interface Pace {
  /** A few may begin after this short interval. */
  readonly spacingMs: number;
  /** In the long run this is the interval. */
  readonly intervalMs: number;
}

/** The writes of one atomic call in 50 ms are two turns, not five; in the long run four a second. */
const TURNS: Pace = { spacingMs: 40, intervalMs: 250 };
/** Of the stream of unclaimed work: work shall begin within some tens of milliseconds, under load too. */
export const WORK_PACE: Pace = { spacingMs: 20, intervalMs: 50 };
/** How many may begin without regard to the interval after a quiet while; the next call but one finds as many again. */
const BURST = 4;

/**
 * Under load one turn then serves what came in a quarter of a second, at a fraction of the cost of a turn for each commit. A
 * single call is not held up: only its later events wait, for up to 40 ms.
 * @param now the present time in milliseconds
 */
export function createPacing(
  now: () => number = () => performance.now(),
  { spacingMs, intervalMs }: Pace = TURNS,
): Pacing {
  // The time up to which the interval is used up: that of a leaky bucket.
  let usedUntil = 0;
  return {
    count: () => {
      const at = now();
      usedUntil = Math.max(usedUntil, at) + intervalMs;
      return Math.max(spacingMs, usedUntil - BURST * intervalMs - at);
    },
  };
}
