import { afterEach, expect, jest, test } from '@jest/globals';
import { watchClock } from './clock-watch.ts';

const HOUR = 3_600_000;

afterEach(() => {
  jest.useRealTimers();
});

test('a clock that is set is noticed once, however far and in which direction; a clock that is corrected is not', () => {
  jest.useFakeTimers();
  let ahead = 0;
  let uptime = 0;
  const seen: number[] = [];
  const clocks = { now: () => uptime + ahead, uptime: () => uptime };
  const end = watchClock(1_000, (byMs) => seen.push(byMs), clocks);
  const pass = () => {
    uptime += 1_000;
    jest.advanceTimersByTime(1_000);
  };
  pass();
  ahead = 1_900;
  pass();
  expect(seen).toEqual([]);
  ahead = -5 * HOUR;
  pass();
  pass();
  ahead += 7 * HOUR;
  pass();
  expect(seen).toEqual([-5 * HOUR, 7 * HOUR]);
  end();
  ahead = 0;
  pass();
  expect(seen).toHaveLength(2);
});
