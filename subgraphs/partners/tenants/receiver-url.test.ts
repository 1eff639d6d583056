import { describe, expect, test } from '@jest/globals';
import { LONGEST_RECEIVER_URL, normalizeReceiverUrl } from './receiver-url.ts';

describe('The URL of a receiver', () => {
  test.each([
    ['a space before it', ' https://127.0.0.1:9443/hook'],
    ['a line feed behind it', 'https://127.0.0.1:9443/hook\n'],
    ['a tab within', 'https://127.0.0.1:94\t43/hook'],
    ['control characters around it', '\u0000\u001bhttps://127.0.0.1:9443/hook\u0007'],
    ['an upper-case scheme', 'HTTPS://127.0.0.1:9443/hook'],
    ['a fragment', 'https://127.0.0.1:9443/hook#a'],
    ['an empty fragment', 'https://127.0.0.1:9443/hook#'],
    ['a short address', 'https://127.1:9443/hook'],
    ['a decimal address', 'https://2130706433:9443/hook'],
    ['dot segments', 'https://127.0.0.1:9443/a/../hook'],
    ['backslashes', 'https:\\\\127.0.0.1:9443\\hook'],
  ])('has one form, whether it is sent with %s or plainly', (_name, text) => {
    expect(normalizeReceiverUrl(text)).toBe('https://127.0.0.1:9443/hook');
  });

  test.each([
    ['https://Hooks.Example.COM:443', 'https://hooks.example.com/'],
    ['https://bücher.example/ü?q=ü', 'https://xn--bcher-kva.example/%C3%BC?q=%C3%BC'],
    ['https://a.example/\u001b[31m?x=\u009b', 'https://a.example/%1B[31m?x=%C2%9B'],
    ['https://user:pass@a.example/', 'https://user:pass@a.example/'],
  ])('%j becomes %s', (text, url) => {
    expect(normalizeReceiverUrl(text)).toBe(url);
  });

  test.each([
    '',
    'http://a.example/',
    'a.example',
    'ftp://a.example/',
    'https://',
    'https:///',
    'https://a b/',
  ])('cannot be %j', (text) => {
    expect(normalizeReceiverUrl(text)).toBeUndefined();
  });

  test('has a bounded length, before and after it is normalised', () => {
    const fits = `https://a.example/${'a'.repeat(LONGEST_RECEIVER_URL - 18)}`;
    expect(normalizeReceiverUrl(fits)).toBe(fits);
    expect(normalizeReceiverUrl(`${fits}a`)).toBeUndefined();
    expect(normalizeReceiverUrl(`https://a.example/${'ü'.repeat(1000)}`)).toBeUndefined();
  });
});
