import { expect, test } from '@jest/globals';
import { parseUrl } from './parse-url.ts';

test('A URL is parsed, and anything else is not', () => {
  expect(parseUrl('https://a.example/b')?.pathname).toBe('/b');
  expect(parseUrl('a.example')).toBeUndefined();
});

// Calls until V8 compiles the function: the fast way of URL.canParse in Node 20 is wrong from then on.
test('A URL with other letters than those of ASCII is parsed each time', () => {
  const parsed = Array.from({ length: 50_000 }, () => parseUrl('https://bücher.example/ü'));
  expect(parsed.filter((url) => url?.href === 'https://xn--bcher-kva.example/%C3%BC')).toHaveLength(50_000);
});
