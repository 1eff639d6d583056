import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  cookieOf,
  exchangeCode,
  JSON_PAGE,
  makeConsoleKey,
  makeLink,
  CONSOLE_ORIGIN as ORIGIN,
  PAGE,
  signIn,
} from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let key: string;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PUBLIC_URL: `${ORIGIN}/` } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  ({ key } = await makeConsoleKey(target.subgraphs));
});

const whoIs = async (cookie: string) => {
  const headers = { ...PAGE, cookie };
  const { status } = await exchange({ method: 'GET', path: '/console/session', headers });
  return status;
};

describe('A link to the console', () => {
  test('signs in once: the cookie is out of reach for scripts, and the answer names the user', async () => {
    const { code, id, payload } = await makeLink(exchange, key, { access: 'ADMIN' });
    expect(payload?.url).toBe(`${ORIGIN}/console/#code=${code}`);
    const signedIn = await exchangeCode(exchange, code);
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers['set-cookie']).toMatch(
      /^__Host-remitgraph-console=raas_console_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Expires=/,
    );
    expect(signedIn.headers['cache-control']).toBe('no-store');
    const session = {
      id,
      partner: { id: 'acme', name: expect.any(String) },
      environment: 'sandbox',
      access: 'admin',
      endsAt: expect.any(String),
      idleSeconds: 3_600,
    };
    expect(JSON.parse(signedIn.text)).toEqual(session);
    const headers = { 'x-remitgraph-console': '1', cookie: cookieOf(signedIn) };
    const reported = await exchange({ method: 'GET', path: '/console/session', headers });
    expect(JSON.parse(reported.text)).toEqual(session);
    expect((await exchangeCode(exchange, code)).status).toBe(401);
  });

  test('is answered alike whether it was used, has never been or belongs to a revoked key', async () => {
    const { code: used } = await makeLink(exchange, key);
    await exchangeCode(exchange, used);
    const gone = await makeConsoleKey(target.subgraphs);
    const { code: revoked } = await makeLink(exchange, gone.key);
    await target.subgraphs.apiKeys.revoke(gone.keyId);
    const answers = await Promise.all(
      [used, revoked, `${used.slice(0, -1)}-`, 'x', ''].map((code) => exchangeCode(exchange, code)),
    );
    const reported = answers.map(({ status, text, headers }) => [status, text, headers['set-cookie']]);
    expect(new Set(reported.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(reported[0]?.[0]).toBe(401);
    expect(JSON.parse(String(reported[0]?.[1]))).toMatchObject({
      errors: [{ extensions: { code: 'CONSOLE_CODE_INVALID' } }],
    });
    expect(reported[0]?.[2]).toBeUndefined();
  });

  test.each<[string, number, Record<string, string>]>([
    ['another origin', 403, { ...JSON_PAGE, origin: 'https://evil.example' }],
    ['no page', 403, { 'content-type': 'application/json', 'x-remitgraph-console': '1' }],
    ['a form', 403, { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }],
    ['a page that sends no JSON', 415, { ...PAGE, 'content-type': 'text/plain' }],
  ])('is not used by %s', async (_name, status, headers) => {
    const { code } = await makeLink(exchange, key);
    expect((await exchangeCode(exchange, code, headers)).status).toBe(status);
    expect((await exchangeCode(exchange, code)).status).toBe(200);
  });

  test.each(['{', '[]', '{"code":1}', `{"code":"${'x'.repeat(5_000)}"}`])('is no body %s', async (body) => {
    const { status, text } = await exchange({
      method: 'POST',
      path: '/console/session',
      headers: JSON_PAGE,
      body,
    });
    expect(status).toBe(body.length > 4_096 ? 413 : 400);
    expect(JSON.parse(text).errors[0].extensions.code).toMatch(/^(BAD_REQUEST|PAYLOAD_TOO_LARGE)$/);
  });

  test('is made by a key with partner_admin alone, and not with a long label', async () => {
    const { key: reader } = await target.subgraphs.apiKeys.create({
      accountId: 'acme/sandbox',
      scopes: ['partner', 'partner_full'],
      label: '',
    });
    const lesser = await makeLink(exchange, reader);
    expect(lesser.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const { payload } = await makeLink(exchange, key, { label: 'x'.repeat(101) });
    expect(payload).toEqual({
      url: null,
      consoleSession: null,
      userErrors: [{ code: 'INVALID_REQUEST', path: ['label'] }],
    });
  });

  test.each(['SUPPORT', 'OPERATE'])(
    'opens a session with the access %s, within a day if asked',
    async (access) => {
      const { code } = await makeLink(exchange, key, { access, expiresInMinutes: 1_440 });
      const { text } = await exchangeCode(exchange, code);
      expect(JSON.parse(text)).toMatchObject({ access: access.toLowerCase() });
    },
  );

  test.each([0, 1_441, -1])('does not live for %s minutes', async (expiresInMinutes) => {
    const { payload } = await makeLink(exchange, key, { expiresInMinutes });
    expect(payload?.userErrors).toEqual([{ code: 'INVALID_REQUEST', path: ['expiresInMinutes'] }]);
  });

  test('ends the session that the browser had before', async () => {
    const { cookie: former } = await signIn(exchange, key);
    const { code } = await makeLink(exchange, key);
    await exchangeCode(exchange, code, { ...JSON_PAGE, cookie: former });
    expect(await whoIs(former)).toBe(401);
  });
});
