import { describe, expect, test } from '@jest/globals';
import { addDays, dayIn, monthOf, startOfDay } from './periods.ts';

const HOUR_MS = 3_600_000;

describe('a day begins at its first instant in the time zone', () => {
  test.each([
    ['UTC', '2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['America/Mexico_City', '2026-11-20', '2026-11-20T06:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T10:00:00.000Z'],
    ['Etc/GMT+12', '2026-11-20', '2026-11-20T12:00:00.000Z'],
    // Clocks go from 00:00 to 01:00.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    // Clocks go back from 00:00 to 23:00 of the day before.
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z'],
    // The zone has no 30 December 2011.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('%s, %s', (timeZone, day, start) => {
    expect(startOfDay(day, timeZone).toISOString()).toBe(start);
  });
});

test.each([
  ['2026-03-08', 23],
  ['2026-11-01', 25],
  ['2026-11-20', 24],
])('the day %s of New York has %d hours', (day, hours) => {
  const zone = 'America/New_York';
  const [start, end] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
  expect((end.getTime() - start.getTime()) / HOUR_MS).toBe(hours);
  expect([dayIn(start, zone), dayIn(new Date(end.getTime() - 1), zone)]).toEqual([day, day]);
  expect(dayIn(end, zone)).toBe(addDays(day, 1));
});

test('days follow each other over the ends of months, and of leap years', () => {
  expect([addDays('2028-02-28', 1), addDays('2028-02-29', 1), addDays('2027-01-01', -1)]).toEqual([
    '2028-02-29',
    '2028-03-01',
    '2026-12-31',
  ]);
  expect(monthOf('2028-02-29')).toBe('2028-02');
});

test('an unknown time zone is an error', () => {
  expect(() => startOfDay('2026-11-20', 'Mars/Olympus')).toThrow(RangeError);
});
