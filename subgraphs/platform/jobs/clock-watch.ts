/** Two clocks of this process, milliseconds. */
export interface Clocks {
  /** The time of day, which people and time servers may set. */
  now(): number;
  /** What only goes on, at one pace. */
  uptime(): number;
}

const SYSTEM: Clocks = { now: Date.now, uptime: () => performance.now() };
/** Less is what time servers correct every day, and what a busy process takes between two looks at its clocks. */
const LEAST_MS = 2_000;

/**
 * Notices that the machine's clock has been set.
 * @param look every so many milliseconds
 * @param onSet is called with how far it was set: back when negative, in milliseconds
 * @returns ends it
 */
export function watchClock(
  everyMs: number,
  onSet: (byMs: number) => void,
  { now, uptime }: Clocks = SYSTEM,
): () => void {
  let offset = now() - uptime();
  const timer = setInterval(() => {
    const byMs = now() - uptime() - offset;
    if (Math.abs(byMs) >= LEAST_MS) {
      offset += byMs;
      onSet(byMs);
    }
  }, everyMs);
  return () => clearInterval(timer);
}
