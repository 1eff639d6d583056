import { describe, expect, test } from '@jest/globals';
import { CONSOLE_HEADER, createConsoleCookie, type Requested } from './console-cookie.ts';

const PUBLIC = 'https://remit.example/base';
const ORIGIN = 'https://remit.example';
const NAME = '__Host-remitgraph-console';
const TEXT = 'raas_console_abc';
const OWN = { [CONSOLE_HEADER]: '1', origin: ORIGIN, cookie: `a=b; ${NAME}=${TEXT}` };
const SESSION = { kind: 'session', text: TEXT };

const cookie = createConsoleCookie(PUBLIC);
const post = (headers: Requested['headers']): Requested => ({ method: 'POST', headers });

describe('The cookie of a console session', () => {
  test('counts for a request of our own page', () => {
    expect(cookie.credentialOf(post(OWN))).toEqual(SESSION);
  });

  test.each<[string, Requested['headers']]>([
    ['of another origin', { ...OWN, origin: 'https://evil.example' }],
    ['of the origin over plain HTTP', { ...OWN, origin: 'http://remit.example' }],
    ['of another port', { ...OWN, origin: 'https://remit.example:8443' }],
    ['of a subdomain', { ...OWN, origin: 'https://a.remit.example' }],
    ['of a page without an origin', { ...OWN, origin: 'null' }],
    ['of no page', { ...OWN, origin: undefined }],
    [
      'with this host as its origin, if the public address differs',
      { ...OWN, host: 'h', origin: 'http://h' },
    ],
    ['of a form', { ...OWN, [CONSOLE_HEADER]: undefined }],
    ['with the header empty', { ...OWN, [CONSOLE_HEADER]: '' }],
    ['without it', { ...OWN, cookie: undefined }],
    ['with another name', { ...OWN, cookie: `remitgraph-console=${TEXT}` }],
    ['with a name that ends so', { ...OWN, cookie: `x${NAME}=${TEXT}` }],
    ['with two of its name', { ...OWN, cookie: `${NAME}=${TEXT}; ${NAME}=other` }],
  ])('does not count for a request %s', (_name, headers) => {
    expect(cookie.credentialOf(post(headers))).toBeUndefined();
  });

  test.each(['GET', 'HEAD'])(
    'counts for %s without an origin, as browsers send it to their own host',
    (method) => {
      const { origin: _, ...headers } = OWN;
      expect(cookie.credentialOf({ method, headers })).toEqual(SESSION);
      expect(
        cookie.credentialOf({ method, headers: { ...headers, origin: 'https://evil.example' } }),
      ).toBeUndefined();
      expect(
        cookie.credentialOf({ method, headers: { ...headers, [CONSOLE_HEADER]: undefined } }),
      ).toBeUndefined();
    },
  );

  test('counts for a socket of our own page, which has no header of its own', () => {
    const { [CONSOLE_HEADER]: _, ...headers } = OWN;
    expect(cookie.credentialOfSocket(headers)).toEqual(SESSION);
    expect(cookie.credentialOfSocket({ ...headers, origin: 'https://evil.example' })).toBeUndefined();
    expect(cookie.credentialOfSocket({ ...headers, origin: undefined })).toBeUndefined();
  });

  test('is hidden from scripts, other hosts, plain HTTP and requests of other sites', () => {
    expect(cookie.keep(TEXT, 86_400_000)).toBe(
      `${NAME}=${TEXT}; Path=/; HttpOnly; SameSite=Strict; Secure; Expires=Fri, 02 Jan 1970 00:00:00 GMT`,
    );
    expect(cookie.forget).toBe(
      `${NAME}=; Path=/; HttpOnly; SameSite=Strict; Secure; Expires=Thu, 01 Jan 1970 00:00:00 GMT`,
    );
  });

  test('over plain HTTP has no name that browsers keep for TLS', () => {
    expect(createConsoleCookie('http://localhost:4000').keep(TEXT, 0)).toBe(
      `remitgraph-console=${TEXT}; Path=/; HttpOnly; SameSite=Strict; Expires=Thu, 01 Jan 1970 00:00:00 GMT`,
    );
  });

  test('without a public address counts for pages of the host and port that the request names', () => {
    const local = createConsoleCookie(undefined);
    const headers = { ...OWN, cookie: `remitgraph-console=${TEXT}`, host: 'localhost:4000' };
    expect(local.credentialOf(post({ ...headers, origin: 'http://localhost:4000' }))).toEqual(SESSION);
    expect(local.credentialOf(post({ ...headers, origin: 'http://localhost:3000' }))).toBeUndefined();
    expect(local.credentialOf(post({ ...headers, origin: 'https://localhost:4000' }))).toBeUndefined();
  });
});
