import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const root = mkdtempSync(join(tmpdir(), 'remitgraph-built-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A product of one program and one test, with the makers of this one. */
function writeProduct(): void {
  mkdirSync(join(root, 'test', 'runner'), { recursive: true });
  mkdirSync(join(root, 'gateway'));
  for (const folder of ['build', 'cli']) {
    cpSync(join('gateway', folder), join(root, 'gateway', folder), {
      recursive: true,
      filter: (path) => path.endsWith(folder) || /\.[cm]js$/.test(path),
    });
  }
  cpSync('test/runner/built.mjs', join(root, 'test', 'runner', 'built.mjs'));
  cpSync('tsconfig.json', join(root, 'tsconfig.json'));
  const programs = [
    `export const PROGRAMS = { product: 'gateway/main.js' };`,
    `export const WARM_UP = 'gateway/warm-up.js';`,
    'export const LIBRARIES = {};',
    'export const PACKAGES = {};',
  ].join('\n');
  writeFileSync(join(root, 'gateway', 'build', 'programs.mjs'), programs);
  writeFileSync(join(root, 'gateway', 'main.ts'), 'process.exitCode = 0;\n');
  writeFileSync(join(root, 'gateway', 'warm-up.ts'), 'export const warmedUp = Promise.resolve();\n');
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
}

const writeTest = (word: string) =>
  writeFileSync(join(root, 'gateway', 'word.test.ts'), `export const WORD = '${word}';\n`);
const compiled = () => readFileSync(join(root, 'dist', 'gateway', 'word.test.js'), 'utf8');

/** Calls a function of a module in a process of its own. @returns its output */
function call(path: string, name: string): Promise<string> {
  const module = JSON.stringify(join(root, path));
  const script = `const { ${name} } = await import(${module}); await ${name}();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((done) => {
    child.once('close', () => done(output));
  });
}

test('tests are compiled again when they have changed, and when another build has compiled others since', async () => {
  writeProduct();
  const ensure = () => call('test/runner/built.mjs', 'ensureTestsBuilt');
  writeTest('one');
  expect(await ensure()).toMatch(/^Compiling/);
  expect(await ensure()).toBe('');
  writeTest('two');
  expect(await ensure()).toMatch(/^Compiling/);
  expect(compiled()).toContain("'two'");
  writeTest('three');
  await call('gateway/build/dist.mjs', 'build');
  expect(compiled()).toContain("'three'");
  // As they were when they were last compiled for a test run.
  writeTest('two');
  expect(await ensure()).toMatch(/^Compiling/);
  expect(compiled()).toContain("'two'");
});
