import { describe, expect, test } from '@jest/globals';
import { daysOf, lastDays } from './days.ts';

describe('the days of the overview', () => {
  test('end with today, also over a new month', () => {
    const { names, since } = lastDays(new Date('2026-03-02T23:59:59Z'), 3, 'utc');
    expect([names, since.toISOString()]).toEqual([
      ['2026-02-28', '2026-03-01', '2026-03-02'],
      '2026-02-28T00:00:00.000Z',
    ]);
  });

  test('are those of the calendar in local time', () => {
    const now = new Date(2026, 2, 29, 12);
    const { names, since } = lastDays(now, 2, 'local');
    expect([names, since]).toEqual([['2026-03-28', '2026-03-29'], new Date(2026, 2, 28)]);
  });

  test('add up what ended well, what ended badly and the rest, over currencies; a day without any has zeros', () => {
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
    expect(daysOf(['2026-03-01', '2026-03-02'], totals)).toEqual([
      { day: '2026-03-01', good: 5, bad: 2, other: 4 },
      { day: '2026-03-02', good: 0, bad: 0, other: 0 },
    ]);
  });
});
