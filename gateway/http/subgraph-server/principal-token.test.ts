import { describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import type { Principal } from '../../../subgraphs/kernel/principal.ts';
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  operationText,
  type TokenUse,
} from './principal-token.ts';

const principal: Principal = {
  accountId: 'acme/sandbox',
  keyId: 'key_1',
  scopes: ['partner'],
};
const KEY = 'k'.repeat(32);
const OTHER_KEY = 'o'.repeat(32);
const START = 1_795_248_000_000;
let now = START;
const clock = () => now;
const caller = { principal, requestId: 'r-1' };
const USE: TokenUse = { audience: 'users', method: 'POST', body: '{"query":"{ a }"}' };

const signerOf = (key = KEY) => createPrincipalSigner({ keys: [key], clock });
const verifierOf = (keys: readonly [string, ...string[]] = [KEY], audience = 'users') =>
  createPrincipalVerifier({ keys, audience, clock });

/** Reads and redeems: the caller, or why not. */
async function take(token: unknown, verifier = verifierOf(), use: Omit<TokenUse, 'audience'> = USE) {
  const read = await verifier.read(token, use.method);
  return read.ok ? (read.token.redeem(use.body) ?? read.token.caller) : read.reason;
}

describe('principal tokens', () => {
  test('carry the caller from one process to another, as JSON Web Tokens', async () => {
    const token = await signerOf().sign(caller, USE);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({
      iss: 'gateway',
      aud: 'users',
      iat: START / 1_000,
      exp: START / 1_000 + 30,
      jti: expect.any(String),
      htm: 'POST',
      bodySha256: '4jTxpZy__eGVlJHm9IWlpFKqOLvuiz8ce0H8_LQOpyg',
      ...caller,
    });
    expect(await take(token)).toEqual(caller);
    const { tokenId, sessionId, expiresAt } = { tokenId: 'btk_1', sessionId: 'cse_1', expiresAt: START };
    const page = { ...principal, browserToken: { tokenId, expiresAt } };
    const person = {
      ...principal,
      consoleSession: { sessionId, label: 'Ana', access: 'read', expiresAt },
    } as const;
    for (const one of [page, person]) {
      const shown = { principal: one, requestId: 'r-3' };
      expect(await take(await signerOf().sign(shown, USE))).toEqual(shown);
    }
    const nobody = { principal: null, requestId: 'r-2' };
    expect(await take(await signerOf().sign(nobody, USE))).toEqual(nobody);
  });

  test('are good for 30 s, and 5 s of difference between two clocks', async () => {
    for (const [age, expected] of [
      [-5_000, caller],
      [34_000, caller],
      [35_000, 'expired'],
      [-6_000, 'malformed'],
    ] as const) {
      now = START;
      const token = await signerOf().sign(caller, USE);
      now = START + age;
      expect([age, await take(token)]).toEqual([age, expected]);
    }
    now = START;
  });

  test('are good once, whatever the time within which they are good', async () => {
    const verifier = verifierOf();
    now = START + 5_000;
    const token = await signerOf().sign(caller, USE);
    for (const [at, expected] of [
      [0, caller],
      [1, 'replayed'],
      [39_900, 'replayed'],
      [40_000, 'expired'],
    ] as const) {
      now = START + at;
      expect([at, await take(token, verifier)]).toEqual([at, expected]);
    }
    now = START;
    const again = await Promise.all(
      [1, 2, 3].map(async () => take(await signerOf().sign(caller, USE), verifier)),
    );
    expect(again).toEqual([caller, caller, caller]);
  });

  test('that are rejected for their body are not used up', async () => {
    const verifier = verifierOf();
    const token = await signerOf().sign(caller, USE);
    expect(await take(token, verifier, { ...USE, body: '{}' })).toBe('body');
    expect(await take(token, verifier)).toEqual(caller);
  });

  test('under a former key count while it is among the keys', async () => {
    const token = await signerOf(OTHER_KEY).sign(caller, USE);
    expect(await take(token, verifierOf([KEY, OTHER_KEY]))).toEqual(caller);
    expect(await take(token, verifierOf([KEY]))).toBe('signature');
  });

  const claims = async () => ({ ...decodeJwt(await signerOf().sign(caller, USE)) });
  const signed = async (
    changes: Record<string, unknown>,
    header: { alg: string; typ?: string } = { alg: 'HS256', typ: 'JWT' },
  ) => {
    // A claim of undefined is one that is missing.
    const given = JSON.parse(JSON.stringify({ ...(await claims()), ...changes }));
    return new SignJWT(given)
      .setProtectedHeader(header)
      .sign(Buffer.from(KEY.repeat(2)).subarray(0, header.alg === 'HS512' ? 64 : 32));
  };

  test.each<[string, string, () => unknown]>([
    ['nothing', 'missing', () => undefined],
    ['an empty text', 'missing', () => ''],
    ['a list', 'missing', () => ['a.b.c']],
    ['a text that is no token', 'malformed', () => 'a.b'],
    ['another key', 'signature', () => signerOf(OTHER_KEY).sign(caller, USE)],
    ['no signature', 'signature', async () => `${(await signed({})).split('.').slice(0, 2).join('.')}.`],
    ['alg none', 'algorithm', async () => new UnsecuredJWT(await claims()).encode()],
    ['another algorithm', 'algorithm', () => signed({}, { alg: 'HS512', typ: 'JWT' })],
    ['another type', 'malformed', () => signed({}, { alg: 'HS256' })],
    [
      'another tenant under the old signature',
      'signature',
      async () => {
        const [header, , signature] = (await signed({})).split('.');
        const payload = { ...(await claims()), principal: { ...principal, accountId: 'globex/sandbox' } };
        return `${header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${signature}`;
      },
    ],
    ['another issuer', 'malformed', () => signed({ iss: 'somebody' })],
    ['another audience', 'audience', () => signed({ aud: 'links' })],
    ['several audiences', 'audience', () => signed({ aud: ['users', 'links'] })],
    ['no audience', 'audience', () => signed({ aud: undefined })],
    ['another method', 'method', () => signed({ htm: 'SUBSCRIBE' })],
    ['another body', 'body', () => signed({ bodySha256: 'x'.repeat(43) })],
    ['no body', 'malformed', () => signed({ bodySha256: undefined })],
    ['no expiry', 'malformed', () => signed({ exp: undefined })],
    ['no time of issue', 'malformed', () => signed({ iat: undefined })],
    ['a life of a day', 'expired', () => signed({ iat: START / 1_000 - 36, exp: START / 1_000 + 86_400 })],
    ['no id', 'malformed', () => signed({ jti: undefined })],
    ['no principal', 'malformed', () => signed({ principal: undefined })],
    ['an unknown scope', 'malformed', () => signed({ principal: { ...principal, scopes: ['root'] } })],
  ])('with %s are rejected: %s', async (_name, reason, make) => {
    expect(await take(await make())).toBe(reason);
  });

  test('for operations over sockets are over their canonical JSON, without the extensions', () => {
    const payload = { query: 'q', operationName: null, variables: { b: 1, a: [1.0, undefined, 'é'] } };
    const text = operationText({ extensions: { any: 1 }, ...payload });
    expect(text).toBe('{"query":"q","variables":{"a":[1,null,"é"],"b":1}}');
    expect(operationText(JSON.parse(JSON.stringify(payload)))).toBe(text);
  });
});
