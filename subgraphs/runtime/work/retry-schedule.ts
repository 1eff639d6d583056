/** When failed work is tried again, and how often it is tried at all (document 2, "Delivery rules" 3 and 4). */
export interface RetrySchedule {
  /** Delays after the first, second, … failed attempt, seconds. Failures beyond the list use its last entry. */
  readonly retrySeconds: readonly number[];
  /** Attempts in all: the failure with this number dead-letters, so the schedule's entry for it is never used. */
  readonly maxAttempts: number;
}

type AfterFailure = { readonly kind: 'retry'; readonly delayMs: number } | { readonly kind: 'dead_letter' };

/**
 * The step after the failure of attempt number `failed` (the first is 1). With the documented delays and five attempts:
 * 1 min, 5 min, 30 min, 2 h, dead letter; the 12 h entry serves only a raised maximum (decisions, section 3).
 */
export function afterFailure({ retrySeconds, maxAttempts }: RetrySchedule, failed: number): AfterFailure {
  if (failed >= maxAttempts) {
    return { kind: 'dead_letter' };
  }
  const seconds = retrySeconds[failed - 1] ?? retrySeconds.at(-1) ?? 0;
  return { kind: 'retry', delayMs: seconds * 1000 };
}

/** A delay that the other side requests counts up to so many times that of the schedule. */
const LONGEST_REQUESTED = 10;

/** The delay of the schedule, or the longer one that the other side requests (decisions, section 8, "Answers of providers"). */
export function delayWithRetryAfter(scheduledMs: number, requestedMs = 0): number {
  return Math.max(scheduledMs, Math.min(requestedMs, scheduledMs * LONGEST_REQUESTED));
}

/** The longest delay of a schedule without a maximum of attempts, with what the other side may request. */
export function longestDelayMs(retrySeconds: readonly number[]): number {
  return Math.max(0, ...retrySeconds) * 1000 * LONGEST_REQUESTED;
}
