import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

test("the server starts without mercurius's parts for pages, WebSockets and events, because the gateway has its own", () => {
  const unused = ['@fastify/static', '@fastify/websocket', 'duplexify', 'glob', 'mqemitter'];
  expect(packagesOf('server').filter((name) => unused.includes(name))).toEqual([]);
  expect(packagesOf('server')).toContain('mercurius');
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

test('the server starts without the fetch, the WebSocket and the mocks of undici, and so without those of Node', () => {
  const scripts = readdirSync(dirname(bundleOf('server'))).filter((name) => name.endsWith('.js'));
  const texts = scripts.map((name) => readFileSync(join(dirname(bundleOf('server')), name), 'utf8'));
  const has = (file: string) => texts.some((text) => text.includes(`node_modules/undici/${file}"`));
  const parts = ['lib/dispatcher/agent.js', 'lib/web/cookies/index.js', 'lib/mock/mock-agent.js'];
  expect(parts.map(has)).toEqual([true, false, false]);
  expect(importedFromUndici()).toEqual(['Agent', 'Client', 'Pool', 'buildConnector', 'request']);
});

test('classes keep their names, which are names of types; functions are not named while they run', () => {
  const folder = dirname(bundleOf('server'));
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const helpers = scripts.flatMap((name) => {
    const [, helper] =
      /var __name=(\(target,value\)=>.+?);/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    return helper ?? [];
  });
  expect(helpers).toHaveLength(1);
  const setName = new Function(
    `const __defProp=Object.defineProperty,__defProp2=__defProp;return ${helpers[0]}`,
  )();
  const Renamed = class {};
  const inner = () => undefined;
  setName(Renamed, 'MoneyRequest');
  setName(inner, 'readMoneyRequest');
  expect([Renamed.name, inner.name]).toEqual(['MoneyRequest', 'inner']);
});

/** The values that the product imports from undici. */
function importedFromUndici(): string[] {
  const names = ['gateway', 'rest-compat', 'subgraphs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .flatMap((text) => /import \{(.+)\} from 'undici'/.exec(text)?.[1]?.split(',') ?? []),
  );
  return [...new Set(names.map((name) => name.trim()).filter((name) => !name.startsWith('type ')))].sort();
}

test('source maps name only our own sources, with their paths', () => {
  const map = JSON.parse(readFileSync(`${bundleOf('certs')}.map`, 'utf8'));
  const sources: string[] = map.sources.map((source: string) => resolve(dirname(bundleOf('certs')), source));
  expect(sources).toContain(resolve('gateway/cli/certs/main.ts'));
  expect(sources.filter((source) => source.includes('node_modules') || !existsSync(source))).toEqual([]);
});
