import { expect, test } from '@jest/globals';
import { createBackoff } from './backoff.ts';

test('waits are random up to a bound that doubles up to a cap, and are short again after a reset', () => {
  const randoms = [1, 0, 0.5, 1, 1, 1];
  const backoff = createBackoff({ baseMs: 1_000, capMs: 5_000 }, () => randoms.shift() ?? 0.25);
  expect(Array.from({ length: 7 }, () => backoff.next())).toEqual([
    1_000, 0, 2_000, 5_000, 5_000, 5_000, 1_250,
  ]);
  backoff.reset();
  expect(backoff.next()).toBe(250);
});

test('the bound stays at the cap after any number of attempts', () => {
  const backoff = createBackoff({ baseMs: 1_000, capMs: 30_000 }, () => 1);
  const waits = Array.from({ length: 5_000 }, () => backoff.next());
  expect(Math.max(...waits)).toBe(30_000);
  expect(waits.at(-1)).toBe(30_000);
});
