import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchangeWith } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { runProduct, startServerProcess } from '../support/server-process.ts';

const scene = useScene();

/** A project that has installed the package: beside it are the packages that it depends on. */
let project: string;
let command: string;
/** What the package holds. */
let files: readonly string[];

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'remitgraph-package-'));
  // dist/ is there: the build that comes before a pack is not made again.
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files: listed }] = JSON.parse(packed);
  files = listed.map(({ path }: { readonly path: string }) => path);
  const modules = join(project, 'node_modules');
  const own = join(modules, 'remitgraph');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, filename), '-C', own, '--strip-components', '1']);
  for (const name of readdirSync('node_modules').filter((one) => !one.startsWith('.'))) {
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  command = join(own, 'gateway', 'cli', 'remitgraph.mjs');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

async function run(...args: string[]) {
  const started = runProduct(command, args, {});
  return { ...(await started.exited), output: started.output() };
}

test('The package holds what runs: no sources, no tests', () => {
  expect(files.filter((path) => /\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  expect(files.filter((path) => /(?:^|\/)(?:test|testing)\/|\.test\./.test(path))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(['dist/bin/server.js', 'dist/client/index.d.ts', 'schema/supergraph.graphql']),
  );
});

describe('remitgraph', () => {
  test('tells its commands and its version, and fails for a command that it does not have', async () => {
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

  test('start serves REST, GraphQL, GraphiQL and the documentation, and ends cleanly', async () => {
    const { env } = await scene.deploy();
    const server = await startServerProcess(env, [command, 'start']);
    try {
      const exchange = exchangeWith(server.url);
      expect(await queryGraph(exchange, '{ me { id } }')).toEqual({
        status: 200,
        data: { me: { id: 'acme' } },
      });
      for (const path of ['/v1/openapi.json', '/graphiql', '/docs/', '/docs/errors']) {
        expect((await exchange({ method: 'GET', path })).status).toBe(200);
      }
    } finally {
      expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    }
    expect(server.output()).not.toContain('Compiling');
  });
});

test.each([
  ['remitgraph/client', 'createLiveClient'],
  ['remitgraph/engine', 'buildEngine'],
  ['remitgraph/webhooks', 'verifyWebhook'],
])('%s can be imported', (name, offered) => {
  const script = `import(${JSON.stringify(name)}).then((all) => console.log(typeof all[${JSON.stringify(offered)}]))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: project, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['function\n', '']);
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
