import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import * as source from './index.ts';

/** The output of `npm run build`. */
const BUILT = resolve('dist/rest/index.js');

/** Not a literal, because the types of dist/ do not exist before the build. */
const load = async (name: string): Promise<object> => import(name);

test('remitgraph/rest is the built file, and exports the same as its sources', async () => {
  const published = await load('remitgraph/rest');
  expect(published).toBe(await load(pathToFileURL(BUILT).href));
  expect(Object.keys(published).sort()).toEqual(Object.keys(source).sort());
});

test('it makes a call with only the APIs of browsers, and no other package', async () => {
  const { code } = transformSync(readFileSync(BUILT, 'utf8'), { format: 'iife', globalName: 'remitgraph' });
  const timers = { setTimeout, clearTimeout };
  const page = createContext({
    AbortController,
    AbortSignal,
    Headers,
    Request,
    Response,
    TextDecoder,
    URL,
    crypto,
    ...timers,
  });
  const { restConfig } = runInContext(`${code};remitgraph`, page) as typeof source;
  const { fetch: call } = restConfig({
    url: 'https://api.test',
    apiKey: 'k',
    fetch: async () => new Response('{"amount":0.10}'),
  });
  expect(await (await call('https://api.test/v1/request-money/a')).text()).toBe('{"amount":"0.10"}');
});
