import type { AccountId } from '../kernel/account.ts';
import {
  type AttemptOutcome,
  type BreakerState,
  type EndpointStateDocument,
  hourOf,
  LATENCY_BOUNDS_MS,
  type MinuteCounts,
  minuteOf,
  WINDOW_HOURS,
  WINDOW_MINUTES,
} from './endpoint-state.ts';
import { toPartnerError } from './partner-error.ts';
import type { ErrorClass } from './sender.ts';

const HOUR_MS = 3_600_000;

/**
 * The health of an endpoint for its partner and operators. Rates, counts by outcome and percentiles are of the last hour.
 */
export interface EndpointHealth {
  /** `DeliveryDocument.endpoint` */
  readonly endpoint: string;
  readonly accountId: AccountId;
  /** null unless it is paused. */
  readonly pausedAt: Date | null;
  readonly breaker: {
    readonly state: BreakerState;
    readonly since: Date;
    /** When the next probe is due; null while it is closed. */
    readonly probeAt: Date | null;
  };
  /** Attempts by outcome. */
  readonly attempts: Readonly<Partial<Record<AttemptOutcome, number>>>;
  /** Share of delivered attempts, 0 to 1; null without attempts. */
  readonly successRate: number | null;
  /** Latencies of attempts, milliseconds, from a histogram; null without attempts. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly lastError: {
    readonly errorClass: ErrorClass;
    readonly statusCode: number | null;
    readonly at: Date;
  } | null;
  readonly lastSuccessAt: Date | null;
  /** Attempts of the last 24 hours, the present one included, by hour in UTC, oldest first. */
  readonly hours: readonly { readonly from: Date; readonly delivered: number; readonly failed: number }[];
  /** Attempts of these hours by latency, up to a bound in milliseconds; null for those beyond the last bound. */
  readonly latency: readonly { readonly upToMs: number | null; readonly count: number }[];
}

export function presentHealth(state: EndpointStateDocument, now: Date): EndpointHealth {
  const { _id: endpoint, accountId, paused, breaker, lastError, lastSuccessAt } = state;
  const counts = countsSince(state, minuteOf(now) - WINDOW_MINUTES + 1);
  const attempts = sumByName(counts.map(({ outcomes }) => outcomes));
  const { delivered = 0 } = attempts;
  const all = Object.values(attempts).reduce((sum, count) => sum + count, 0);
  const latency = sumByName(counts.map((minute) => minute.latency));
  return {
    endpoint,
    accountId,
    pausedAt: paused?.at ?? null,
    breaker: { state: breaker.state, since: breaker.since, probeAt: breaker.probeAt ?? null },
    attempts: toPartnerOutcomes(attempts),
    successRate: all === 0 ? null : delivered / all,
    p50Ms: quantile(latency, 0.5),
    p95Ms: quantile(latency, 0.95),
    lastError: lastError
      ? {
          errorClass: toPartnerError(lastError.errorClass),
          statusCode: lastError.statusCode ?? null,
          at: lastError.at,
        }
      : null,
    lastSuccessAt: lastSuccessAt ?? null,
    hours: hoursOf(state, now),
    latency: latencyOf(state, now),
  };
}

function hoursOf({ hours }: EndpointStateDocument, now: Date): EndpointHealth['hours'] {
  return lastHours(now).map((hour) => {
    const { delivered = 0, failed = 0 } = hours?.[hour] ?? {};
    return { from: new Date(hour * HOUR_MS), delivered, failed };
  });
}

function latencyOf({ hours }: EndpointStateDocument, now: Date): EndpointHealth['latency'] {
  const counts = sumByName(lastHours(now).map((hour) => hours?.[hour]?.latency));
  return [...LATENCY_BOUNDS_MS, null].map((upToMs, index) => ({ upToMs, count: counts[index] ?? 0 }));
}

function lastHours(now: Date): number[] {
  return Array.from({ length: WINDOW_HOURS }, (_, index) => hourOf(now) - WINDOW_HOURS + 1 + index);
}

/** The counts of a minute and those after it. */
export function countsSince(
  { minutes }: Pick<EndpointStateDocument, 'minutes'>,
  first: number,
): MinuteCounts[] {
  return Object.entries(minutes ?? {})
    .filter(([minute]) => Number(minute) >= first)
    .map(([, counts]) => counts);
}

/** The index of the first bound that a latency does not exceed. */
export function latencyBucket(ms: number): number {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return index < 0 ? LATENCY_BOUNDS_MS.length : index;
}

function sumByName(
  all: readonly (Readonly<Partial<Record<string, number>>> | undefined)[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts ?? {})) {
      sums[name] = (sums[name] ?? 0) + (count ?? 0);
    }
  }
  return sums;
}

/** Partners must not learn which addresses are forbidden, so these attempts count as network errors. */
function toPartnerOutcomes(attempts: Readonly<Record<string, number>>): EndpointHealth['attempts'] {
  return sumByName(
    Object.entries(attempts).map(([outcome, count]) => ({ [toPartnerError(outcome)]: count })),
  );
}

/** Interpolates within its bucket, as if the attempts were spread evenly. Beyond the last bound it is that bound. */
function quantile(latency: Readonly<Record<string, number>>, share: number): number | null {
  const total = Object.values(latency).reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    return null;
  }
  let left = total * share;
  for (const [index, bound] of LATENCY_BOUNDS_MS.entries()) {
    const count = latency[index] ?? 0;
    if (left <= count) {
      const lower = LATENCY_BOUNDS_MS[index - 1] ?? 0;
      return Math.round(lower + (bound - lower) * (left / count));
    }
    left -= count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}
