import { describe, expect, test } from '@jest/globals';
import { isPinned } from './client-certificate.ts';

const HEX = 'ab'.repeat(32);

describe('A certificate is taken', () => {
  test.each([
    ['by a partner without pins', []],
    ['by its digits', [HEX]],
    ['by its digits in upper case', [HEX.toUpperCase()]],
    ['with colons, as programs print it', [Array(32).fill('AB').join(':')]],
    ['by one of several pins', ['00'.repeat(32), HEX]],
  ])('%s', (_how, pins) => {
    expect(isPinned(pins, HEX)).toBe(true);
  });

  test.each([
    ['another pin', ['cd'.repeat(32)]],
    ['a pin that is only its beginning', [HEX.slice(0, 40)]],
    ['an empty pin', ['']],
  ])('but not with %s', (_what, pins) => {
    expect(isPinned(pins, HEX)).toBe(false);
  });
});
