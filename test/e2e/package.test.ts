/** @only-in-full */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { publint } from 'publint';
import { exchangeWith } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { runProduct, startServerProcess } from '../support/server-process.ts';

const scene = useScene();

/** A project that has installed the package: beside it are the packages that it depends on. */
let project: string;
let command: string;
let tarball: string;
/** The content of the package. */
let files: readonly string[];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'remitgraph-package-'));
  // dist/ is there: the build that comes before a pack is not made again.
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files: listed }] = JSON.parse(packed);
  tarball = join(project, filename);
  files = listed.map(({ path }: { readonly path: string }) => path);
  const modules = join(project, 'node_modules');
  const own = join(modules, 'remitgraph');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components', '1']);
  for (const name of dependencies()) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  command = join(own, 'gateway', 'cli', 'remitgraph.mjs');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** The packages that npm installs beside the package, and a project's own types of Node: none of our packages for development. */
function dependencies(): string[] {
  const { dependencies: own, peerDependencies: peers } = JSON.parse(readFileSync('package.json', 'utf8'));
  return [...Object.keys(own), ...Object.keys(peers), '@types/node'];
}

async function run(...args: string[]) {
  const started = runProduct(command, args, {});
  return { ...(await started.exited), output: started.output() };
}

test('The package holds what runs: no sources, no tests', () => {
  expect(files.filter((path) => /\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  expect(files.filter((path) => /(?:^|\/)(?:test|testing)\/|\.test\./.test(path))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'dist/bin/server.js',
      'dist/client/index.d.ts',
      'dist/graphiql/graphiql.min.js',
      'schema/supergraph.graphql',
    ]),
  );
});

test('The package holds all that the recipes of the clients in Go and Java copy, without their tests', () => {
  const clients = files.filter((path) =>
    /^gateway\/clients\/(?:go|java)\/|^subgraphs\/webhooks\//.test(path),
  );
  expect(clients).toEqual(
    expect.arrayContaining([
      'gateway/clients/go/README.md',
      'gateway/clients/go/client.go',
      'gateway/clients/go/go.sum',
      'gateway/clients/go/partner/generate.go',
      'gateway/clients/java/pom.xml',
      'gateway/clients/java/src/main/java/remitgraph/RemitgraphClient.java',
      'subgraphs/webhooks/verifiers/go/verify.go',
      'subgraphs/webhooks/verifiers/java/VerifyWebhook.java',
    ]),
  );
  expect(clients.filter((path) => /test/i.test(path))).toEqual([]);
});

describe('remitgraph', () => {
  test('prints its commands and its version, and fails for a command that it does not have', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringMatching(/^ {2}start /m) });
    expect(await run('--version')).toMatchObject({ code: 0, output: `${version}\n` });
    expect(await run('begin')).toMatchObject({
      code: 2,
      output: expect.stringContaining('no command "begin"'),
    });
    expect(await run('listen', '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('--forward'),
    });
  });

  test.each([
    'start',
    'demo',
    'gateway',
    'admin',
    'listen',
    'watch',
    'mcp',
    'doctor',
    'verify',
    'audit',
    'ledger',
    'certs',
  ])(
    '%s has help with examples of its own name and exit codes, and fails with 2 for what it does not take',
    async (name) => {
      const [help, wrong] = await Promise.all([run(name, '--help'), run(name, '--no-such-option')]);
      expect(help).toMatchObject({ code: 0, signal: null });
      expect(help.output).toMatch(new RegExp(`^Examples:\\n.*remitgraph (?:admin )?${name}`, 'm'));
      expect(help.output).toMatch(/Exit codes: 0 /);
      expect(help.output).not.toContain('npm');
      expect(wrong).toMatchObject({ code: 2, signal: null });
    },
  );

  test('mcp has messages of its protocol alone on standard output', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const errors: unknown[] = [];
    client.onerror = (error) => errors.push(error);
    const args = [command, 'mcp'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: { KEY: 'raas_sandbox_x' } }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('find');
    await client.close();
    expect(errors).toEqual([]);
  });

  test('start serves REST, GraphQL, GraphiQL and the documentation, and ends cleanly', async () => {
    const { env } = await scene.deploy();
    const server = await startServerProcess(env, [command, 'start']);
    try {
      const exchange = exchangeWith(server.url);
      expect(await queryGraph(exchange, '{ me { id } }')).toEqual({
        status: 200,
        data: { me: { id: 'acme' } },
      });
      for (const path of [
        '/v1/openapi.json',
        '/graphiql',
        '/docs/',
        '/docs/errors',
        '/docs/errors.md',
        '/llms.txt',
      ]) {
        expect((await exchange({ method: 'GET', path })).status).toBe(200);
      }
    } finally {
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    }
    expect(server.output()).not.toContain('Compiling');
  });
});

test.each([
  ['remitgraph', 'createServer'],
  ['remitgraph/client', 'createLiveClient'],
  ['remitgraph/engine', 'buildEngine'],
  ['remitgraph/react', 'useLiveList'],
  ['remitgraph/rest', 'restConfig'],
  ['remitgraph/webhooks', 'verifyWebhook'],
])('%s can be imported', (name, offered) => {
  const script = `import(${JSON.stringify(name)}).then((all) => console.log(typeof all[${JSON.stringify(offered)}]))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: project, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['function\n', '']);
});

test("remitgraph answers its README's example", async () => {
  const database = await scene.deploy();
  const [, section = ''] = readFileSync('gateway/cli/README.md', 'utf8').split('\n## As a package\n');
  const [example = ''] = /(?<=```js\n)[^`]*(?:`[^`]+)*?(?=```)/.exec(section) ?? [];
  const [, said] = /console\.log\(.*\); \/\/ (.*)$/m.exec(example) ?? [];
  const file = join(project, 'server.mjs');
  writeFileSync(file, example);
  const env = { ...process.env, MONGODB_URI: database.env.MONGODB_URI };
  const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project, encoding: 'utf8', env });
  expect([stdout, stderr]).toEqual([`${said}\n`, '']);
});

test("remitgraph/engine answers its README's example", () => {
  const readme = readFileSync('gateway/engine/README.md', 'utf8');
  const [example = ''] = /(?<=```js\n)[^`]*/.exec(readme) ?? [];
  const [, said] = /console\.log\(.*\); \/\/ (.*)$/m.exec(example) ?? [];
  const file = join(project, 'example.mjs');
  writeFileSync(file, example);
  const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual([`${said}\n`, '']);
});

describe('its types', () => {
  // No Node and no CommonJS: what a page's bundler, or a project without @types/node, has.
  test.each([
    ['a project for Node', ['es2023'], ['node']],
    ['a project for browsers', ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], []],
  ])('compile in %s, checked themselves too', (_name, lib, types) => {
    const consumer = join(project, 'consumer.ts');
    writeFileSync(consumer, CONSUMER);
    const options = { lib, types, module: 'nodenext', target: 'es2022', noEmit: true, skipLibCheck: false };
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const config = { compilerOptions: { ...options, ...strict }, files: [consumer] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
    const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  test('are found in every way in which ES modules find them (arethetypeswrong)', async () => {
    const found = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    // CommonJS cannot import it, and nothing older than exports can find it: it says so in package.json.
    const ours = (found.types ? found.problems : [found]).filter(
      (problem) =>
        !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
    );
    expect(ours).toEqual([]);
  });

  test('its package.json is as bundlers and Node want it (publint)', async () => {
    const { messages } = await publint({
      pack: { tarball: toArrayBuffer(readFileSync(tarball)) },
      strict: true,
    });
    expect(messages).toEqual([]);
  });
});

const CONSUMER = `
import { createServer, RemitgraphError, type ServerSettings } from 'remitgraph';
import { createLiveClient, type Decimal } from 'remitgraph/client';
import { buildEngine } from 'remitgraph/engine';
import { useLiveList } from 'remitgraph/react';
import { verifyWebhook } from 'remitgraph/webhooks';

const settings: ServerSettings = { PORT: 0, NODE_ENV: 'test', GRAPHQL_INTROSPECTION: true };
// @ts-expect-error a port is a number
export const wrong: ServerSettings = { PORT: '0' };
export async function start(): Promise<string> {
  try {
    return (await createServer(settings, { log: (line: string) => void line.length })).url;
  } catch (error) {
    return error instanceof RemitgraphError ? error.message : '';
  }
}
export const all = [createLiveClient, buildEngine, useLiveList, verifyWebhook];
export const textOf = (amount: Decimal): string => amount;
`;

function toArrayBuffer({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return new Uint8Array(buffer, byteOffset, byteLength).slice().buffer;
}
