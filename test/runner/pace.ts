import { availableParallelism, loadavg } from 'node:os';

/** The run's own load on each processor. */
const USUAL_LOAD = 2;
const MOST = 4;

/**
 * By how much limits of time are longer than usual, 1 to 4: as the load of the last minute says. A machine that has several
 * times as much to do as it has processors is slower by as much, and nothing is wrong with a test that waits for it.
 */
export function paceOf(
  [load = 0]: readonly number[] = loadavg(),
  processors = availableParallelism(),
): number {
  return Math.min(MOST, Math.max(1, load / processors / USUAL_LOAD));
}

/** The load in words, for the message of what was waited for in vain. */
export function describeLoad(): string {
  return `load average ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} processors`;
}
