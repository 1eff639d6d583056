import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, exchangeBytes, injectInto } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const ORIGIN = 'https://app.acme.test';
const scene = useScene();
let exchange: Exchange;
let url: string;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const { app, close } = await buildTestApp({ ...env, CORS_ORIGINS: ORIGIN, RATE_LIMIT_PARTNER: '2' });
  scene.atEnd(close);
  exchange = injectInto(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});

describe('Caches', () => {
  const KEY = { 'x-api-key': KEYS.umbrella };
  const JSON_BODY = { 'content-type': 'application/json' };
  const ME = encodeURIComponent('{ me { name } }');

  test.each<[name: string, method: string, path: string, headers: Record<string, string>, body: string]>([
    ['data of document 1', 'GET', '/v1/user/operations/frequent/none', KEY, ''],
    ['data of document 2', 'GET', '/v1/request-money/none', KEY, ''],
    ['data of document 3', 'GET', '/partner/links', { 'x-api-key': KEYS.soylent }, ''],
    ['an error', 'POST', '/v1/request-money', { ...KEY, ...JSON_BODY }, '{'],
    ['an answer without a key', 'GET', '/partner/links', {}, ''],
    ['an internal call', 'PATCH', '/v1/internal/remittances/status', JSON_BODY, '{}'],
    ['an unknown path', 'GET', '/partner/unknown', {}, ''],
    ['a path that cannot be decoded', 'GET', '/partner/links/%E0%A4%A', KEY, ''],
    ['an answer of the graph', 'POST', '/graphql', { ...KEY, ...JSON_BODY }, '{"query":"{ me { name } }"}'],
    ['a query by GET', 'GET', `/graphql?query=${ME}`, KEY, ''],
    ['an event stream', 'GET', `/graphql?query=${ME}`, { ...KEY, accept: 'text/event-stream' }, ''],
    ['HEAD', 'HEAD', '/partner/links', KEY, ''],
    ['an unknown document', 'GET', '/graphql?documentId=none', KEY, ''],
    ['the graph without a key', 'GET', `/graphql?query=${ME}`, {}, ''],
    ['a method without a route', 'PUT', '/graphql', KEY, ''],
    ['a preflight', 'OPTIONS', '/graphql', { origin: ORIGIN, 'access-control-request-method': 'POST' }, ''],
    ['an export', 'GET', '/exports/operations.csv', KEY, ''],
    ['an export without a key', 'GET', '/exports/operations.csv', {}, ''],
    ['a console session', 'GET', '/console/session', { 'x-remitgraph-console': '1' }, ''],
    ['a sign-in', 'POST', '/console/session', JSON_BODY, '{}'],
    ['metrics', 'GET', '/metrics', {}, ''],
  ])('keep nothing of %s', async (_name, method, path, headers, body) => {
    const answer = await exchange({ method, path, headers, ...(body !== '' && { body }) });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('keep nothing of a call over the limit', async () => {
    const call = () =>
      exchange({ method: 'GET', path: '/partner/me', headers: { 'x-api-key': KEYS.globex } });
    const answers = [await call(), await call(), await call()];
    expect(answers.at(-1)?.status).toBe(429);
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(answers.map(() => 'no-store'));
  });

  test('keep nothing of a request that cannot be read', async () => {
    const answer = await exchangeBytes(url, 'GET /partner/links HTTP/1.1\r\nno header\r\n\r\n');
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 .*\r\ncache-control: no-store\r\n/s);
  });

  test.each(['/v1/user/openapi.json', '/v1/openapi.json', '/partner/openapi.json'])(
    'may keep %s, which is the same for everybody, for each origin',
    async (path) => {
      const { headers } = await exchange({ method: 'GET', path });
      expect([headers['cache-control'], headers.vary]).toEqual(['public, max-age=300', 'Origin']);
    },
  );
});
