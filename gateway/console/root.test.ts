import { expect, test } from '@jest/globals';
import { ROOT, rootOf, SERVICE } from './root.ts';

test.each([
  ['https://pay.example/console/assets/main-ABCD1234.js', '/console'],
  ['https://pay.example/graph/console/assets/paths-ABCD1234.js', '/graph/console'],
  ['http://127.0.0.1:4000/a/b/console/assets/main-ABCD1234.js?x=/assets/y.js', '/a/b/console'],
  ['file:///somewhere/dist/gateway/console/root.js', '/console'],
])('the console of the script %s is at %s', (script, root) => {
  expect(rootOf(script)).toBe(root);
});

test('the root of the service is the path above the console', () => {
  expect([ROOT, SERVICE]).toEqual(['/console', '']);
});
