import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../../subgraphs/kernel/principal.ts';
import { type Credential, createCredentials, credentialOf } from './credentials.ts';

const KEY = 'raas_sandbox_acme_full';
const TOKEN = `raas_browser_${'t'.repeat(43)}`;
const COOKIE = `raas_console_${'c'.repeat(43)}`;
const SESSION: Credential = { kind: 'session', text: COOKIE };

describe('The credential of a call', () => {
  test.each<[string, Record<string, unknown>, ReturnType<typeof credentialOf>]>([
    ['a key', { 'x-api-key': KEY }, { kind: 'key', text: KEY }],
    ['a key in the other header', { api_key: KEY }, { kind: 'key', text: KEY }],
    ['a browser token', { authorization: `Bearer ${TOKEN}` }, { kind: 'token', text: TOKEN }],
    ['a scheme in lower case', { authorization: `bearer  ${TOKEN}` }, { kind: 'token', text: TOKEN }],
    [
      "a key, beside a proxy's own credentials",
      { 'x-api-key': KEY, authorization: 'Bearer of-the-proxy' },
      { kind: 'key', text: KEY },
    ],
    ['a token where keys stand: a key that nobody has', { 'x-api-key': TOKEN }, { kind: 'key', text: TOKEN }],
  ])('is %s', (_name, headers, credential) => {
    expect(credentialOf(headers)).toEqual(credential);
  });

  test.each<[string, Record<string, unknown>]>([
    ['nothing is shown', {}],
    ['both are shown', { 'x-api-key': KEY, authorization: `Bearer ${TOKEN}` }],
    ['a key is shown as a token', { authorization: `Bearer ${KEY}` }],
    ['the scheme is another', { authorization: `Basic ${TOKEN}` }],
    ['there are two tokens', { authorization: `Bearer ${TOKEN} ${TOKEN}` }],
    [
      'a key and two headers are shown, one of them a token',
      { 'x-api-key': KEY, authorization: `Basic YTpi, Bearer ${TOKEN}` },
    ],
    ['the header is no text', { authorization: [`Bearer ${TOKEN}`] }],
  ])('is none where %s', (_name, headers) => {
    expect(credentialOf(headers)).toBeUndefined();
  });
});

test.each<[string, Record<string, unknown>, Credential | undefined]>([
  ['counts without a key and a token', { authorization: 'Bearer of-the-proxy' }, SESSION],
  ['does not count beside a key', { 'x-api-key': KEY }, { kind: 'key', text: KEY }],
  ['does not count beside a token', { authorization: `Bearer ${TOKEN}` }, { kind: 'token', text: TOKEN }],
  ['does not count beside both', { 'x-api-key': KEY, authorization: `Bearer ${TOKEN}` }, undefined],
  [
    'does not count beside two tokens',
    { authorization: `Bearer ${TOKEN}, Bearer raas_browser_x` },
    { kind: 'token', text: '' },
  ],
  ['does not count beside two keys', { 'x-api-key': KEY, api_key: TOKEN }, { kind: 'key', text: '' }],
])('The session of a cookie %s', (_name, headers, credential) => {
  expect(credentialOf(headers, SESSION)).toEqual(credential);
});

test('Keys are looked up only among keys, tokens among tokens, and sessions among sessions', async () => {
  const holder = (keyId: string): Principal => ({
    accountId: 'acme/sandbox',
    keyId,
    scopes: ['partner'],
  });
  const consoleSession = { sessionId: 'cse_1', label: 'Ana', access: 'read', expiresAt: 0 } as const;
  const ofSession = { ...holder('of the session'), consoleSession };
  const credentials = createCredentials({
    apiKeys: { authenticate: (text) => (text === KEY ? holder('of the key') : null) },
    browserTokens: { authenticate: async (text) => (text === TOKEN ? holder('of the token') : null) },
    consoleSessions: { authenticate: async (text) => (text === COOKIE ? ofSession : null) },
  });
  const keyIdOf = async (kind: Credential['kind'], text: string) =>
    (await credentials.authenticate({ kind, text }))?.keyId;
  expect(await keyIdOf('key', KEY)).toBe('of the key');
  expect(await keyIdOf('token', TOKEN)).toBe('of the token');
  expect(await keyIdOf('session', COOKIE)).toBe('of the session');
  expect(await keyIdOf('session', KEY)).toBeUndefined();
  expect(await keyIdOf('token', COOKIE)).toBeUndefined();
  expect(await keyIdOf('key', TOKEN)).toBeUndefined();
  expect(await keyIdOf('token', KEY)).toBeUndefined();
  expect(await credentials.authenticate(undefined)).toBeNull();
});
