const TICK_MS = 50;

/**
 * Counts time by a timer. Of a limit that the product keeps by timers too, this says whether it was kept, also on a machine
 * that is slow or busy: what holds up the product's timers holds up this one.
 * @returns the result of the work, and how many seconds it took, less those in which this process did not run
 */
export async function takeTime<T>(work: () => Promise<T>): Promise<readonly [result: T, seconds: number]> {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  try {
    const result = await work();
    return [result, (ticks * TICK_MS) / 1_000];
  } finally {
    clearInterval(timer);
  }
}
