import { afterEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import '../../subgraphs/kernel/http/authentication.ts';
import { sendBytes } from './conditional.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** Routes that answer the body, or an error, to the key that the header names. */
function build(body: string) {
  app = Fastify({ exposeHeadRoutes: true });
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request) => {
    const keyId = request.headers['x-key'];
    request.principal = keyId ? { accountId: 'acme/live', keyId: String(keyId), scopes: [] } : null;
  });
  const send = sendBytesOf(body);
  app.get('/found', async (_request, reply) => send(reply.header('cache-control', 'no-store')));
  app.get('/missing', async (_request, reply) => send(reply.code(404)));
  app.post('/made', async (_request, reply) => send(reply));
  return (
    method: 'GET' | 'HEAD' | 'POST',
    url: string,
    { known, key = 'key_1' }: { readonly known?: string; readonly key?: string } = {},
  ) =>
    app.inject({
      method,
      url,
      headers: { 'x-key': key, ...(known !== undefined && { 'if-none-match': known }) },
    });
}

const sendBytesOf = (body: string) => (reply: Parameters<typeof sendBytes>[0]) =>
  sendBytes(reply, 'application/json', Buffer.from(body));

describe('a successful lookup', () => {
  test('has a strong ETag of its bytes, which is the same each time', async () => {
    const call = build('{"a":1}');
    const { headers, body } = await call('GET', '/found');
    expect(headers.etag).toMatch(/^"[\w-]{22}"$/);
    expect([headers['content-type'], headers['content-length'], body]).toEqual([
      'application/json',
      '7',
      '{"a":1}',
    ]);
    expect((await call('GET', '/found')).headers.etag).toBe(headers.etag);
    await app.close();
    expect((await build('{"a":2}')('GET', '/found')).headers.etag).not.toBe(headers.etag);
  });

  test.each<[string, (tag: string) => string]>([
    ['the tag', (tag) => tag],
    ['the tag as a weak one', (tag) => `W/${tag}`],
    ['a list with the tag', (tag) => `"x", ${tag},"y"`],
    ['any tag', () => ' * '],
  ])('answers 304 to %s, without a body and with the same headers for caches', async (_what, knownOf) => {
    const call = build('{"a":1}');
    const etag = String((await call('GET', '/found')).headers.etag);
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, body, headers } = await call(method, '/found', { known: knownOf(etag) });
      expect([statusCode, body, headers.etag, headers['cache-control']]).toEqual([304, '', etag, 'no-store']);
      expect(headers).not.toHaveProperty('content-type');
      expect(headers).not.toHaveProperty('content-length');
    }
  });

  test.each<[string, (tag: string) => string]>([
    ['another tag', () => '"AAAAAAAAAAAAAAAAAAAAAA"'],
    ['a part of the tag', (tag) => `${tag.slice(0, -2)}"`],
    ['the tag without quotes', (tag) => tag.slice(1, -1)],
    ['nothing', () => ''],
  ])('answers 200 to %s', async (_what, knownOf) => {
    const call = build('{"a":1}');
    const etag = String((await call('GET', '/found')).headers.etag);
    const { statusCode, body } = await call('GET', '/found', { known: knownOf(etag) });
    expect([statusCode, body]).toEqual([200, '{"a":1}']);
  });

  test('has another tag for another key, whose tag it does not know', async () => {
    const call = build('{"a":1}');
    const [one, two] = await Promise.all(
      ['key_1', 'key_2'].map(async (key) => String((await call('GET', '/found', { key })).headers.etag)),
    );
    expect(one).not.toBe(two);
    expect((await call('GET', '/found', { key: 'key_2', known: String(one) })).statusCode).toBe(200);
  });
});

test.each([
  ['an error', 'GET', '/missing', 'key_1', 404],
  ['a call that changes something', 'POST', '/made', 'key_1', 200],
  ['an answer to a caller without a key', 'GET', '/found', '', 200],
] as const)('%s has no ETag, and is never 304', async (_what, method, url, key, status) => {
  const { statusCode, headers, body } = await build('{}')(method, url, { key, known: '*' });
  expect([statusCode, headers.etag, body]).toEqual([status, undefined, '{}']);
});
