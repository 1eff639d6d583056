import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dividePeriod, type FigurePeriod, wholeHours } from './figure-periods.ts';

const HOUR_MS = 3_600_000;
const range = (from: string, to: string) => wholeHours(new Date(from), new Date(to));
const shown = (periods: readonly FigurePeriod[]) =>
  periods.map(({ from, before }) => [new Date(from).toISOString().slice(0, 16), (before - from) / HOUR_MS]);

describe('A range of figures', () => {
  test('has all hours that it has a part of', () => {
    const { from, before } = range('2026-11-21T08:59:59.999Z', '2026-11-21T10:00:00.001Z');
    expect([new Date(from).toISOString(), new Date(before).toISOString()]).toEqual([
      '2026-11-21T08:00:00.000Z',
      '2026-11-21T11:00:00.000Z',
    ]);
  });

  test('is divided into hours', () => {
    const periods = dividePeriod(range('2026-11-21T22:30:00Z', '2026-11-22T01:00:00Z'), 'hour', 'UTC');
    expect(shown(periods)).toEqual([
      ['2026-11-21T22:00', 1],
      ['2026-11-21T23:00', 1],
      ['2026-11-22T00:00', 1],
    ]);
  });

  test.each([
    [
      'UTC',
      '2026-11-20T22:00:00Z',
      '2026-11-22T03:00:00Z',
      [
        ['2026-11-20T22:00', 2],
        ['2026-11-21T00:00', 24],
        ['2026-11-22T00:00', 3],
      ],
    ],
    // Clocks go forward at 02:00 on 8 March, and back at 02:00 on 1 November.
    [
      'America/New_York',
      '2026-03-08T05:00:00Z',
      '2026-03-10T04:00:00Z',
      [
        ['2026-03-08T05:00', 23],
        ['2026-03-09T04:00', 24],
      ],
    ],
    [
      'America/New_York',
      '2026-11-01T04:00:00Z',
      '2026-11-03T05:00:00Z',
      [
        ['2026-11-01T04:00', 25],
        ['2026-11-02T05:00', 24],
      ],
    ],
    // Midnight of 6 September 2026 does not exist there: the day begins at 01:00.
    [
      'America/Santiago',
      '2026-09-05T04:00:00Z',
      '2026-09-07T03:00:00Z',
      [
        ['2026-09-05T04:00', 24],
        ['2026-09-06T04:00', 23],
      ],
    ],
    // 5.5 hours ahead: midnight is 18:30 in UTC.
    [
      'Asia/Kolkata',
      '2026-11-20T19:00:00Z',
      '2026-11-22T19:00:00Z',
      [
        ['2026-11-20T19:00', 24],
        ['2026-11-21T19:00', 24],
      ],
    ],
  ])('is divided into the days of %s from %s', (zone, from, to, expected) => {
    expect(shown(dividePeriod(range(from, to), 'day', zone))).toEqual(expected);
  });

  test('is divided without a gap and without an overlap', () => {
    const zones = fc.constantFrom('UTC', 'America/Mexico_City', 'Australia/Lord_Howe', 'Pacific/Chatham');
    const start = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2026-12-01') });
    fc.assert(
      fc.property(zones, start, fc.integer({ min: 1, max: 900 }), (zone, from, hours) => {
        const whole = wholeHours(new Date(from), new Date(from + hours * HOUR_MS));
        for (const length of ['hour', 'day'] as const) {
          const periods = dividePeriod(whole, length, zone);
          expect(periods[0]?.from).toBe(whole.from);
          expect(periods.at(-1)?.before).toBe(whole.before);
          expect(periods.slice(1).map((one) => one.from)).toEqual(
            periods.slice(0, -1).map((one) => one.before),
          );
        }
      }),
      { numRuns: 30 },
    );
  });
});
