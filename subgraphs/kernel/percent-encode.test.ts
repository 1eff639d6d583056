import { expect, test } from '@jest/globals';
import { encodeSegment, percentEncode } from './percent-encode.ts';

test.each([
  'corr-1',
  'A_b.c~9',
  'corr:1+2@x,y;z=$&%3A%40',
  '../../evil?x=',
  'a/b#c',
  'x\r\nSet-Cookie: a=b',
  '.',
  '..',
  '...',
  '%2e%2e',
  'ñ 漢字',
  '\ud800',
  '',
])('%j stays one segment below its base', (text) => {
  const url = new URL(`https://acme.test/t/${encodeSegment(text)}`);
  expect([url.origin, url.search, url.hash]).toEqual(['https://acme.test', '', '']);
  expect(url.pathname.split('/')).toEqual(['', 't', encodeSegment(text)]);
  expect(url.href).toBe(`https://acme.test/t/${encodeSegment(text)}`);
});

test('characters that a segment may have are left alone, and all others come back', () => {
  expect(encodeSegment('corr-1_.~A9')).toBe('corr-1_.~A9');
  expect(encodeSegment("corr:1+2@x,y;z=$&!*'()")).toBe("corr:1+2@x,y;z=$&!*'()");
  expect(encodeSegment('%3A/?#')).toBe('%253A%2F%3F%23');
  expect(decodeURIComponent(percentEncode('../../evil?x=\r\n%'))).toBe('../../evil?x=\r\n%');
  expect(percentEncode('a\ud800b')).toBe('a%EF%BF%BDb');
});
