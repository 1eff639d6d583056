import { describe, expect, test } from '@jest/globals';
import { afterFailure, delayWithRetryAfter } from './retry-schedule.ts';

const DOCUMENTED = [60, 300, 1800, 7200, 43_200];
const retry = (seconds: number) => ({ kind: 'retry', delayMs: seconds * 1000 });
const DEAD_LETTER = { kind: 'dead_letter' };

describe('afterFailure', () => {
  test.each([
    [1, retry(60)],
    [2, retry(300)],
    [3, retry(1800)],
    [4, retry(7200)],
    [5, DEAD_LETTER],
    [6, DEAD_LETTER],
  ])('of five attempts, failure %d', (failed, expected) => {
    expect(afterFailure({ retrySeconds: DOCUMENTED, maxAttempts: 5 }, failed)).toEqual(expected);
  });

  test.each([
    [5, retry(43_200)],
    [6, DEAD_LETTER],
  ])('of six attempts, failure %d: twelve hours are used only now', (failed, expected) => {
    expect(afterFailure({ retrySeconds: DOCUMENTED, maxAttempts: 6 }, failed)).toEqual(expected);
  });

  test('a maximum beyond the list repeats its last delay', () => {
    expect(afterFailure({ retrySeconds: DOCUMENTED, maxAttempts: 9 }, 8)).toEqual(retry(43_200));
  });

  test('a list longer than needed is cut, a single attempt is never repeated', () => {
    expect(afterFailure({ retrySeconds: DOCUMENTED, maxAttempts: 2 }, 2)).toEqual(DEAD_LETTER);
    expect(afterFailure({ retrySeconds: DOCUMENTED, maxAttempts: 1 }, 1)).toEqual(DEAD_LETTER);
  });

  test('four delays suffice for five attempts', () => {
    expect(afterFailure({ retrySeconds: [1, 1, 1, 1], maxAttempts: 5 }, 4)).toEqual(retry(1));
    expect(afterFailure({ retrySeconds: [1, 1, 1, 1], maxAttempts: 5 }, 5)).toEqual(DEAD_LETTER);
  });
});

test('a requested delay counts when it is longer, up to ten times that of the schedule', () => {
  const delays = [undefined, 0, 999, 5_000, 10_000, 10_001].map((asked) => delayWithRetryAfter(1_000, asked));
  expect(delays).toEqual([1_000, 1_000, 1_000, 5_000, 10_000, 10_000]);
});
