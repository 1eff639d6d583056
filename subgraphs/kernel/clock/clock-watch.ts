/** Two clocks of this process, milliseconds. */
export interface Clocks {
  /** The time of day, which people and time servers may set. */
  now(): number;
  /** The clock that nobody can set, which runs at one pace. */
  uptime(): number;
}

export const MACHINE_CLOCKS: Clocks = { now: () => Date.now(), uptime: () => performance.now() };
/**
 * Smaller differences come from time servers, which correct clocks every day, and from a busy process between two looks at
 * its clocks.
 */
const LEAST_MS = 2_000;

/**
 * Notices when the machine's clock is set.
 * @param look interval between two looks, milliseconds
 * @param onSet called with the change in milliseconds, negative when the clock was set back
 * @returns stops it
 */
export function watchClock(
  everyMs: number,
  onSet: (byMs: number) => void,
  { now, uptime }: Clocks = MACHINE_CLOCKS,
): () => void {
  let offset = now() - uptime();
  const timer = setInterval(() => {
    const byMs = now() - uptime() - offset;
    if (Math.abs(byMs) >= LEAST_MS) {
      offset += byMs;
      onSet(byMs);
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}
