import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let root: string;

/** A product of one program, with the launcher and the compiler of this one. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'remitgraph-dist-'));
  mkdirSync(join(root, 'gateway'));
  cpSync('gateway/cli', join(root, 'gateway', 'cli'), {
    recursive: true,
    filter: (path) => path.endsWith('cli') || path.endsWith('.mjs'),
  });
  cpSync('tsconfig.json', join(root, 'tsconfig.json'));
  writeFileSync(
    join(root, 'gateway', 'cli', 'programs.mjs'),
    `export const PROGRAMS = { product: 'gateway/main.js' };\n`,
  );
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  writeSource('one');
});

afterEach(() => rmSync(root, { recursive: true }));

/** A program that says its word, its arguments and where an error would be shown, and ends with 7. */
function writeSource(word: string): void {
  writeFileSync(join(root, 'gateway', 'word.ts'), `export const WORD: string = '${word}';\n`);
  writeFileSync(
    join(root, 'gateway', 'main.ts'),
    [
      `import { WORD } from './word.ts';`,
      'interface Shape { readonly place: string }',
      `const shape: Shape = { place: String(new Error('x').stack?.split('\\n')[1]) };`,
      'process.stdout.write(JSON.stringify([WORD, process.argv.slice(2), shape.place]));',
      'process.exitCode = 7;',
    ].join('\n'),
  );
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Run> {
  return new Promise((done) => {
    const launcher = join(root, 'gateway', 'cli', 'run.mjs');
    const child = spawn(process.execPath, ['--enable-source-maps', launcher, 'product', ...args]);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}

const wordOf = ({ stdout }: Run): string => JSON.parse(stdout)[0];

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

test('starts that find old files at once do not disturb each other', async () => {
  await run();
  writeSource('two');
  const runs = await Promise.all([run(), run(), run()]);
  expect(runs.map(wordOf)).toEqual(['two', 'two', 'two']);
  expect(readdirSync(join(root, 'dist')).sort()).toEqual(['.sources', 'bin', 'gateway']);
});

test('a copy without sources runs what was compiled', async () => {
  await run();
  rmSync(join(root, 'gateway', 'main.ts'));
  rmSync(join(root, 'gateway', 'word.ts'));
  const ran = await run();
  expect([ran.stderr, wordOf(ran)]).toEqual(['', 'one']);
});

test('says in one line what to do without the compiler, and when a source cannot be compiled', async () => {
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
