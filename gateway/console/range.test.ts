import { describe, expect, test } from '@jest/globals';
import { changeOf, namedRange, readRange, todayAndLastWeek } from './range.ts';

const NOW = new Date('2026-03-11T10:20:00.000Z');
const HOUR_MS = 3_600_000;
const hours = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / HOUR_MS;

describe('the range of the overview', () => {
  test('is the last 7 days, compared with the 7 days before at the same time of day', () => {
    expect(readRange({}, NOW, 'utc')).toEqual({
      name: '7d',
      by: 'DAY',
      from: '2026-03-05T00:00:00.000Z',
      to: '2026-03-11T11:00:00.000Z',
      before: { from: '2026-02-26T00:00:00.000Z', to: '2026-03-04T11:00:00.000Z' },
    });
  });

  test('is the last 24 hours with the present one, by hour', () => {
    expect(readRange({ range: '24h' }, NOW, 'utc')).toEqual({
      name: '24h',
      by: 'HOUR',
      from: '2026-03-10T11:00:00.000Z',
      to: '2026-03-11T11:00:00.000Z',
      before: { from: '2026-03-09T11:00:00.000Z', to: '2026-03-10T11:00:00.000Z' },
    });
  });

  test('has the present hour from its first moment', () => {
    expect(namedRange('24h', new Date('2026-03-11T11:00:00.000Z'), 'utc').to).toBe(
      '2026-03-11T12:00:00.000Z',
    );
  });

  test.each(['30d', '90d'] as const)('may be %s, of the calendar in local time', (range) => {
    const { from, to, before, by } = namedRange(range, NOW, 'local');
    const days = Number.parseInt(range, 10);
    const first = new Date(NOW.getFullYear(), NOW.getMonth(), NOW.getDate() - days + 1);
    expect(Date.parse(from) - first.getTime()).toBeGreaterThanOrEqual(0);
    expect(Date.parse(from) - first.getTime()).toBeLessThan(HOUR_MS);
    expect([by, hours(before)]).toEqual(['DAY', hours({ from, to })]);
    expect(Date.parse(before.to)).toBeLessThan(Date.parse(to));
  });

  test('may be any: by hour up to three days, else by day', () => {
    const from = '2026-03-01T08:30:00.000Z';
    expect(readRange({ from, to: '2026-03-03T08:00:00.000Z' }, NOW, 'utc')).toEqual({
      name: 'custom',
      by: 'HOUR',
      from: '2026-03-01T08:00:00.000Z',
      to: '2026-03-03T08:00:00.000Z',
      before: { from: '2026-02-27T08:00:00.000Z', to: '2026-03-01T08:00:00.000Z' },
    });
    const week = readRange({ from, to: '2026-03-08T08:00:00.000Z' }, NOW, 'utc');
    expect(week).toMatchObject({ name: 'custom', by: 'DAY' });
  });

  test('is the last 7 days for an unknown name', () => {
    expect(readRange({ range: '5d' }, NOW, 'utc')).toEqual(namedRange('7d', NOW, 'utc'));
  });

  test.each([
    ['incomplete', 'x', '2026-03-01T00:00:00.000Z'],
    ['incomplete', '2026-03-01T00:00:00.000Z', ''],
    ['order', '2026-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    // Whole hours would hide it.
    ['order', '2026-03-01T08:10:00.000Z', '2026-03-01T08:05:00.000Z'],
    ['future', '2026-03-12T00:00:00.000Z', '2026-03-13T00:00:00.000Z'],
    ['long', '2020-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ])('is not possible (%s) from %j to %j', (problem, from, to) => {
    expect(readRange({ range: '24h', from, to }, NOW, 'utc')).toBe(problem);
  });

  test('needs both times', () => {
    expect(readRange({ from: '2026-03-02T00:00:00.000Z' }, NOW, 'utc')).toBe('incomplete');
  });

  test('may be in the future where the clock may be ahead, and end there anywhere', () => {
    const next = { from: '2026-03-12T00:00:00.000Z', to: '2026-03-13T00:00:00.000Z' };
    expect(readRange(next, NOW, 'utc', true)).toMatchObject(next);
    const today = { from: '2026-03-11T00:00:00.000Z', to: '2026-03-12T00:00:00.000Z' };
    expect(readRange(today, NOW, 'utc')).toMatchObject(today);
  });

  test('of today so far has as many hours as that of the same day last week', () => {
    const { today, lastWeek } = todayAndLastWeek(NOW, 'utc');
    expect(today).toEqual({ from: '2026-03-11T00:00:00.000Z', to: '2026-03-11T11:00:00.000Z' });
    expect(lastWeek).toEqual({ from: '2026-03-04T00:00:00.000Z', to: '2026-03-04T11:00:00.000Z' });
  });
});

test('a change is a share of the value before; there is none without a value before', () => {
  expect(changeOf(15, 10)).toEqual({ direction: 'up', share: 0.5 });
  expect(changeOf(0, 10)).toEqual({ direction: 'down', share: 1 });
  // As a quotient less one it is a little less, which is shown as 14.9 %.
  expect(changeOf(115, 100)).toEqual({ direction: 'up', share: 0.15 });
  expect(changeOf(10, 10)).toEqual({ direction: 'same', share: 0 });
  expect([changeOf(0, 0), changeOf(1, 0), changeOf(1, null), changeOf(null, 1)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
