import { expect, test } from '@jest/globals';
import { graphUrlOf, readServerUrl, serverUrlIssue } from './server-url.ts';

test.each([
  ['http://localhost:4000', 'http://localhost:4000/graphql'],
  ['https://api.test/', 'https://api.test/graphql'],
  ['https://api.test/remit', 'https://api.test/remit/graphql'],
  ['https://api.test/remit/', 'https://api.test/remit/graphql'],
])('the graph of %s is at %s', (server, address) => {
  expect(graphUrlOf(server)).toBe(address);
  expect(graphUrlOf(new URL(server))).toBe(address);
});

test('a server is named by a URL of HTTP or HTTPS', () => {
  expect(readServerUrl('https://api.test')).toEqual(new URL('https://api.test'));
  expect([readServerUrl('ftp://api.test'), readServerUrl('api.test')]).toEqual([undefined, undefined]);
});

test('a server is named without credentials, which the issue does not show', () => {
  const named = ['https://user@api.test', 'https://:hunter2@api.test', 'https://user:hunter2@api.test/'];
  expect(named.map((url) => readServerUrl(url))).toEqual([undefined, undefined, undefined]);
  expect(named.map((url) => serverUrlIssue(url)).join()).not.toContain('hunter2');
});
