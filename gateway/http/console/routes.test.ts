import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { addConsole } from './routes.ts';

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remitgraph-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), 'the page {{root}}assets/main-AB.js');
  writeFileSync(join(folder, 'assets', 'main-AB.js'), 'script');
  writeFileSync(join(folder, 'assets', 'main-AB.js.gz'), gzipSync('script'));
  app = Fastify();
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }));
  await addConsole(app, folder);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('/console', () => {
  test.each([
    ['/console/', './'],
    ['/console/?a=/b/c', './'],
    ['/console/operations', './'],
    ['/console/manifest.json', './'],
    ['/console/operations/a%2Fb?c=/d', '../'],
    ['/console/operations/', '../'],
    ['/console//a/b/c', '../../../'],
  ])('%s is the page, which finds its screen and its scripts behind any proxy path', async (url, root) => {
    const { statusCode, body, headers } = await get(url);
    const page = `the page ${root}assets/main-AB.js`;
    expect([statusCode, body, headers['cache-control']]).toEqual([200, page, 'no-cache']);
    const script = new URL(`${root}assets/main-AB.js`, `https://pay.example/graph${url}`);
    expect(script.pathname).toBe('/graph/console/assets/main-AB.js');
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
  });

  test('a path deeper than any screen is not found', async () => {
    expect((await get('/console/a/b/c/d/e/f')).statusCode).toBe(404);
  });

  test('assets are cached for a year; an asset of a former build is 404, not the page', async () => {
    const { statusCode, headers, body } = await get('/console/assets/main-AB.js');
    expect([statusCode, body, headers['cache-control']]).toEqual([
      200,
      'script',
      'public, max-age=31536000, immutable',
    ]);
    expect((await get('/console/assets/main-CD.js')).statusCode).toBe(404);
  });

  test.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip; q=0.0 ', undefined],
    ['identity', undefined],
  ])('to a browser that takes %s it sends %s', async (accepted, encoding) => {
    const { headers, rawPayload } = await get('/console/assets/main-AB.js', { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
    const script = encoding === undefined ? rawPayload : gunzipSync(rawPayload);
    expect([String(script), headers['content-type']]).toEqual([
      'script',
      'application/javascript; charset=utf-8',
    ]);
  });

  test('a compressed file has another ETag, with which it gets 304', async () => {
    const fetched = (headers: Record<string, string>) => get('/console/assets/main-AB.js', headers);
    const plain = String((await fetched({})).headers.etag);
    const zipped = String((await fetched({ 'accept-encoding': 'gzip' })).headers.etag);
    expect(zipped).not.toBe(plain);
    const again = await fetched({ 'accept-encoding': 'gzip', 'if-none-match': zipped });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('leads to /console/, and says so when it was not built', async () => {
    const { statusCode, headers } = await get('/console');
    expect([statusCode, headers.location]).toEqual([308, 'console/']);
    const bare = Fastify();
    await addConsole(bare, join(folder, 'assets'));
    const answer = await bare.inject('/console/');
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('npm run build')]);
    await bare.close();
  });
});
