import { expect, test } from '@jest/globals';
import { firstOfEachKind, isFull } from './depth.ts';

test('sweeps run whole with TEST_DEPTH=full alone; a word that is neither form is an error', () => {
  expect(isFull({})).toBe(false);
  expect(isFull({ TEST_DEPTH: 'short' })).toBe(false);
  expect(isFull({ TEST_DEPTH: 'full' })).toBe(true);
  expect(() => isFull({ TEST_DEPTH: '1' })).toThrow('TEST_DEPTH must be short or full, not 1');
});

test('the short form of a sweep has the first point of each kind, in their order', () => {
  const points = ['find users', 'insert users', 'find users (2)', 'commit', 'insert users (2)'];
  expect(firstOfEachKind(points, (point) => point.replace(/ \(\d+\)$/, ''))).toEqual([
    'find users',
    'insert users',
    'commit',
  ]);
});
