import { describe, expect, test } from '@jest/globals';
import { mustOpen, probePauseMs } from './breaker.ts';
import { type MinuteCounts, minuteOf, unknownEndpoint } from './endpoint-state.ts';

const NOW = new Date('2026-11-23T10:00:59Z');
const MINUTE = minuteOf(NOW);

/** An endpoint with these counts, by how many minutes ago. */
function endpoint(minutesAgo: Record<number, MinuteCounts>, countFrom?: number) {
  const state = { _id: 'e1', ...unknownEndpoint('acme/sandbox', NOW) };
  return {
    ...state,
    breaker: { ...state.breaker, ...(countFrom === undefined ? {} : { countFrom }) },
    minutes: Object.fromEntries(
      Object.entries(minutesAgo).map(([ago, counts]) => [MINUTE - Number(ago), counts]),
    ),
  };
}

describe('a breaker', () => {
  test.each<[string, boolean, Record<number, MinuteCounts>]>([
    ['opens when 10 of 10 deliveries failed', true, { 0: { tried: 10, failed: 10 } }],
    ['opens at 70 % of more', true, { 0: { tried: 20, failed: 14 } }],
    ['stays closed below 70 %', false, { 0: { tried: 20, failed: 13 } }],
    ['stays closed with fewer than 10', false, { 0: { tried: 9, failed: 9 } }],
    ['looks back 5 minutes', true, { 0: { tried: 1, failed: 1 }, 4: { tried: 9, failed: 9 } }],
    ['looks back no further', false, { 0: { tried: 1, failed: 1 }, 5: { tried: 9, failed: 9 } }],
    [
      'does not count retries: one delivery that fails often says no more than one that fails once',
      false,
      { 0: { tried: 2, failed: 2, outcomes: { http_status: 40 } } },
    ],
  ])('%s', (_rule, opens, minutes) => {
    expect(mustOpen(endpoint(minutes), NOW)).toBe(opens);
  });

  test('that has closed does not open by what failed before', () => {
    const minutes = { 0: { tried: 1, failed: 1 }, 1: { tried: 50, failed: 50 } };
    expect(mustOpen(endpoint(minutes), NOW)).toBe(true);
    expect(mustOpen(endpoint(minutes, MINUTE), NOW)).toBe(false);
  });

  test('stays closed for an endpoint without deliveries', () => {
    expect(mustOpen({ _id: 'e1', ...unknownEndpoint('acme/sandbox', NOW) }, NOW)).toBe(false);
  });

  test('probes after 30 s, then after twice as long each time, at most 10 min', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 60].map((failed) => probePauseMs(failed, 60) / 1000);
    expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600]);
  });

  test('probes sooner where retries begin sooner, but not more than once a second', () => {
    expect([5, 1, 0].map((seconds) => probePauseMs(0, seconds))).toEqual([5_000, 1_000, 1_000]);
    expect(probePauseMs(2, 1)).toBe(4_000);
  });
});
