import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import {
  type Exchange,
  exchangeBytes,
  injectInto,
  openConnection,
  type RawResponse,
} from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const ORIGIN = 'https://app.acme.test';
const scene = useScene();
let app: FastifyInstance;
let exchange: Exchange;
let url: string;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const target = await buildTestApp({
    ...env,
    CORS_ORIGINS: `${ORIGIN},https://other.acme.test:8443`,
    REQUEST_TIMEOUT_SECONDS: '4',
    RATE_LIMIT_PARTNER: '2',
  });
  scene.atEnd(target.close);
  app = target.app;
  exchange = injectInto(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});

const text = expect.any(String);
const PLAIN = { reason: text };
const NOT_FOUND = { error: 'not_found', message: text };
const ENVELOPE = { success: false, error: { code: 'NOT_FOUND', message: text, details: null } };

function checkNotFound(response: RawResponse, body: object): void {
  expect([response.status, JSON.parse(response.text)]).toEqual([404, body]);
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.headers['x-request-id']).toBeTruthy();
}

/** No surface has them; the request's own values are ignored. */
const BODIES: readonly [name: string, headers: Record<string, string>, body: string | undefined][] = [
  ['no body', {}, undefined],
  ['no body, announced as JSON', { 'content-type': 'application/json' }, undefined],
  ['an empty body', { 'content-type': 'application/json', 'content-length': '0' }, ''],
  ['half an object', { 'content-type': 'application/json' }, '{"a":'],
  ['a body of an unknown type', { 'content-type': 'x/y; charset=utf-16' }, 'a'],
  ['an invalid type', { 'content-type': ';' }, 'a'],
  ['an encoded body', { 'content-type': 'application/json', 'content-encoding': 'br' }, 'a'],
  ['a body over 1 MiB', { 'content-type': 'application/json' }, 'x'.repeat(1024 * 1024 + 1)],
  ['a form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
];
const PATHS: readonly [path: string, body: object][] = [
  ['/v1/user/unknown', PLAIN],
  ['/partner/unknown', ENVELOPE],
  ['/v1/request-money/AB12cd34/unknown', NOT_FOUND],
  ['/unknown', NOT_FOUND],
];

describe('Requests without a route', () => {
  describe.each(PATHS)('%s', (path, shape) => {
    test.each(BODIES)('with %s has its surface’s 404', async (_name, headers, body) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await exchange({ method, path, headers, ...(body !== undefined && { body }) });
        checkNotFound(response, shape);
      }
    });
  });

  test.each<[string, string, object]>([
    ['PUT', '/v1/request-money', NOT_FOUND],
    ['POST', '/v1/user/token-v2', PLAIN],
    ['DELETE', '/partner/links', ENVELOPE],
    ['POST', '/health/live', NOT_FOUND],
    ['PROPFIND', '/partner/me', ENVELOPE],
  ])('a wrong method too: %s %s', async (method, path, shape) => {
    checkNotFound(await exchange({ method, path, headers: { 'content-type': 'text/plain' } }), shape);
  });

  test.each<[string, object]>([
    ['/%70artner/unknown', ENVELOPE],
    ['/partner%2Fme', ENVELOPE],
    ['//partner/me', ENVELOPE],
    ['/partner/me/', ENVELOPE],
    ['/partner/%zz', ENVELOPE],
    ['/v1/%75ser/%', PLAIN],
    [`/partner/links/${'a'.repeat(9_000)}`, ENVELOPE],
    ['/partnership', NOT_FOUND],
    ['/v1/username', NOT_FOUND],
  ])('however the path is spelled: %.40s', async (path, shape) => {
    checkNotFound(await exchange({ method: 'GET', path, headers: { 'x-api-key': KEYS.globex } }), shape);
  });

  test('and an upgrade to an unknown protocol', async () => {
    const head = 'POST /partner/unknown HTTP/1.1\r\nhost: x\r\nexpect: the-best\r\ncontent-length: 0\r\n\r\n';
    const answer = String(await exchangeBytes(url, head));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"NOT_FOUND"');
    const upgrade =
      'GET /partner/unknown HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
    const rejected = String(await exchangeBytes(url, upgrade));
    expect(rejected).toContain('"code":"NOT_FOUND"');
    expect(rejected).toMatch(/x-request-id/i);
  });
});

describe('HEAD', () => {
  test.each([
    ['/health/live', {}],
    ['/partner/openapi.json', {}],
    ['/v1/request-money/AB12cd34', {}],
    ['/v1/request-money/AB12cd34', { 'x-api-key': KEYS.acme }],
    ['/v1/user/operations/detail/none', { api_key: KEYS.acme }],
    ['/graphql?query={me{name}}', { 'x-api-key': KEYS.acme }],
    ['/graphql?query={me{', { 'x-api-key': KEYS.acme }],
  ])('%s is answered as GET, without the body', async (path, headers) => {
    const got = await exchange({ method: 'GET', path, headers });
    const head = await exchange({ method: 'HEAD', path, headers });
    expect([head.status, head.text]).toEqual([got.status, '']);
    expect(head.headers['content-type']).toBe(got.headers['content-type']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  test('opens no stream', async () => {
    const query = encodeURIComponent('subscription { operationStatusChanged { cursor } }');
    const head = await exchange({
      method: 'HEAD',
      path: `/graphql?query=${query}`,
      headers: { 'x-api-key': KEYS.acme, accept: 'text/event-stream' },
    });
    expect([head.status, head.text]).toEqual([200, '']);
    const metrics = await exchange({ method: 'GET', path: '/metrics' });
    expect(metrics.text).toMatch(/^graphql_subscriptions_active 0$/m);
  });
});

describe('Keys', () => {
  const REST = [
    ['/v1/request-money/AB12cd34', 404],
    ['/v1/user/operations/detail/none', 404],
    ['/partner/links', 200],
    ['/graphql?query={__typename}', 200],
  ] as const;

  describe.each(REST)('%s', (path, status) => {
    const get = (headers: Record<string, string>) => exchange({ method: 'GET', path, headers });

    test('takes either header, and both when they agree', async () => {
      expect((await get({ 'x-api-key': KEYS.globex })).status).toBe(status);
      expect((await get({ api_key: KEYS.globex })).status).toBe(status);
      expect((await get({ api_key: KEYS.acme, 'x-api-key': KEYS.acme })).status).toBe(status);
    });

    test('answers 401 to two keys that differ, however good', async () => {
      for (const [first, second] of [
        [KEYS.acme, KEYS.globex],
        [KEYS.acme, 'unknown'],
        ['unknown', KEYS.acme],
        ['', KEYS.acme],
        [KEYS.acme, ''],
      ] as const) {
        const response = await get({ 'x-api-key': first, api_key: second });
        expect([first, second, response.status]).toEqual([first, second, 401]);
      }
    });
  });

  test('of two that differ document 3 says that they are not valid', async () => {
    const headers = { 'x-api-key': KEYS.acme, api_key: KEYS.globex };
    const response = await exchange({ method: 'GET', path: '/partner/me', headers });
    expect(JSON.parse(response.text).error.code).toBe('INVALID_API_KEY');
  });
});

test('Limits count what the router found, however it was spelled, and nothing else', async () => {
  const get = (path: string) => exchange({ method: 'GET', path, headers: { 'x-api-key': KEYS.umbrella } });
  for (const path of ['/partner/unknown', '/%70artner/unknown', '/partner/me/', '//partner/me']) {
    expect((await get(path)).status).toBe(404);
  }
  const spellings = ['/partner/me', '/%70artner/me', '/%70%61rtner/%6de', '/partner/me?x=1', '/partner%2Fme'];
  const statuses = await Promise.all(spellings.map(async (path) => (await get(path)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  expect(statuses.at(-1)).toBe(404);
});

describe('Web pages', () => {
  const PREFLIGHT = {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-api-key,content-type',
  };
  const ANY = ['/graphql', '/v1/request-money', '/v1/user/token-v2', '/partner/links', '/partner/unknown'];

  test.each(ANY)('are let in by a preflight without a key: %s', async (path) => {
    const response = await exchange({ method: 'OPTIONS', path, headers: PREFLIGHT });
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'x-api-key,content-type',
    });
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test.each(['https://evil.test', 'https://app.acme.test.evil.test', 'null', 'http://app.acme.test'])(
    'of %s are not',
    async (origin) => {
      const preflight = await exchange({
        method: 'OPTIONS',
        path: '/graphql',
        headers: { ...PREFLIGHT, origin },
      });
      const answer = await exchange({ method: 'GET', path: '/partner/openapi.json', headers: { origin } });
      for (const { headers } of [preflight, answer]) {
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(headers.vary).toContain('Origin');
      }
    },
  );

  test.each<[string, string, Record<string, string>, number]>([
    ['GET', '/partner/openapi.json', {}, 200],
    ['GET', '/partner/links', {}, 401],
    ['GET', '/partner/unknown', {}, 404],
    ['POST', '/v1/request-money', { 'x-api-key': KEYS.acme }, 422],
    ['GET', '/v1/user/operations/detail/none', {}, 401],
    ['POST', '/graphql', {}, 401],
    ['PUT', '/graphql', { 'x-api-key': KEYS.acme }, 405],
  ])('read answers, errors included: %s %s', async (method, path, headers, status) => {
    const response = await exchange({ method, path, headers: { ...headers, origin: ORIGIN } });
    expect(response.status).toBe(status);
    expect(response.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(response.headers['access-control-expose-headers']).toContain('retry-after');
    expect(response.headers.vary).toBe('Origin');
  });

  test('read event streams', async () => {
    const query = encodeURIComponent('{ me { name } }');
    const response = await exchange({
      method: 'GET',
      path: `/graphql?query=${query}`,
      headers: { origin: ORIGIN, accept: 'text/event-stream', 'x-api-key': KEYS.acme },
    });
    expect(response.text).toContain('event: next');
    expect(response.headers['access-control-allow-origin']).toBe(ORIGIN);
  });

  test('are the only ones who see any of it', async () => {
    for (const [method, path] of [
      ['GET', '/partner/links'],
      ['OPTIONS', '/partner/links'],
      ['POST', '/v1/request-money'],
    ] as const) {
      const { headers } = await exchange({ method, path });
      const names = Object.keys(headers).filter((name) => name === 'vary' || name.startsWith('access-'));
      expect(names).toEqual([]);
    }
  });
});

describe('A body that is not valid HTTP', () => {
  const message = 'The request body is not valid HTTP.';
  test.each<[string, object]>([
    ['/v1/user/register-v2', { reason: message, code: 'ERROR_REQUEST_MONEY_FULL' }],
    ['/v1/user/contacts/none', { reason: message }],
    ['/v1/request-money', { error: { code: 'BAD_REQUEST', message } }],
    [
      '/partner/links',
      {
        success: false,
        error: { code: 'INVALID_REQUEST', message: text, details: [{ path: '', message }] },
      },
    ],
    ['/graphql', { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] }],
  ])('is answered with 400 in the shape of its surface: %s', async (path, body) => {
    const head = [
      `POST ${path} HTTP/1.1`,
      ...['host: x', `x-api-key: ${KEYS.acme}`, `api_key: ${KEYS.acme}`, 'x-request-id: broken-1'],
      ...['content-type: application/json', 'transfer-encoding: chunked'],
    ];
    const answer = String(await exchangeBytes(url, `${head.join('\r\n')}\r\n\r\n2\r\n{}\r\nzz\r\n`));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('\r\nx-request-id: broken-1\r\n');
    expect(answer).toContain('\r\ncache-control: no-store\r\n');
    const [code] = /(?<=\r\nx-error-code: )\w+/.exec(answer) ?? [];
    expect(code).toBe(JSON.stringify(body).includes('"code"') ? undefined : 'ERROR_REQUEST_MONEY_FULL');
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual(body);
  });
});

describe('A request that does not come to an end', () => {
  test.each([
    ['nothing at all', ''],
    ['half a head', 'POST /v1/request-money HTTP/1.1\r\nhost: x\r\n'],
    [
      'half a body',
      `POST /v1/request-money HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.acme}\r\ncontent-length: 100\r\n\r\n{`,
    ],
    ['half a body for nobody', 'POST /unknown HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'],
  ])('is cut off: %s', async (_name, bytes) => {
    const connection = await openConnection(url);
    connection.write(bytes);
    const drip = setInterval(() => connection.write(bytes.endsWith('{') ? ' ' : ''), 100);
    await connection.closed;
    clearInterval(drip);
    expect(connection.received()).not.toContain('FST_');
    if (bytes.includes('unknown')) {
      expect(connection.received()).toMatch(/^HTTP\/1\.1 404 /);
    } else {
      expect(connection.received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      // Half a head has no surface.
      const shape = bytes.endsWith('{') ? '{"error":{"code":"BAD_REQUEST"' : '{"error":"bad_request"';
      expect(connection.received()).toContain(shape);
    }
  });
});
