/** @only-in-full */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeTestProduct, type Run, type TestProduct, wordOf } from './testing.ts';

let product: TestProduct;
let root: string;
let built: TestProduct;

beforeAll(async () => {
  built = makeTestProduct();
  await built.run();
});

afterAll(() => built.remove());

beforeEach(() => {
  product = makeTestProduct();
  root = product.root;
});

afterEach(() => product.remove());

const run = (...args: string[]): Promise<Run> => product.run(args);
const writeSource = (word: string): void => product.writeSource(word);
const bin = (...names: string[]): string => product.bin(...names);
const bundles = (): string[] => readdirSync(bin()).filter((name) => !name.endsWith('.js'));

/** Puts a folder beside the bundles that was made so many minutes ago. */
function addBundles(name: string, minutesAgo: number): void {
  mkdirSync(bin(name));
  const made = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(bin(name), made, made);
}

/** Gives the product packages of its own, which are those of this one without `missing`. */
function ownModules(missing: string): void {
  const modules = join(root, 'node_modules');
  rmSync(modules);
  mkdirSync(modules);
  for (const name of readdirSync('node_modules').filter((one) => one !== missing)) {
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
}

function buildAgain(): Promise<Run> {
  rmSync(join(root, 'dist', '.sources'));
  return run();
}

test('compiles once, and again when a source changes; arguments, exit code and source maps are the program’s', async () => {
  const first = await run('tenant', '--json');
  expect(first.stderr).toMatch(/^Compiling/);
  expect([first.code, wordOf(first), JSON.parse(first.stdout)[1]]).toEqual([7, 'one', ['tenant', '--json']]);
  expect(JSON.parse(first.stdout)[2]).toContain(join(root, 'gateway', 'main.ts:3'));
  const second = await run();
  expect([second.stderr, wordOf(second)]).toEqual(['', 'one']);
  writeSource('two');
  expect(wordOf(await run())).toBe('two');
  // Back to what an earlier build has made: the files decide, not what was compiled last.
  writeSource('one');
  expect(wordOf(await run())).toBe('one');
  expect(readdirSync(join(root, 'dist')).sort()).toEqual(['.sources', 'bin', 'gateway']);
});

test('simultaneous starts with old files do not disturb each other', async () => {
  product.takeBuild(built);
  writeSource('two');
  const runs = await Promise.all([run(), run(), run()]);
  expect(runs.map(wordOf)).toEqual(['two', 'two', 'two']);
  expect(readdirSync(join(root, 'dist')).sort()).toEqual(['.sources', 'bin', 'gateway']);
});

test('equal sources give equal bundles; replaced bundles are kept while a start may need them', async () => {
  product.takeBuild(built);
  const [latest = ''] = bundles();
  addBundles('a', 60);
  addBundles('b', 50);
  addBundles('c', 40);
  await buildAgain();
  expect(bundles().sort()).toEqual([latest, 'b', 'c'].sort());
  // Three since, but the first of them only 3 minutes ago: until then programs started from c.
  addBundles('d', 3);
  addBundles('e', 2);
  addBundles('f', 1);
  await buildAgain();
  expect(bundles().sort()).toEqual([latest, 'c', 'd', 'e', 'f'].sort());
});

test('a failed build gives the reason, and does not count as the previous build', async () => {
  product.takeBuild(built);
  rmSync(bin(), { recursive: true });
  writeFileSync(bin(), 'in the way');
  writeSource('two');
  const halfway = await run();
  expect([halfway.code, halfway.stdout]).toEqual([1, '']);
  expect(halfway.stderr).toMatch(
    /^Compiling.*\ndist\/ is not made from these sources, and cannot be written \(E.*\n$/,
  );
  rmSync(bin());
  writeSource('one');
  expect(wordOf(await run())).toBe('one');
  expect(readFileSync(join(root, 'dist', 'gateway', 'word.js'), 'utf8')).toContain("'one'");
});

test('sources that change while they are built are built again', async () => {
  ownModules('esbuild');
  const bundler = join(root, 'node_modules', 'esbuild');
  mkdirSync(bundler);
  const word = JSON.stringify(join(root, 'gateway', 'word.ts'));
  writeFileSync(
    join(bundler, 'index.js'),
    [
      `const { readFileSync, writeFileSync } = require('node:fs');`,
      `const { build, stop, transform } = require(${JSON.stringify(resolve('node_modules', 'esbuild'))});`,
      'Object.assign(exports, { stop, transform });',
      'exports.build = (options) => {',
      `  writeFileSync(${word}, readFileSync(${word}, 'utf8').replace('one', 'two'));`,
      '  return build(options);',
      '};',
    ].join('\n'),
  );
  expect(wordOf(await run())).toBe('two');
  expect((await run()).stderr).toBe('');
});

test('compiles again for another version of a package that bundles may hold', async () => {
  ownModules('.package-lock.json');
  const list = (file: string, packages: object) =>
    writeFileSync(join(root, file), JSON.stringify({ packages }));
  const install = (packages: object) => list('node_modules/.package-lock.json', packages);
  const [one, tool] = [{ version: '1.0.0' }, { version: '1.0.0', dev: true }];
  list('package-lock.json', { '': {}, 'node_modules/a': one, 'node_modules/tool': tool });
  install({ 'node_modules/a': one, 'node_modules/tool': tool });
  await run();
  // As after npm ci --omit=dev, and with a package of the operator's.
  install({ 'node_modules/a': one, 'node_modules/own': one });
  expect((await run()).stderr).toBe('');
  install({ 'node_modules/a': { version: '1.0.1' } });
  expect((await run()).stderr).toMatch(/^Compiling/);
});

const CHILDREN = `/proc/self/task/${process.pid}/children`;

(existsSync(CHILDREN) ? test : test.skip)('no process of the build stays beside the program', async () => {
  writeFileSync(
    join(root, 'gateway', 'main.ts'),
    [
      `import { readFileSync } from 'node:fs';`,
      `import { setTimeout as sleep } from 'node:timers/promises';`,
      `const path = '/proc/self/task/' + process.pid + '/children';`,
      `const children = () => readFileSync(path, 'utf8').trim();`,
      'async function main(): Promise<void> {',
      // A process that was signalled needs a moment to end.
      `  for (let left = 50; left > 0 && children() !== ''; left -= 1) { await sleep(100); }`,
      '  process.stdout.write(JSON.stringify([children()]));',
      '}',
      'void main();',
    ].join('\n'),
  );
  const built = await run();
  expect(built.stderr).toMatch(/^Compiling/);
  expect(wordOf(built)).toBe('');
});

test('lists the existing programs', async () => {
  product.takeBuild(built);
  const launcher = join(root, 'gateway', 'cli', 'run.mjs');
  for (const program of ['produkt', 'toString', '']) {
    const { status, stderr } = spawnSync(process.execPath, [launcher, program], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      `There is no program "${program}". There are product, and the modules of dist/.\n`,
    ]);
  }
});

test('a copy without sources runs the compiled programs', async () => {
  product.takeBuild(built);
  for (const name of ['main.ts', 'word.ts', 'warm-up.ts']) {
    rmSync(join(root, 'gateway', name));
  }
  const ran = await run();
  expect([ran.stderr, wordOf(ran)]).toEqual(['', 'one']);
});

test('prints one line with the fix if the compiler is missing or a source does not compile', async () => {
  writeFileSync(join(root, 'gateway', 'word.ts'), 'export const WORD = ;\n');
  const broken = await run();
  expect([broken.code, broken.stdout]).toEqual([1, '']);
  expect(broken.stderr).toMatch(/word\.ts.*\n(.*\n)*The sources cannot be compiled; see above\.\n$/);
  expect(existsSync(join(root, 'dist', '.sources'))).toBe(false);
  rmSync(join(root, 'node_modules'));
  const without = await run();
  expect(without.code).toBe(1);
  expect(without.stderr).toMatch(
    /\n?dist\/ is not made from these sources, and TypeScript is not installed.*\n$/,
  );
});
