import { expect, test } from '@jest/globals';
import { isHigh } from './high-water.ts';

test.each([
  ['64 small ones do not', 64, 6_400, false],
  ['65 small ones do', 65, 6_500, true],
  ['one of 256 KiB does not', 1, 262_144, false],
  ['one of more than 256 KiB does', 1, 262_145, true],
])('of the events that wait, %s pause the connection', (_name, size, bytes, expected) => {
  expect(isHigh({ size, bytes })).toBe(expected);
});
