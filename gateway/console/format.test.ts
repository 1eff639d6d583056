import { describe, expect, test } from '@jest/globals';
import {
  formatClock,
  formatDate,
  formatDuration,
  formatMoney,
  formatPeriod,
  formatShare,
  formatShort,
  formatTime,
  formatTimeIn,
  fromInputTime,
  namePeriod,
  toInputTime,
} from './format.ts';

const spaces = (text: string) => text.replaceAll(/\s/g, ' ');

describe("the console's screens", () => {
  test.each([
    ['1500.5', 'MXN', 'en', 'MXN 1,500.50'],
    ['1500.5', 'MXN', 'es', '1500,50 MXN'],
    ['999999999999.99', 'USD', 'en', 'USD 999,999,999,999.99'],
    ['90071992547409931234.56', 'USD', 'en', 'USD 90,071,992,547,409,931,234.56'],
    ['12', 'JPY', 'en', 'JPY 12'],
    ['1.234', 'KWD', 'en', 'KWD 1.234'],
    ['1500.24', 'COP', 'en', 'COP 1,500.24'],
    ['1500.30', 'COP', 'es', '1500,30 COP'],
    ['1500', 'COP', 'en', 'COP 1,500'],
    ['-1.234', 'IQD', 'en', '-IQD 1.234'],
    ['1.25', 'ISK', 'en', 'ISK 1.25'],
  ] as const)('%s %s in %s is exact: %s', (amount, currency, language, text) => {
    expect(spaces(formatMoney({ amount, currency }, language))).toBe(text);
  });

  test('an instant of a statement is in its own zone, with the name of the zone', () => {
    const iso = '2026-11-20T06:00:00.000Z';
    expect(formatTimeIn(iso, 'en', 'America/Mexico_City')).toBe('Nov 20, 2026, 00:00:00 CST');
    expect(formatTimeIn(iso, 'es', 'America/Mexico_City')).toBe('20 nov 2026, 00:00:00 GMT-6');
    expect(formatTimeIn(iso, 'en', 'UTC')).toBe('Nov 20, 2026, 06:00:00 UTC');
  });

  test('an instant is a day and a time of day in the zone of the reader', () => {
    const iso = '2026-11-03T07:08:09.012Z';
    expect(formatDate(iso, 'en', 'utc')).toBe('Tuesday, November 3, 2026');
    expect(formatDate(iso, 'es', 'utc')).toBe('martes, 3 de noviembre de 2026');
    expect(formatClock(iso, 'en', 'utc')).toBe('07:08:09.012');
    expect(formatClock(iso, 'es', 'utc')).toBe('07:08:09,012');
  });

  test('a share is 100 % only when it is all', () => {
    expect([1, 0.99996, 0.5, 0].map((share) => spaces(formatShare(share, 'en')))).toEqual([
      '100%',
      '99.9%',
      '50%',
      '0%',
    ]);
  });

  test('two shares of a whole add up to 100 %', () => {
    expect([4 / 9, 5 / 9].map((share) => spaces(formatShare(share, 'en')))).toEqual(['44.4%', '55.6%']);
  });

  test.each([
    [0, '0ms'],
    [85, '85ms'],
    [2_440, '2.4s'],
    [61_000, '1m'],
    [18_000_000, '5h'],
    [200_000_000, '2.3d'],
  ])('%i milliseconds are %s', (ms, text) => {
    expect(spaces(formatDuration(ms, 'en'))).toBe(text);
  });

  test('a time is shown to the second, in UTC when asked for', () => {
    expect(spaces(formatTime('2026-11-23T09:05:07.123Z', 'en', 'utc'))).toBe('Nov 23, 2026, 09:05:07 UTC');
    expect(spaces(formatTime('2026-11-23T09:05:07.123Z', 'es', 'utc'))).toBe('23 nov 2026, 09:05:07 UTC');
  });

  test('a period is shown in short on an axis, and by its whole name beside it', () => {
    const at = '2026-11-23T09:00:00.000Z';
    expect(formatPeriod(at, 'DAY', 'en', 'utc')).toBe('Nov 23');
    expect(formatPeriod(at, 'HOUR', 'en', 'utc')).toBe('09');
    expect(namePeriod(at, 'DAY', 'en', 'utc')).toBe('Mon, Nov 23');
    expect(namePeriod(at, 'HOUR', 'es', 'utc')).toBe('lun, 23 nov, 09:00');
    expect(formatShort(1_234_567, 'en')).toBe('1.2M');
  });

  test.each(['utc', 'local'] as const)('an input of %s time gives the instant that it was set to', (zone) => {
    const iso = '2026-11-23T09:05:00.000Z';
    expect(fromInputTime(toInputTime(iso, zone), zone)).toBe(iso);
    expect([fromInputTime('', zone), toInputTime(undefined, zone), toInputTime('never', zone)]).toEqual([
      undefined,
      '',
      '',
    ]);
  });
});
