import { request as httpRequest, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const ORIGIN = 'https://dashboard.acme.test';
const CREATE = `mutation ($input: CreateBrowserTokenInput!) {
  createBrowserToken(input: $input) {
    token browserToken { id scopes createdAt expiresAt revokedAt } userErrors { code path }
  }
}`;
const REVOKE = `mutation ($input: RevokeBrowserTokenInput!) {
  revokeBrowserToken(input: $input) { browserToken { id revokedAt } userErrors { code } }
}`;
const LIST = '{ me { id scopes } requestMonies { nodes { nodeId referenceId } } }';
const FOLLOW = 'subscription { requestMoneyStatusChanged { status requestMoney { referenceId } } }';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let url: string;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { CORS_ORIGINS: ORIGIN } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
});

interface Created {
  readonly createBrowserToken: {
    readonly token: string | null;
    readonly browserToken: { readonly id: string } | null;
    readonly userErrors: readonly { readonly code: string }[];
  };
}

async function makeToken(key: string = KEYS.acme): Promise<{ token: string; id: string }> {
  const { data } = await queryGraph<Created>(exchange, CREATE, { input: { expiresInMinutes: 5 } }, key);
  const { token, browserToken } = data?.createBrowserToken ?? {};
  return { token: String(token), id: String(browserToken?.id) };
}

async function makeKey(): Promise<{ key: string; keyId: string }> {
  const made = await target.subgraphs.apiKeys.create({
    accountId: 'acme/sandbox' as const,
    scopes: ['partner'],
    label: 'dashboard',
  });
  return { key: made.key, keyId: made.apiKey.keyId };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function post(headers: Record<string, string>, query: string, path = '/graphql') {
  const body = JSON.stringify({ query });
  const response = await exchange({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, ...JSON.parse(response.text) };
}

async function openStream(token: string) {
  const headers = { accept: 'text/event-stream', ...bearer(token) };
  const path = `${url}/graphql?query=${encodeURIComponent(FOLLOW)}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(path, { headers, agent: false }, resolve).on('error', reject).end();
  });
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  scene.atEnd(async () => void response.destroy());
  await until('the beginning', () => text !== '');
  return { text: () => text, ended, response };
}

const openSocket = (token: string) =>
  scene.subscriber({ url, connectionParams: { Authorization: `Bearer ${token}` } });

describe('A browser token', () => {
  test("reads its partner's records, and returns its own scopes", async () => {
    const referenceId = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const { token } = await makeToken();
    const { data } = await post(bearer(token), LIST);
    expect(data.me).toEqual({ id: 'acme', scopes: ['partner'] });
    const [{ nodeId }] = data.requestMonies.nodes.filter(
      (node: { referenceId: string }) => node.referenceId === referenceId,
    );
    const node = `{ node(id: "${nodeId}") { ... on RequestMoney { referenceId } } }`;
    expect((await post(bearer(token), node)).data).toEqual({ node: { referenceId } });
    const other = await makeToken(KEYS.globex);
    expect((await post(bearer(other.token), node)).data).toEqual({ node: null });
  });

  test('follows changes over an event stream and over a WebSocket', async () => {
    const { token } = await makeToken();
    const other = await openSocket((await makeToken(KEYS.globex)).token);
    const stream = await openStream(token);
    const socket = await openSocket(token);
    const live = socket.subscribe<{ requestMoneyStatusChanged: object }>(FOLLOW);
    const silent = other.subscribe(FOLLOW);
    const referenceId = newReference();
    await until('both follow', async () => {
      await createMoneyRequest(exchange, moneyRequestBody(newReference()));
      return live.events.length > 0 && stream.text().includes('PENDING');
    });
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await until('the event', () => JSON.stringify(live.events).includes(referenceId));
    await until('the event', () => stream.text().includes(referenceId));
    expect(silent.events).toEqual([]);
    stream.response.destroy();
    await Promise.all([socket.close(), other.close()]);
  });

  test.each([
    `mutation { createBrowserToken(input: { expiresInMinutes: 60 }) { token } }`,
    `mutation { revokeBrowserToken(input: { id: "btk_1" }) { userErrors { code } } }`,
    `mutation { createLink(input: { flow: CIP, referenceId: "u-1" }) { link { id } } }`,
    `mutation { cancelRequestMoney(input: { referenceId: "AB12cd34" }) { userErrors { code } } }`,
  ])('runs no mutation: %s', async (mutation) => {
    const { token } = await makeToken();
    const { data, errors } = await post(bearer(token), mutation);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const socket = await openSocket(token);
    const failed = socket.subscribe(mutation);
    await until('an error', () => failed.errors.length > 0);
    expect(failed.errors[0]?.extensions?.code).toBe('FORBIDDEN');
    await socket.close();
  });

  test('is not made by GET, nor with more than its key has', async () => {
    const query = 'mutation { createBrowserToken(input: { expiresInMinutes: 1 }) { token } }';
    const path = `/graphql?query=${encodeURIComponent(query)}`;
    expect((await exchange({ method: 'GET', path, headers: { 'x-api-key': KEYS.acme } })).status).toBe(405);
    const input = { scopes: ['partner', 'partner_admin'], expiresInMinutes: 600 };
    const { data } = await queryGraph<Created>(exchange, CREATE, { input });
    expect(data?.createBrowserToken).toEqual({
      token: null,
      browserToken: null,
      userErrors: [
        { code: 'INVALID_REQUEST', path: ['scopes'] },
        { code: 'INVALID_REQUEST', path: ['expiresInMinutes'] },
      ],
    });
  });

  test.each<[string, (token: string) => { headers: Record<string, string>; path?: string }]>([
    ['as a key', (token) => ({ headers: { 'x-api-key': token } })],
    ['beside a key', (token) => ({ headers: { 'x-api-key': KEYS.acme, ...bearer(token) } })],
    ['by another scheme', (token) => ({ headers: { authorization: `Basic ${token}` } })],
    ['in the URL', (token) => ({ headers: {}, path: `/graphql?authorization=Bearer%20${token}` })],
    ['in the URL, as OAuth does', (token) => ({ headers: {}, path: `/graphql?access_token=${token}` })],
    ['with a character changed', (token) => ({ headers: bearer(`${token.slice(0, -1)}-`) })],
  ])('is not taken %s', async (_name, show) => {
    const { token } = await makeToken();
    const { headers, path } = show(token);
    expect(await post(headers, LIST, path)).toMatchObject({
      status: 401,
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect((await post(bearer(token), LIST)).status).toBe(200);
  });

  test.each(['/v1/request-money/AB12cd34', '/partner/me', '/v1/user/operations/detail/x'])(
    'is not taken by REST: %s',
    async (path) => {
      const { token } = await makeToken();
      for (const headers of [bearer(token), { 'x-api-key': token }, { api_key: token }]) {
        expect((await exchange({ method: 'GET', path, headers })).status).toBe(401);
      }
    },
  );

  test('is what a web page of a known origin may send', async () => {
    const headers = {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const preflight = await exchange({ method: 'OPTIONS', path: '/graphql', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization,content-type');
  });

  test('counts to its key', async () => {
    const { key, keyId } = await makeKey();
    const { token } = await makeToken(key);
    await post(bearer(token), '{ __typename }');
    const limits = target.connection.collection<{ _id: string; granted: number }>('rateLimits');
    const mine = await limits.find({ _id: { $regex: keyId } }).toArray();
    expect(mine.map(({ _id }) => _id)).toEqual([`graphql|${keyId}`]);
  });
});

describe('The subscriptions of a browser token', () => {
  test.each<[string, (made: { id: string; key: string; keyId: string }) => Promise<unknown>]>([
    ['it is revoked', ({ id, key }) => queryGraph(exchange, REVOKE, { input: { id } }, key)],
    ['its key is revoked', ({ keyId }) => target.subgraphs.apiKeys.revoke(keyId)],
  ])('ends when %s, and what its key or another token has open does not', async (name, revoke) => {
    const { key, keyId } = await makeKey();
    const { token, id } = await makeToken(key);
    const beside = await openStream((await makeToken()).token);
    const stream = await openStream(token);
    const socket = await openSocket(token);
    expect(await revoke({ id, key, keyId })).toBeTruthy();
    const [{ code }] = await Promise.all([socket.closed, stream.ended]);
    expect(code).toBe(4403);
    expect(stream.text()).not.toContain('event: complete');
    expect((await post(bearer(token), LIST)).status).toBe(401);
    expect(beside.response.destroyed).toBe(false);
    expect((await post({ 'x-api-key': key }, LIST)).status).toBe(name.includes('key') ? 401 : 200);
    beside.response.destroy();
  });

  test('is ended by no other partner', async () => {
    const { token, id } = await makeToken();
    const { data } = await queryGraph(exchange, REVOKE, { input: { id } }, KEYS.globex);
    expect(data).toEqual({
      revokeBrowserToken: { browserToken: null, userErrors: [{ code: 'BROWSER_TOKEN_NOT_FOUND' }] },
    });
    expect((await post(bearer(token), LIST)).status).toBe(200);
  });
});
