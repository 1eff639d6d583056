import { expect, test } from '@jest/globals';
import { takeRandomBytes } from './random.ts';

test('gives the wanted number of bytes, never the same ones twice, and does not change those that it gave', () => {
  const taken = Array.from({ length: 2_000 }, (_, index) => takeRandomBytes(12 + (index % 6)));
  const seen = taken.map((bytes) => bytes.toString('hex'));
  expect(taken.map(({ length }) => length)).toEqual(taken.map((_, index) => 12 + (index % 6)));
  // Beginnings differ, too: pieces do not overlap.
  expect(new Set(seen.map((hex) => hex.slice(0, 24))).size).toBe(seen.length);
  expect(taken.map((bytes) => bytes.toString('hex'))).toEqual(seen);
});
