import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

/** The output of `npm run build`. */
const BIN = resolve('dist/bin');

function bundleOf(program: string): string {
  const [, folder = ''] =
    /from '(.+)\/load\.cjs'/.exec(readFileSync(join(BIN, `${program}.js`), 'utf8')) ?? [];
  return join(BIN, folder, `${program}.js`);
}

function packagesOf(program: string): string[] {
  return JSON.parse(readFileSync(join(dirname(bundleOf(program)), 'packages.json'), 'utf8'))[program];
}

/** Loaded only by processes that need them, when they need them. */
const LATER = [
  '@agendajs/mongo-backend',
  '@apollo/federation-internals',
  '@apollo/server',
  '@apollo/subgraph',
  '@as-integrations/fastify',
  '@peculiar/x509',
  '@theguild/federation-composition',
  'agenda',
  'graphiql',
  'libphonenumber-js',
  'luxon',
  'mongodb-memory-server-core',
  'pkijs',
  'react',
  'typescript',
];

test('the server starts without modules that only some processes need', () => {
  const packages = packagesOf('server');
  expect(packages.filter((name) => LATER.includes(name))).toEqual([]);
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'graphql', 'mongoose', 'type-graphql']));
});

test('the commands of npm run admin start without the graph and its servers', () => {
  const servers = ['fastify', 'graphql-jit', 'graphql-ws', 'mercurius', 'type-graphql', 'undici', 'ws'];
  const packages = packagesOf('admin');
  expect(packages.filter((name) => [...servers, ...LATER].includes(name))).toEqual([]);
  expect(packages).toContain('mongoose');
});

test('the standalone gateway starts without a store', () => {
  const packages = packagesOf('gateway');
  const others = ['agenda', 'mongodb', 'mongoose', 'type-graphql'];
  expect(packages.filter((name) => [...others, ...LATER].includes(name))).toEqual([]);
  expect(packages).toContain('graphql');
});

test('the tools of agents start without a store and without servers', () => {
  const servers = ['express', 'fastify', 'graphql', 'hono', 'mongoose', 'undici', 'ws'];
  const packages = packagesOf('mcp');
  expect(packages.filter((name) => [...servers, ...LATER].includes(name))).toEqual([]);
  expect(packages).toContain('@modelcontextprotocol/sdk');
});

test("the server starts with V8's cached code of every large script", () => {
  const folder = dirname(bundleOf('server'));
  const loaded = new Set([bundleOf('server')]);
  for (const path of loaded) {
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/=require\("\.\/([\w-]+\.js)"\)/g)) {
      loaded.add(join(folder, name));
    }
  }
  const large = [...loaded].filter((path) => statSync(path).size > 50_000);
  expect(large.length).toBeGreaterThan(5);
  expect(large.filter((path) => !existsSync(`${path}.code`))).toEqual([]);
});
