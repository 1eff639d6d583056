// The range of time that the charts of the overview show. It is part of the page's address.

import type { Zone } from './format.ts';

/** Ranges that end now, by their names in the address. */
export const RANGE_NAMES = ['24h', '7d', '30d', '90d'] as const;
type RangeName = (typeof RANGE_NAMES)[number];

const DAYS: Readonly<Record<RangeName, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };

/** A range of time: RFC 3339 in UTC. Both are whole hours. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** A range, with those that it is compared with. */
export interface ChartRange extends Span {
  readonly name: RangeName | 'custom';
  /** The length of a bar. */
  readonly by: 'HOUR' | 'DAY';
  /** The same time of day and the same length, before it. */
  readonly before: Span;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest range of the graph's figures. */
const MOST_DAYS = 400;
/** Longer ranges are divided into days. */
const MOST_HOURS = 72;

/** Why a range that somebody chose is not possible: a time is missing, it ends before it starts, starts in the future, or is too long. */
export type RangeProblem = 'incomplete' | 'order' | 'future' | 'long';

/**
 * The range that an address names: by `from` and `to`, or by `range`; the last 7 days if it names none.
 * @param isAhead whether records may be from after `now`, as in a sandbox whose clock is ahead
 * @returns the problem if the times of the address are no possible range
 */
export function readRange(
  query: Readonly<Record<string, string>>,
  now: Date,
  zone: Zone,
  isAhead = false,
): ChartRange | RangeProblem {
  if (query.from !== undefined || query.to !== undefined) {
    return readCustom(query, isAhead ? Number.POSITIVE_INFINITY : now.getTime());
  }
  return namedRange(RANGE_NAMES.find((one) => one === query.range) ?? '7d', now, zone);
}

/** A range that ends with the present hour. Ranges of days begin at midnight in the zone. */
export function namedRange(name: RangeName, now: Date, zone: Zone): ChartRange {
  const days = DAYS[name];
  const to = Math.ceil((now.getTime() + 1) / HOUR_MS) * HOUR_MS;
  if (name === '24h') {
    const from = to - DAY_MS;
    return { name, by: 'HOUR', ...span(from, to), before: span(from - DAY_MS, from) };
  }
  const from = startOfDay(now, 1 - days, zone);
  const before = startOfDay(now, 1 - 2 * days, zone);
  return { name, by: 'DAY', ...span(from, to), before: span(before, before + to - from) };
}

/** @param latest the latest possible start, in milliseconds since 1970 */
function readCustom(
  { from = '', to = '' }: Readonly<Record<string, string>>,
  latest: number,
): ChartRange | RangeProblem {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) {
    return 'incomplete';
  }
  if (end <= start) {
    return 'order';
  }
  if (start > latest) {
    return 'future';
  }
  const first = Math.floor(start / HOUR_MS) * HOUR_MS;
  const last = Math.ceil(end / HOUR_MS) * HOUR_MS;
  const length = last - first;
  return length > MOST_DAYS * DAY_MS
    ? 'long'
    : {
        name: 'custom',
        by: length <= MOST_HOURS * HOUR_MS ? 'HOUR' : 'DAY',
        ...span(first, last),
        before: span(first - length, first),
      };
}

/** Today so far, and the same hours of the same day last week. */
export function todayAndLastWeek(now: Date, zone: Zone): { readonly today: Span; readonly lastWeek: Span } {
  const to = Math.ceil((now.getTime() + 1) / HOUR_MS) * HOUR_MS;
  const from = startOfDay(now, 0, zone);
  const week = startOfDay(now, -7, zone);
  return { today: span(from, to), lastWeek: span(week, week + to - from) };
}

function span(from: number, to: number): Span {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** Midnight of a day of the calendar, or the first whole hour after it. @param offset days after today */
function startOfDay(now: Date, offset: number, zone: Zone): number {
  const midnight =
    zone === 'utc'
      ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + offset)
      : new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset).getTime();
  return Math.ceil(midnight / HOUR_MS) * HOUR_MS;
}

/** How a value has changed. */
export interface Change {
  readonly direction: 'up' | 'down' | 'same';
  /** As a share of the value before: 0.5 is half as much again. */
  readonly share: number;
}

/** @returns undefined where there is nothing to compare with */
export function changeOf(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null || before === 0) {
    return undefined;
  }
  const share = (now - before) / before;
  const direction = share > 0 ? 'up' : share < 0 ? 'down' : 'same';
  return { direction, share: Math.abs(share) };
}
