import { countsSince } from './endpoint-health.ts';
import { type EndpointStateDocument, minuteOf } from './endpoint-state.ts';

/** What the breaker looks back on, minutes. */
const LOOK_BACK_MINUTES = 5;
/** Of fewer deliveries nothing is concluded. */
const LEAST_TRIED = 10;
const FAILED_SHARE = 0.7;
const FIRST_PAUSE_MS = 30_000;
const LEAST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 600_000;

/**
 * Whether an endpoint fails so much that new deliveries are kept from it: of 10 or more deliveries that were tried for the
 * first time in the last 5 minutes, 70 % or more failed. Retries do not count: one delivery that fails five times says no
 * more than one that fails once.
 */
export function mustOpen({ breaker, minutes }: EndpointStateDocument, now: Date): boolean {
  const first = Math.max(minuteOf(now) - LOOK_BACK_MINUTES + 1, breaker.countFrom ?? 0);
  const counts = countsSince({ ...(minutes && { minutes }) }, first);
  const sum = (values: (number | undefined)[]) => values.reduce<number>((all, value = 0) => all + value, 0);
  const tried = sum(counts.map((minute) => minute.tried));
  const failed = sum(counts.map((minute) => minute.failed));
  return tried >= LEAST_TRIED && failed >= tried * FAILED_SHARE;
}

/**
 * How long an open breaker waits for its next probe, milliseconds: 30 s, then twice as long after each probe that failed, up
 * to 10 min. Where the schedule of retries begins with less, so do the pauses.
 * @param failedProbes since it opened
 * @param firstRetrySeconds of the schedule
 */
export function probePauseMs(failedProbes: number, firstRetrySeconds: number): number {
  const first = Math.max(LEAST_PAUSE_MS, Math.min(FIRST_PAUSE_MS, firstRetrySeconds * 1000));
  return Math.min(first * 2 ** failedProbes, LONGEST_PAUSE_MS);
}
