import type { Zone } from './format.ts';

/** A total of one status on one day. */
interface DayTotal {
  readonly status: string | null;
  /** YYYY-MM-DD. */
  readonly period: string | null;
  readonly count: number;
}

/** The state of a day's operations: succeeded, failed, or still open. */
export type DayPart = 'good' | 'bad' | 'other';

/** A day of the calendar in the reader's zone; it may have 23 or 25 hours there. */
interface CalendarDay {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** When it begins, and when it ends: RFC 3339. */
  readonly from: string;
  readonly to: string;
}

/** A day, and its numbers of operations. */
export interface Day extends CalendarDay, Readonly<Record<DayPart, number>> {}

const BAD = ['FAILED', 'REJECTED', 'CANCELLED'];

/** The part of a day in which operations of a status count. */
export function partOf(status: string): DayPart {
  return status === 'COMPLETED' ? 'good' : BAD.includes(status) ? 'bad' : 'other';
}

/** The last days in a zone, the oldest first, today last. */
export function lastDays(now: Date, count: number, zone: Zone): CalendarDay[] {
  return Array.from({ length: count }, (_, index) => {
    const start = startOfDay(now, index - count + 1, zone);
    const end = startOfDay(now, index - count + 2, zone);
    return { day: nameOf(start, zone), from: start.toISOString(), to: end.toISOString() };
  });
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
export function countDays(calendar: readonly CalendarDay[], totals: readonly DayTotal[]): Day[] {
  const days = new Map<string, Day>(calendar.map((day) => [day.day, { ...day, good: 0, bad: 0, other: 0 }]));
  for (const { status, period, count } of totals) {
    const day = days.get(period ?? '');
    if (day !== undefined && status !== null) {
      const part = partOf(status);
      days.set(day.day, { ...day, [part]: day[part] + count });
    }
  }
  return [...days.values()];
}
