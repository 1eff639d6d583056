import { expect, test } from '@jest/globals';
import { paceOf } from './pace.ts';

test.each([
  [0, 2, 1],
  [4, 2, 1],
  [8, 2, 2],
  [12, 2, 3],
  [40, 2, 4],
  [12, 8, 1],
])('at a load of %d on %d processors limits of time are %d times as long', (load, processors, pace) => {
  expect(paceOf([load, 0, 0], processors)).toBe(pace);
});
