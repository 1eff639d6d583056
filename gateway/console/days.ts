import type { Zone } from './format.ts';

/** A total of one status on one day. */
export interface DayTotal {
  readonly status: string | null;
  /** YYYY-MM-DD. */
  readonly period: string | null;
  readonly count: number;
}

/** Operations of a day: those that ended well, those that ended badly, and the others. */
export interface Day {
  readonly day: string;
  readonly good: number;
  readonly bad: number;
  readonly other: number;
}

const BAD = ['FAILED', 'REJECTED', 'CANCELLED'];

/** The last days, with today as the last. */
export interface DaySpan {
  /** YYYY-MM-DD, the oldest first. */
  readonly names: readonly string[];
  /** When the first of them begins. */
  readonly since: Date;
}

/** The last days in a zone: a day may have 23 or 25 hours there. */
export function lastDays(now: Date, count: number, zone: Zone): DaySpan {
  const days = Array.from({ length: count }, (_, index) => startOfDay(now, index - count + 1, zone));
  return { names: days.map((day) => nameOf(day, zone)), since: days[0] ?? now };
}

function startOfDay(now: Date, offset: number, zone: Zone): Date {
  return zone === 'utc'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + offset))
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset);
}

function nameOf(day: Date, zone: Zone): string {
  const [year, month, date] =
    zone === 'utc'
      ? [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()]
      : [day.getFullYear(), day.getMonth(), day.getDate()];
  return [String(year), String(month + 1).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
}

/** Adds up the totals of each day. A day without any has zeros. */
export function daysOf(names: readonly string[], totals: readonly DayTotal[]): Day[] {
  const days = new Map<string, Day>(names.map((day) => [day, { day, good: 0, bad: 0, other: 0 }]));
  for (const { status, period, count } of totals) {
    const day = days.get(period ?? '');
    if (day !== undefined && status !== null) {
      const kind = status === 'COMPLETED' ? 'good' : BAD.includes(status) ? 'bad' : 'other';
      days.set(day.day, { ...day, [kind]: day[kind] + count });
    }
  }
  return [...days.values()];
}
