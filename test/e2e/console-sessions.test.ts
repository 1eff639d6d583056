import { beforeAll, describe, expect, test } from '@jest/globals';
import { paceOf } from '../runner/pace.ts';
import {
  cookieOf,
  exchangeCode,
  makeConsoleKey,
  CONSOLE_ORIGIN as ORIGIN,
  openPageStream,
  PAGE,
  signIn,
} from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { takeTime } from '../support/ticks.ts';
import { until } from '../support/until.ts';

const REVOKE = `mutation ($input: RevokeConsoleSessionInput!) {
  revokeConsoleSession(input: $input) { consoleSession { id revokedAt } userErrors { code } }
}`;
const SESSIONS = '{ consoleSessions { id label access apiKeyId isCurrent } }';
const ME = '{ me { id scopes } }';
const FOLLOW = 'subscription { requestMoneyStatusChanged { requestMoney { referenceId } } }';
const MAKE_KEY =
  'mutation { createApiKey(input: { scopes: ["partner"] }) { apiKey { scopes } userErrors { code } } }';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let url: string;
let key: string;
let keyId: string;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PUBLIC_URL: `${ORIGIN}/` } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
  ({ key, keyId } = await makeConsoleKey(target.subgraphs));
});

async function post(headers: Record<string, string>, query: string, path = '/graphql') {
  const sent = { 'content-type': 'application/json', ...headers };
  const { status, text } = await exchange({
    method: 'POST',
    path,
    headers: sent,
    body: JSON.stringify({ query }),
  });
  return { status, ...JSON.parse(text) };
}

const asPage = (cookie: string) => ({ ...PAGE, cookie });

async function openStream(cookie: string) {
  const stream = await openPageStream(url, cookie, FOLLOW);
  scene.atEnd(async () => void stream.response.destroy());
  return stream;
}

const openSocket = (cookie: string, origin = ORIGIN, connectionParams = {}) =>
  scene.subscriber({ url, headers: { origin, cookie }, connectionParams });

describe('A console session', () => {
  test('for reading runs queries, and no mutation', async () => {
    const { cookie } = await signIn(exchange, key);
    expect((await post(asPage(cookie), ME)).data).toEqual({ me: { id: 'acme', scopes: ['partner'] } });
    for (const mutation of [
      MAKE_KEY,
      'mutation { createLink(input: { flow: CIP, referenceId: "u-1" }) { link { id } } }',
      'mutation { cancelRequestMoney(input: { referenceId: "AB12cd34" }) { userErrors { code } } }',
    ]) {
      const { data, errors } = await post(asPage(cookie), mutation);
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
    expect((await post(asPage(cookie), SESSIONS)).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  test('for an administrator also makes changes, but no session and no token', async () => {
    const { cookie } = await signIn(exchange, key, 'ADMIN');
    const made = await post(asPage(cookie), MAKE_KEY);
    expect(made.data.createApiKey).toEqual({ apiKey: { scopes: ['partner'] }, userErrors: [] });
    for (const mutation of [
      'mutation { createConsoleLink(input: {}) { url } }',
      'mutation { createBrowserToken(input: { expiresInMinutes: 60 }) { token } }',
    ]) {
      const { data, errors } = await post(asPage(cookie), mutation);
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
  });

  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: '' }],
    ['no header of the page', { 'x-remitgraph-console': '' }],
  ])('is nobody with %s', async (_name, changed) => {
    const { cookie } = await signIn(exchange, key);
    expect((await post({ ...asPage(cookie), ...changed }, ME)).status).toBe(401);
  });

  test('is nobody by GET, in the URL, as a key and as a token', async () => {
    const { cookie } = await signIn(exchange, key);
    const text = cookie.split('=')[1] ?? '';
    const path = `/graphql?query=${encodeURIComponent(ME)}`;
    expect((await exchange({ method: 'GET', path, headers: asPage(cookie) })).status).toBe(401);
    expect((await post(PAGE, ME, `/graphql?${cookie}`)).status).toBe(401);
    expect((await post({ ...PAGE, 'x-api-key': text }, ME)).status).toBe(401);
    expect((await post({ ...PAGE, authorization: `Bearer ${text}` }, ME)).status).toBe(401);
  });

  test('does not count beside a key, even a wrong one', async () => {
    const { cookie } = await signIn(exchange, key);
    const { data } = await post({ ...asPage(cookie), 'x-api-key': KEYS.globex }, ME);
    expect(data.me.id).toBe('globex');
    expect((await post({ ...asPage(cookie), 'x-api-key': 'wrong' }, ME)).status).toBe(401);
  });

  test.each(['/v1/request-money/AB12cd34', '/partner/me', '/v1/user/operations/detail/x'])(
    'is not taken by REST: %s',
    async (path) => {
      const { cookie } = await signIn(exchange, key, 'ADMIN');
      expect((await exchange({ method: 'GET', path, headers: asPage(cookie) })).status).toBe(401);
    },
  );

  test('takes exports, from its own page alone', async () => {
    const { cookie } = await signIn(exchange, key);
    const get = (headers: Record<string, string>) =>
      exchange({ method: 'GET', path: '/exports/operations.csv', headers: { cookie, ...headers } });
    expect((await get({ 'x-remitgraph-console': '1' })).status).toBe(200);
    expect((await get({})).status).toBe(401);
    expect((await get({ ...PAGE, origin: 'https://evil.example' })).status).toBe(401);
  });

  test('signs out, and the browser forgets its cookie', async () => {
    const { cookie } = await signIn(exchange, key);
    const signOut = (headers: Record<string, string>) =>
      exchange({ method: 'DELETE', path: '/console/session', headers });
    expect((await signOut({ ...asPage(cookie), origin: 'https://evil.example' })).status).toBe(403);
    const out = await signOut(asPage(cookie));
    expect(out.status).toBe(204);
    expect(out.headers['set-cookie']).toMatch(/^__Host-remitgraph-console=; .*Expires=Thu, 01 Jan 1970/);
    expect((await post(asPage(cookie), ME)).status).toBe(401);
    expect(
      (await exchange({ method: 'GET', path: '/console/session', headers: asPage(cookie) })).status,
    ).toBe(401);
    expect((await signOut(PAGE)).status).toBe(204);
  });

  test('is listed for its partner alone, and says which one is calling', async () => {
    const { cookie, id } = await signIn(exchange, key, 'ADMIN');
    const mine = { id, label: 'Ana', access: 'ADMIN', apiKeyId: keyId };
    const seen = await post(asPage(cookie), SESSIONS);
    expect(seen.data.consoleSessions).toContainEqual({ ...mine, isCurrent: true });
    const { data } = await queryGraph<{ consoleSessions: object[] }>(exchange, SESSIONS, {}, key);
    expect(data?.consoleSessions).toContainEqual({ ...mine, isCurrent: false });
    const other = await queryGraph<{ consoleSessions: object[] }>(exchange, SESSIONS, {}, KEYS.globex);
    expect(other.data?.consoleSessions).toEqual([]);
  });

  test('of an operator works without a key, and counts for itself', async () => {
    const maker = { accountId: 'acme/sandbox' } as const;
    const { code, session } = await target.subgraphs.consoleSessions.createLink(maker, {
      access: 'admin',
      label: '',
    });
    const cookie = cookieOf(await exchangeCode(exchange, code));
    expect((await post(asPage(cookie), ME)).data.me.scopes).toEqual(['partner', 'partner_admin']);
    const limits = target.connection.collection<{ _id: string }>('rateLimits');
    expect(await limits.findOne({ _id: `graphql|${session.sessionId}` })).not.toBeNull();
  });
});

describe('The subscriptions of a console session', () => {
  test('follows over an event stream and over a WebSocket', async () => {
    const { cookie } = await signIn(exchange, key);
    const stream = await openStream(cookie);
    const socket = await openSocket(cookie);
    const live = socket.subscribe<object>(FOLLOW);
    const referenceId = newReference();
    await until('both follow', async () => {
      await createMoneyRequest(exchange, moneyRequestBody(newReference()));
      return live.events.length > 0 && stream.text().includes('referenceId');
    });
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await until('the event', () => JSON.stringify(live.events).includes(referenceId));
    await until('the event', () => stream.text().includes(referenceId));
    const failed = socket.subscribe(MAKE_KEY);
    await until('an error', () => failed.errors.length > 0);
    expect(failed.errors[0]?.extensions?.code).toBe('FORBIDDEN');
    stream.response.destroy();
    await socket.close();
  });

  test('is no socket of a page of another origin; a key in its parameters counts alone', async () => {
    const { cookie } = await signIn(exchange, key);
    const foreign = await openSocket(cookie, 'https://evil.example');
    expect((await foreign.closed).code).toBe(4403);
    const wrong = await openSocket(cookie, ORIGIN, { 'X-API-Key': 'wrong' });
    expect((await wrong.closed).code).toBe(4403);
    const other = await openSocket(cookie, ORIGIN, { 'X-API-Key': KEYS.globex });
    const { events } = other.subscribe<{ me: { id: string } }>(ME);
    await until('an answer', () => events.length > 0);
    expect(events[0]?.me.id).toBe('globex');
    await other.close();
  });

  type End = (given: { id: string; cookie: string; key: string; keyId: string }) => Promise<unknown>;
  test.each<[string, End]>([
    ['it is revoked', ({ id }) => queryGraph(exchange, REVOKE, { input: { id } }, key)],
    ['its key is revoked', (own) => target.subgraphs.apiKeys.revoke(own.keyId)],
    [
      'it signs out',
      ({ cookie }) => exchange({ method: 'DELETE', path: '/console/session', headers: asPage(cookie) }),
    ],
  ])('ends within 5 seconds when %s, and what another has open does not', async (_name, end) => {
    const own = await makeConsoleKey(target.subgraphs);
    const { cookie, id } = await signIn(exchange, own.key);
    const beside = await openStream((await signIn(exchange, key)).cookie);
    const stream = await openStream(cookie);
    const socket = await openSocket(cookie);
    const [code, seconds] = await takeTime(async () => {
      expect(await end({ ...own, id, cookie })).toBeTruthy();
      const [closed] = await Promise.all([socket.closed, stream.ended]);
      return closed.code;
    });
    expect(seconds).toBeLessThan(5 * paceOf());
    expect(code).toBe(4403);
    expect(stream.text()).not.toContain('event: complete');
    expect((await post(asPage(cookie), ME)).status).toBe(401);
    expect(beside.response.destroyed).toBe(false);
    beside.response.destroy();
  });

  test('is ended by no other partner', async () => {
    const { cookie, id } = await signIn(exchange, key);
    const { data } = await queryGraph(exchange, REVOKE, { input: { id } }, KEYS.globex);
    expect(data).toEqual({
      revokeConsoleSession: { consoleSession: null, userErrors: [{ code: 'CONSOLE_SESSION_NOT_FOUND' }] },
    });
    expect((await post(asPage(cookie), ME)).status).toBe(200);
  });
});
