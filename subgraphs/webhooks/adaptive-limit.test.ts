import { describe, expect, test } from '@jest/globals';
import { createAdaptiveLimit } from './adaptive-limit.ts';

const MOST = 48;

/** A limit, and rounds of attempts at it: as many at once as it allows, one round after the other. */
function createRounds() {
  const limit = createAdaptiveLimit(MOST);
  let now = 0;
  const round = (delivered: boolean, ms: number) => {
    for (let left = limit.current(); left > 0; left -= 1) {
      limit.ended({ delivered, begunAt: now, ms });
    }
    now += ms;
    return limit.current();
  };
  return { limit, round };
}

describe('how many attempts at an endpoint run at once', () => {
  test('begins at five and grows by about one a round of fast answers, up to its bound', () => {
    const { limit, round } = createRounds();
    expect(limit.current()).toBe(5);
    const grown = Array.from({ length: 10 }, () => round(true, 50));
    expect(grown[0]).toBeGreaterThanOrEqual(5);
    expect(grown[9]).toBeGreaterThanOrEqual(13);
    expect(grown[9]).toBeLessThanOrEqual(15);
    for (let i = 0; i < 100; i += 1) {
      round(true, 50);
    }
    expect(limit.current()).toBe(MOST);
  });

  test('stays while answers are slow', () => {
    const { round } = createRounds();
    expect(Array.from({ length: 5 }, () => round(true, 1_001))).toEqual([5, 5, 5, 5, 5]);
  });

  test('halves once for each round of failures, and falls to one', () => {
    const { round } = createRounds();
    expect(Array.from({ length: 4 }, () => round(false, 10_000))).toEqual([2, 1, 1, 1]);
  });

  test('grows again from one when the endpoint answers again', () => {
    const { round } = createRounds();
    for (let i = 0; i < 3; i += 1) {
      round(false, 10_000);
    }
    expect(Array.from({ length: 3 }, () => round(true, 50))).toEqual([2, 2, 3]);
  });

  test('a failure among successes halves it, and what had begun before does not raise it', () => {
    const { limit, round } = createRounds();
    for (let i = 0; i < 10; i += 1) {
      round(true, 50);
    }
    const before = limit.current();
    limit.ended({ delivered: false, begunAt: 1_000, ms: 500 });
    limit.ended({ delivered: true, begunAt: 1_100, ms: 450 });
    limit.ended({ delivered: false, begunAt: 1_200, ms: 400 });
    expect(limit.current()).toBe(Math.floor(before / 2));
  });

  test('is never more than its bound, however small', () => {
    expect(createAdaptiveLimit(2).current()).toBe(2);
  });
});
