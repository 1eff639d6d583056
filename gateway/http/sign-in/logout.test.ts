import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { refusedBy, useSignInStage } from './testing.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const stage = useSignInStage();

describe('Back-channel logout', () => {
  const sendToken = (token: string) => stage.logOut('/console/sign-in/acme/logout', `logout_token=${token}`);
  const claims = (): JWTPayload => {
    const iat = Math.floor(Date.now() / 1_000);
    return {
      iss: stage.acme.issuer,
      aud: 'remitgraph-acme',
      iat,
      exp: iat + 120,
      jti: randomUUID(),
      sub: 'ana',
      sid: 'session-1',
      events: { [LOGOUT_EVENT]: {} },
    };
  };

  test('by the provider ends the sessions in both environments', async () => {
    await stage.acme.logOut('ana', 'session-1');
    const by = { issuer: stage.acme.issuer, sub: 'ana', sid: 'session-1' };
    expect(stage.ended).toEqual([
      ['acme/live', by],
      ['acme/sandbox', by],
    ]);
  });

  test('takes a token once', async () => {
    const token = await stage.acme.sign(claims());
    expect((await sendToken(token)).statusCode).toBe(200);
    expect(stage.ended).toHaveLength(2);
    expect((await sendToken(token)).statusCode).toBe(400);
    expect(stage.ended).toHaveLength(2);
  });

  test('can be sent again if it failed before the sessions ended', async () => {
    const token = await stage.acme.sign(claims());
    stage.isStoreDown = true;
    expect((await sendToken(token)).statusCode).toBe(500);
    stage.isStoreDown = false;
    expect((await sendToken(token)).statusCode).toBe(200);
    expect(stage.ended).toHaveLength(2);
  });

  test.each<[string, (valid: JWTPayload) => JWTPayload]>([
    ['of the person', ({ sid: _, ...rest }) => rest],
    ['of the session', ({ sub: _, ...rest }) => rest],
    ['of both', (valid) => valid],
  ])('%s ends a sign-in that is under way, and none that begins later', async (_name, make) => {
    stage.acme.tamper = (idToken) => ({ ...idToken, sid: 'session-1' });
    const { url, cookie } = await stage.begin();
    const path = await stage.visit(stage.acme, url);
    expect((await sendToken(await stage.acme.sign(make(claims())))).statusCode).toBe(200);
    expect((await stage.get(path, cookie)).headers.location).toBe(refusedBy('expired'));
    expect(stage.revoked).toEqual(['cse_1']);
    stage.now = () => new Date(Date.now() + 1_000);
    expect(await stage.signIn()).toContain('#code=');
  });

  test('counts refused tokens of an address alone, because a provider may end thousands of sessions at once', async () => {
    expect((await sendToken(await stage.acme.sign(claims()))).statusCode).toBe(200);
    expect(stage.counted).toBe(0);
    expect((await sendToken('x')).statusCode).toBe(400);
    expect((await sendToken(await stage.acme.sign(claims(), 'foreign'))).statusCode).toBe(400);
    expect(stage.counted).toBe(2);
  });

  test('goes on after the provider has rotated its key', async () => {
    expect((await sendToken(await stage.acme.sign(claims()))).statusCode).toBe(200);
    await stage.acme.rotateKey();
    // Keys are read again after a while.
    await stage.restart();
    expect((await sendToken(await stage.acme.sign(claims()))).statusCode).toBe(200);
  });

  test.each<[string, (valid: JWTPayload) => JWTPayload]>([
    ['of another issuer', (valid) => ({ ...valid, iss: stage.globex.issuer })],
    ['for another client', (valid) => ({ ...valid, aud: 'remitgraph-globex' })],
    ['without the event', (valid) => ({ ...valid, events: { other: {} } })],
    ['with a nonce, as an ID token has', (valid) => ({ ...valid, nonce: 'n' })],
    ['without a time', ({ iat: _, ...rest }) => rest],
    ['without an id', ({ jti: _, ...rest }) => rest],
    ['without a person and a session', ({ sub: _, sid: __, ...rest }) => rest],
    ['that is old', (valid) => ({ ...valid, iat: 1_700_000_000, exp: 1_700_000_120 })],
    ['of the future', (valid) => ({ ...valid, iat: Math.floor(Date.now() / 1_000) + 400 })],
  ])('refuses a token %s', async (_name, make) => {
    expect((await sendToken(await stage.acme.sign(make(claims())))).statusCode).toBe(400);
    expect(stage.ended).toEqual([]);
  });

  test('refuses a forged token, an unsigned one and other texts', async () => {
    const forged = await stage.acme.sign(claims(), 'foreign');
    const unsigned = [{ alg: 'none' }, claims()]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    for (const token of [forged, `${unsigned}.`, 'x', '']) {
      expect((await sendToken(token)).statusCode).toBe(400);
    }
    expect((await stage.logOut('/console/sign-in/acme/logout', '')).statusCode).toBe(400);
    expect(
      (
        await stage.logOut(
          '/console/sign-in/nobody/logout',
          `logout_token=${await stage.acme.sign(claims())}`,
        )
      ).statusCode,
    ).toBe(400);
    expect(stage.ended).toEqual([]);
  });

  test('answers 503 while the keys of the provider cannot be read, so that it sends the token again', async () => {
    const token = await stage.acme.sign(claims());
    stage.acme.isDown = true;
    expect((await sendToken(token)).statusCode).toBe(503);
    stage.acme.isDown = false;
    expect((await sendToken(token)).statusCode).toBe(200);
  });
});
