import { expect, test } from '@jest/globals';
import { neighbourOf, type PressedKey, SHORTCUTS, shortcutOf } from './shortcuts.ts';

const PRESSED: PressedKey = {
  key: 'j',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  defaultPrevented: false,
};
const ELSEWHERE = { isTyping: false, hasDialog: false };

test.each([...SHORTCUTS])('The key %s does: %s', (key, act) => {
  expect(shortcutOf({ ...PRESSED, key }, ELSEWHERE)).toBe(act);
});

test('Other keys have no effect', () => {
  expect(['J', 'Enter', 'a', ''].map((key) => shortcutOf({ ...PRESSED, key }, ELSEWHERE))).toEqual(
    Array(4).fill(undefined),
  );
});

test.each([
  ['while somebody types', PRESSED, { isTyping: true, hasDialog: false }],
  ['behind a dialog', PRESSED, { isTyping: false, hasDialog: true }],
  ['with Ctrl', { ...PRESSED, ctrlKey: true }, ELSEWHERE],
  ['with the command key', { ...PRESSED, metaKey: true }, ELSEWHERE],
  ['with Alt', { ...PRESSED, altKey: true }, ELSEWHERE],
  ['as a part of a composed character', { ...PRESSED, isComposing: true }, ELSEWHERE],
  ['that was handled', { ...PRESSED, defaultPrevented: true }, ELSEWHERE],
])('A key %s has no effect', (_when, pressed, place) => {
  expect(shortcutOf(pressed, place)).toBeUndefined();
});

test('j and k move by one row and stop at the ends', () => {
  expect([-1, 0, 1, 2].map((index) => neighbourOf(index, 3, 'next'))).toEqual([0, 1, 2, 2]);
  expect([-1, 2, 1, 0].map((index) => neighbourOf(index, 3, 'previous'))).toEqual([2, 1, 0, 0]);
});
