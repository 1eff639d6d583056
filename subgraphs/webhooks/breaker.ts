import { countsSince } from './endpoint-health.ts';
import { type EndpointStateDocument, minuteOf } from './endpoint-state.ts';

/** The minutes that the breaker looks at. */
const LOOK_BACK_MINUTES = 5;
/** With fewer deliveries the breaker concludes nothing. */
const LEAST_TRIED = 10;
const FAILED_SHARE = 0.7;
const FIRST_PAUSE_MS = 30_000;
const LEAST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 600_000;

/**
 * Whether an endpoint fails so often that its new deliveries are held: of at least 10 deliveries with a first attempt in the
 * last 5 minutes, 70 % or more failed. Retries do not count: one delivery that fails five times says no more than one that
 * fails once.
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
 * How long an open breaker waits for its next probe, milliseconds: 30 s, then twice as long after each failed probe, up to 10
 * min. If the first delay of the retry schedule is shorter, the pauses begin with it.
 * @param failedProbes failed probes since it opened
 * @param firstRetrySeconds the first delay of the schedule
 */
export function probePauseMs(failedProbes: number, firstRetrySeconds: number): number {
  const first = Math.max(LEAST_PAUSE_MS, Math.min(FIRST_PAUSE_MS, firstRetrySeconds * 1000));
  return Math.min(first * 2 ** failedProbes, LONGEST_PAUSE_MS);
}
