import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import * as source from './index.ts';
import * as ofReact from './react.ts';
import { createFakeSockets } from './testing/fake-sockets.ts';

/** The output of `npm run build`. */
const BUILT = resolve('dist/client/index.js');

/** Not a literal, because the types of dist/ do not exist before the build. */
const load = async (name: string): Promise<object> => import(name);

test('remitgraph/client is the built file, and exports the same as its sources', async () => {
  const published = await load('remitgraph/client');
  expect(published).toBe(await load(pathToFileURL(BUILT).href));
  expect(Object.keys(published).sort()).toEqual(Object.keys(source).sort());
});

test('remitgraph/react is the built file, and imports nothing but the React of the project', async () => {
  const built = resolve('dist/client/react.js');
  const published = await load('remitgraph/react');
  expect(published).toBe(await load(pathToFileURL(built).href));
  expect(Object.keys(published)).toEqual(Object.keys(ofReact));
  const imports = [...readFileSync(built, 'utf8').matchAll(/^import .*? from "(.*?)";$/gms)];
  expect(imports.map(([, name]) => name)).toEqual(['react']);
  const own = JSON.parse(readFileSync('package.json', 'utf8'));
  expect([own.peerDependencies.react, own.peerDependenciesMeta.react]).toEqual(['>=18', { optional: true }]);
  // A React beside that of the project would not know its components.
  expect(Object.keys(own.dependencies).filter((name) => /^(?:react|graphiql)/.test(name))).toEqual([]);
});

test('remitgraph/client loads without other packages, and creates a client', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-package-'));
  try {
    copyFileSync(BUILT, join(folder, 'index.js'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const alone = (await load(pathToFileURL(join(folder, 'index.js')).href)) as typeof source;
    const client = alone.createLiveClient({
      url: 'https://api.test/graphql',
      credential: { apiKey: 'k' },
      transport: 'sse',
    });
    expect(() => client.follow({ query: 'subscription { a }' })).toThrow(alone.LiveError);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('it follows with only the APIs of browsers', async () => {
  const { code } = transformSync(readFileSync(BUILT, 'utf8'), { format: 'iife', globalName: 'remitgraph' });
  const sockets = createFakeSockets();
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
  const sources = { WebSocket: sockets.WebSocket, fetch, ReadableStream };
  const browser = { AbortController, TextDecoder, URL, ...sources, ...timers };
  const page = createContext({ ...browser });
  const { createLiveClient } = runInContext(`${code};remitgraph`, page) as typeof source;
  const live = createLiveClient({ url: 'https://api.test/graphql', credential: { browserToken: () => 't' } });
  const query = 'subscription ($after: String) { changed(after: $after) { cursor } }';
  const next = live.follow({ query, after: 'c0' }).next();
  await sockets.last().accept();
  const data = { changed: { cursor: 'c1' } };
  sockets.last().say({ id: sockets.last().subscription().id, type: 'next', payload: { data } });
  expect((await next).value).toMatchObject({ cursor: 'c1', data });
  live.close();
});

test('it is as small as its README says', () => {
  const { code } = transformSync(readFileSync(BUILT, 'utf8'), { minify: true, format: 'esm' });
  const [, size] =
    /(\d+) kB minified and gzipped/.exec(readFileSync('gateway/client/README.md', 'utf8')) ?? [];
  expect(Math.round(gzipSync(code).length / 1_000)).toBe(Number(size));
});
