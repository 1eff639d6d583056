import { expect, test } from '@jest/globals';
import { providerKey } from './provider-key.ts';

test('parts that are plain stand in it as they are', () => {
  expect(providerKey('acme', 'corr-1/2_~', 'CIP')).toBe('acme:corr-1/2_~:CIP');
});

test.each([
  [
    ['a:b', 'c'],
    ['a', 'b:c'],
    ['a', 'b', 'c'],
  ],
  [['a%3Ab'], ['a:b'], ['a%253Ab']],
  [['', 'a'], ['a', ''], ['a']],
])('other parts make another key: %j, %j, %j', (...lists) => {
  const keys = lists.map((parts) => providerKey(...parts));
  expect(new Set(keys).size).toBe(lists.length);
});

test('is visible ASCII, whatever the parts are', () => {
  expect(providerKey('año 1\n', '✓😀')).toBe('a%C3%B1o%201%0A:%E2%9C%93%F0%9F%98%80');
});
