import { describe, expect, test } from '@jest/globals';
import { createPacing } from './pacing.ts';

/** When things begin that are wanted all the time, from the beginning on. */
function beginnings(count: number, pacing: ReturnType<typeof createPacing>, clock: { now: number }) {
  const from = clock.now;
  return Array.from({ length: count }, () => {
    const at = clock.now - from;
    clock.now += pacing.count();
    return at;
  });
}

describe('the pacing', () => {
  test('should let a few begin closely, and the rest four times a second', () => {
    const clock = { now: 5_000 };
    const pacing = createPacing(() => clock.now);
    expect(beginnings(8, pacing, clock)).toEqual([0, 40, 80, 120, 160, 250, 500, 750]);
  });

  test('should let as many begin closely again after a second of quiet', () => {
    const clock = { now: 0 };
    const pacing = createPacing(() => clock.now);
    beginnings(20, pacing, clock);
    clock.now += 1_000;
    expect(beginnings(4, pacing, clock)).toEqual([0, 40, 80, 120]);
  });

  test('should keep to another pace where one is given', () => {
    const clock = { now: 0 };
    const pacing = createPacing(() => clock.now, { spacingMs: 20, intervalMs: 50 });
    expect(beginnings(8, pacing, clock)).toEqual([0, 20, 40, 60, 80, 100, 120, 150]);
  });

  test('should keep two calls a second as they are, each of two turns', () => {
    const clock = { now: 0 };
    const pacing = createPacing(() => clock.now);
    for (let call = 0; call < 100; call += 1) {
      clock.now = call * 500;
      expect(beginnings(2, pacing, clock)).toEqual([0, 40]);
      expect(clock.now).toBeLessThanOrEqual(call * 500 + 80);
    }
  });
});
