import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { addDocs } from './routes.ts';

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remitgraph-docs-'));
  mkdirSync(join(folder, 'api'));
  mkdirSync(join(folder, 'assets', 'cc'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), 'first');
  writeFileSync(join(folder, 'index.md'), '# First');
  writeFileSync(join(folder, 'api', 'user.html'), 'user');
  writeFileSync(join(folder, 'api', 'user.md'), '# User');
  writeFileSync(join(folder, 'llms.txt'), '- [First]({{root}}/docs/index.md): The first page.\n');
  writeFileSync(join(folder, 'assets', 'cc', 'docs.css'), 'css');
  writeFileSync(join(folder, 'secret.txt'), 'no page');
  writeFileSync(join(folder, 'schema.graphql'), 'type Query');
  writeFileSync(join(folder, 'asyncapi.json'), '{}');
  app = Fastify();
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }));
  await addDocs(app, { folder });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('/docs', () => {
  test("redirects to /docs/, relative to a proxy's path", async () => {
    const { statusCode, headers } = await get('/docs');
    expect([statusCode, headers.location]).toEqual([308, 'docs/']);
  });

  test('answers pages to every host, without a key, and lets browsers ask each time whether they changed', async () => {
    for (const [url, body] of [
      ['/docs/', 'first'],
      ['/docs/api/user', 'user'],
    ] as const) {
      const answer = await get(url, { host: 'partner.example.com' });
      expect([answer.statusCode, answer.body]).toEqual([200, body]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(body.length),
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test.each([
    ['/docs/index.md', '# First'],
    ['/docs/api/user.md', '# User'],
  ])('sends the Markdown of a page: %s', async (url, body) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.body]).toEqual([200, body]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    ['schema.graphql', 'type Query', 'application/octet-stream'],
    ['asyncapi.json', '{}', 'application/json; charset=utf-8'],
  ])('sends %s as a file to keep', async (file, body, type) => {
    const answer = await get(`/docs/${file}`);
    expect([answer.statusCode, answer.body]).toEqual([200, body]);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  });

  test('a browser that has the page gets 304, one that has another version gets the page', async () => {
    const etag = String((await get('/docs/')).headers.etag);
    for (const known of [etag, `"x", ${etag}`, '*']) {
      const answer = await get('/docs/', { 'if-none-match': known });
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
    }
    const other = String((await get('/docs/api/user')).headers.etag);
    expect((await get('/docs/', { 'if-none-match': other })).statusCode).toBe(200);
  });

  test('assets are cached for a year under a hash of their content', async () => {
    const { statusCode, headers } = await get('/docs/assets/cc/docs.css');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('its policy lets the browser load and call only this host, and run nothing inline', async () => {
    const policy = String((await get('/docs/')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test('serves only pages and assets: everything else is 404', async () => {
    const paths = [
      'secret.txt',
      'llms.txt',
      '.md',
      'none.md',
      'index.html',
      'api/',
      'api/user/',
      '../files.ts',
      '%2e%2e/files.ts',
      'docs.css',
      'assets/',
      'assets/cc',
      'assets/../secret.txt',
      'assets/%2e%2e/secret.txt',
    ];
    for (const path of paths) {
      const { statusCode, body } = await get(`/docs/${path}`);
      expect([path, statusCode, body]).toEqual([path, 404, '{"error":"not_found"}']);
    }
    expect((await app.inject({ method: 'POST', url: '/docs/' })).statusCode).toBe(404);
  });

  test('HEAD has only the headers', async () => {
    const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/docs/' });
    expect([statusCode, headers['content-length'], body]).toEqual([200, '5', '']);
  });

  test('a copy that was built without pages says so', async () => {
    const bare = Fastify();
    await addDocs(bare, { folder: join(folder, 'nowhere') });
    const { statusCode, body } = await bare.inject('/docs/');
    expect([statusCode, body]).toEqual([404, expect.stringContaining('npm run build')]);
    await bare.close();
  });
});

describe('/llms.txt', () => {
  test('has links that begin with a slash, or with the address of the service where that is set', async () => {
    const { statusCode, headers, body } = await get('/llms.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toBe('- [First](/docs/index.md): The first page.\n');
    const behindProxy = Fastify();
    await addDocs(behindProxy, { folder, publicUrl: 'https://api.example.com/remit/' });
    expect((await behindProxy.inject('/llms.txt')).body).toContain(
      '(https://api.example.com/remit/docs/index.md)',
    );
    await behindProxy.close();
  });

  test('is 404 in a copy that was built without pages', async () => {
    const bare = Fastify();
    await addDocs(bare, { folder: join(folder, 'nowhere') });
    expect((await bare.inject('/llms.txt')).statusCode).toBe(404);
    await bare.close();
  });
});
