import { expect, test } from '@jest/globals';
import { graphUrlOf, readServerUrl } from './server-url.ts';

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
