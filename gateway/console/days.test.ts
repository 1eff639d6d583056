import { describe, expect, test } from '@jest/globals';
import { countDays, lastDays } from './days.ts';

describe('the days of the overview', () => {
  test('end with today, also over a new month', () => {
    expect(lastDays(new Date('2026-03-01T23:59:59Z'), 2, 'utc')).toEqual([
      { day: '2026-02-28', from: '2026-02-28T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' },
      { day: '2026-03-01', from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' },
    ]);
  });

  test('are those of the calendar in local time', () => {
    const now = new Date(2026, 2, 29, 12);
    const midnight = (date: number) => new Date(2026, 2, date).toISOString();
    expect(lastDays(now, 2, 'local')).toEqual([
      { day: '2026-03-28', from: midnight(28), to: midnight(29) },
      { day: '2026-03-29', from: midnight(29), to: midnight(30) },
    ]);
  });

  test('add up succeeded, failed and open operations over all currencies; an empty day has zeros', () => {
    const total = (status: string | null, period: string | null, count: number) => ({
      status,
      period,
      count,
    });
    const totals = [
      total('COMPLETED', '2026-03-01', 2),
      total('COMPLETED', '2026-03-01', 3),
      total('FAILED', '2026-03-01', 1),
      total('REJECTED', '2026-03-01', 1),
      total('SENT', '2026-03-01', 4),
      total('SENT', '2026-01-01', 9),
    ];
    const calendar = lastDays(new Date('2026-03-02T12:00:00Z'), 2, 'utc');
    expect(countDays(calendar, totals)).toEqual([
      { ...calendar[0], good: 5, bad: 2, other: 4 },
      { ...calendar[1], good: 0, bad: 0, other: 0 },
    ]);
  });
});
