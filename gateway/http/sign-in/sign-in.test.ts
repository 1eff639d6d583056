import { describe, expect, test } from '@jest/globals';
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { CLOCK_TOLERANCE_SECONDS } from './provider.ts';
import { PUBLIC_URL, refusedBy, useSignInStage } from './testing.ts';

const stage = useSignInStage();

describe('A sign-in by OpenID Connect', () => {
  test('leads to the console by a link with the highest role of the person', async () => {
    const { statusCode, url, setCookie } = await stage.begin();
    expect(statusCode).toBe(302);
    expect(setCookie).toMatch(
      /^__Host-remitgraph-sign-in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
    );
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${PUBLIC_URL}/console/sign-in/acme/callback`,
      nonce: expect.stringMatching(/.{40}/),
      state: expect.stringMatching(/.{40}/),
    });
    expect(await stage.signIn()).toBe(`${PUBLIC_URL}/console/#code=raas_code_1`);
    const ids = { sub: 'ana', sid: expect.any(String), version: expect.any(String) };
    const signedInBy = { issuer: stage.acme.issuer, ...ids };
    expect(stage.links).toEqual([
      [{ accountId: 'acme/sandbox' }, { access: 'support', label: 'Ana Ruiz', signedInBy }],
    ]);
  });

  test('is for the live environment unless the address names the other one', async () => {
    stage.acme.person = { sub: 'ana', roles: 'remit-admins' };
    const { url, cookie } = await stage.begin('/console/sign-in/acme');
    await stage.get(await stage.visit(stage.acme, url), cookie);
    expect(stage.links).toEqual([
      [{ accountId: 'acme/live' }, expect.objectContaining({ access: 'admin', label: 'ana' })],
    ]);
  });

  test.each([
    '/console/sign-in/nobody',
    '/console/sign-in/initech',
    '/console/sign-in/a%2Fb',
    '/console/platform-sign-in',
  ])('is answered alike for an unknown partner and for one without it: %s', async (path) => {
    expect((await stage.get(path)).headers.location).toBe(refusedBy('unknown'));
  });

  test('refuses a person whose role claim is missing or maps to no role', async () => {
    for (const roles of [undefined, 'others', ['others']]) {
      stage.acme.person = { sub: 'ana', ...(roles && { roles }) };
      expect(await stage.signIn()).toBe(refusedBy('role'));
    }
    expect(stage.links).toEqual([]);
  });

  test('refuses a stolen code in another browser, and does not exchange it', async () => {
    const { url } = await stage.begin();
    const path = await stage.visit(stage.acme, url);
    stage.acme.requests.length = 0;
    expect((await stage.get(path)).headers.location).toBe(refusedBy('expired'));
    const thief = await stage.begin();
    expect((await stage.get(path, thief.cookie)).headers.location).toBe(refusedBy('expired'));
    expect(stage.acme.requests.filter((one) => one.startsWith('POST'))).toEqual([]);
    expect(stage.links).toEqual([]);
  });

  test('refuses a stolen code under the state of the thief: it lacks the verifier', async () => {
    const { url } = await stage.begin();
    const stolen = new URL(await stage.visit(stage.acme, url), PUBLIC_URL);
    const thief = await stage.begin();
    stolen.searchParams.set('state', new URL(thief.url).searchParams.get('state') ?? '');
    const { headers } = await stage.get(stolen.pathname + stolen.search, thief.cookie);
    expect(headers.location).toBe(refusedBy('invalid'));
    expect(stage.links).toEqual([]);
  });

  test('uses a state once, even if the browser still sends the cookie', async () => {
    const { url, cookie } = await stage.begin();
    const path = await stage.visit(stage.acme, url);
    const first = await stage.get(path, cookie);
    expect(first.headers.location).toContain('#code=');
    expect(first.headers['set-cookie']).toMatch(/^__Host-remitgraph-sign-in=; .*Max-Age=0$/);
    stage.acme.requests.length = 0;
    expect((await stage.get(path, cookie)).headers.location).toBe(refusedBy('expired'));
    expect(stage.acme.requests).toEqual([]);
    expect(stage.links).toHaveLength(1);
  });

  test('goes on after the answer to a former attempt, of another tab, has come in between', async () => {
    const former = await stage.visit(stage.acme, (await stage.begin()).url);
    const { url, cookie } = await stage.begin();
    const late = await stage.get(former, cookie);
    expect(late.headers.location).toBe(refusedBy('expired'));
    expect(late.headers['set-cookie']).toBeUndefined();
    expect((await stage.get(await stage.visit(stage.acme, url), cookie)).headers.location).toContain(
      '#code=',
    );
  });

  test('ends after ten minutes, and with a changed cookie', async () => {
    const { url, cookie } = await stage.begin();
    const path = await stage.visit(stage.acme, url);
    const changed = `${cookie.slice(0, -2)}AA`;
    expect((await stage.get(path, changed)).headers.location).toBe(refusedBy('expired'));
    stage.now = () => new Date(Date.now() + 601_000);
    expect((await stage.get(path, cookie)).headers.location).toBe(refusedBy('expired'));
  });

  test("refuses a code of another partner's provider", async () => {
    const { url, cookie } = await stage.begin();
    const foreign = await stage.begin('/console/sign-in/globex');
    const answer = new URL(await stage.visit(stage.globex, foreign.url), PUBLIC_URL);
    expect((await stage.get(answer.pathname + answer.search, cookie)).headers.location).toBe(
      refusedBy('expired'),
    );
    answer.pathname = '/console/sign-in/acme/callback';
    answer.searchParams.set('state', new URL(url).searchParams.get('state') ?? '');
    expect((await stage.get(answer.pathname + answer.search, cookie)).headers.location).toBe(
      refusedBy('invalid'),
    );
    expect(stage.links).toEqual([]);
  });

  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another audience', (claims) => ({ ...claims, aud: 'remitgraph-globex' })],
    ['another issuer', (claims) => ({ ...claims, iss: stage.globex.issuer })],
    ['another nonce', (claims) => ({ ...claims, nonce: 'other' })],
    [
      'several audiences and another authorized party',
      (claims) => ({
        ...claims,
        aud: ['remitgraph-acme', 'remitgraph-globex'],
        azp: 'remitgraph-globex',
      }),
    ],
    ['no person', ({ sub: _, ...rest }) => rest],
  ])('refuses an ID token with %s', async (_name, tamper) => {
    stage.acme.tamper = tamper;
    expect(await stage.signIn()).toBe(refusedBy('invalid'));
    expect(stage.links).toEqual([]);
  });

  test('refuses an ID token that the provider has not signed', async () => {
    const { sign } = stage.acme;
    stage.acme.tamper = (claims) => claims;
    stage.acme.sign = (claims) => sign(claims, 'foreign');
    expect(await stage.signIn()).toBe(refusedBy('invalid'));
    stage.acme.sign = sign;
  });

  test.each<[string, (claims: JWTPayload) => Promise<string>]>([
    ['none', async (claims) => new UnsecuredJWT(claims).encode()],
    [
      'HS256 and the secret of the client',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode('secret-of-the-client')),
    ],
  ])('refuses an ID token with the algorithm %s', async (_name, encode) => {
    const { sign } = stage.acme;
    stage.acme.tamper = (claims) => claims;
    stage.acme.sign = encode;
    expect(await stage.signIn()).toBe(refusedBy('invalid'));
    stage.acme.sign = sign;
    expect(stage.links).toEqual([]);
  });

  const shifted = (seconds: number) => (claims: JWTPayload) => ({
    ...claims,
    iat: Number(claims.iat) + seconds,
    exp: Number(claims.exp) + seconds,
  });

  test('tolerates clocks that differ by five minutes, and no more', async () => {
    for (const seconds of [CLOCK_TOLERANCE_SECONDS - 20, 20 - CLOCK_TOLERANCE_SECONDS]) {
      stage.acme.tamper = shifted(seconds);
      expect(await stage.signIn()).toContain('#code=');
    }
    for (const seconds of [CLOCK_TOLERANCE_SECONDS + 20, -20 - CLOCK_TOLERANCE_SECONDS, -86_400]) {
      stage.acme.tamper = shifted(seconds);
      expect(await stage.signIn()).toBe(refusedBy('clock'));
    }
    expect(stage.links).toHaveLength(2);
  });

  test('goes on after the provider has rotated its key', async () => {
    expect(await stage.signIn()).toContain('#code=');
    await stage.acme.rotateKey();
    expect(await stage.signIn()).toContain('#code=');
  });

  test('shows that the provider is down, at the start and at the end, and stores nothing', async () => {
    const { url, cookie } = await stage.begin();
    const path = await stage.visit(stage.acme, url);
    stage.acme.isDown = true;
    expect((await stage.get(path, cookie)).headers.location).toBe(refusedBy('offline'));
    await stage.restart();
    const down = await stage.get('/console/sign-in/acme');
    expect(down.headers.location).toBe(refusedBy('offline'));
    expect(down.headers['set-cookie']).toBeUndefined();
    expect(stage.links).toEqual([]);
  });

  test('shows that the provider did not let the person in', async () => {
    const { url, cookie } = await stage.begin();
    const state = new URL(url).searchParams.get('state');
    const path = `/console/sign-in/acme/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(stage.acme.issuer)}`;
    expect((await stage.get(path, cookie)).headers.location).toBe(refusedBy('denied'));
  });

  test('is logged with its end and without a secret or a name: a success, a refusal and a replay', async () => {
    const { url, cookie } = await stage.begin();
    const path = await stage.visit(stage.acme, url);
    await stage.get(path, cookie);
    await stage.get(path, cookie);
    stage.acme.person = { sub: 'ana', name: 'Ana Ruiz', roles: ['others'] };
    await stage.signIn();
    const accountId = 'acme/sandbox';
    const refused = { accountId, msg: 'console_sign_in.refused' };
    expect(stage.logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        accountId,
        sessionId: 'cse_1',
        role: 'support',
        msg: 'console_sign_in.succeeded',
      }),
      expect.objectContaining({ ...refused, reason: 'replayed' }),
      expect.objectContaining({ ...refused, reason: 'role', claim: 'roles' }),
    ]);
    const { searchParams } = new URL(path, PUBLIC_URL);
    const { searchParams: asked } = new URL(url);
    const secrets = [
      searchParams.get('code'),
      asked.get('state'),
      asked.get('nonce'),
      asked.get('code_challenge'),
      cookie.split('=')[1],
      'raas_code_1',
      'secret-of-the-client',
      'Ana Ruiz',
      '"ana"',
      'others',
    ].map(String);
    expect(secrets.filter((secret) => secret.length < 4)).toEqual([]);
    expect(secrets.filter((secret) => stage.logged.join('').includes(secret))).toEqual([]);
  });

  test('calls no provider at a private address that is not allowed (SSRF)', async () => {
    await stage.restart([]);
    expect((await stage.get('/console/sign-in/acme')).headers.location).toBe(refusedBy('offline'));
    expect(stage.acme.requests).toEqual([]);
  });
});
