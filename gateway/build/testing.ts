import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The outcome of a program's run. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A product of one program, in a folder of its own, with the launcher and the compiler of this one. */
export interface TestProduct {
  readonly root: string;
  /** Writes the program. It says the word, its arguments and where an error would be shown, and ends with 7. */
  writeSource(word: string): void;
  /** Runs the program as npm's commands do. @param flags node's */
  run(args?: readonly string[], flags?: readonly string[]): Promise<Run>;
  /** Takes the dist/ of another one, whose sources are the same: to build takes as long as the rest of a test. */
  takeBuild(other: TestProduct): void;
  /** A path in the folder of the test. */
  bin(...names: string[]): string;
  remove(): void;
}

/** Makes a product whose word is `one`. */
export function makeTestProduct(): TestProduct {
  const root = mkdtempSync(join(tmpdir(), 'remitgraph-dist-'));
  mkdirSync(join(root, 'gateway'));
  for (const folder of ['build', 'cli']) {
    cpSync(join('gateway', folder), join(root, 'gateway', folder), {
      recursive: true,
      filter: (path) => path.endsWith(folder) || /\.[cm]js$/.test(path),
    });
  }
  cpSync('tsconfig.json', join(root, 'tsconfig.json'));
  writeFileSync(
    join(root, 'gateway', 'build', 'programs.mjs'),
    [
      `export const PROGRAMS = { product: 'gateway/main.js' };`,
      `export const WARM_UP = 'gateway/warm-up.js';`,
      'export const LIBRARIES = {};',
      'export const PACKAGES = {};',
    ].join('\n'),
  );
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const writeSource = (word: string) => writeProgram(join(root, 'gateway'), word);
  writeSource('one');
  return {
    root,
    writeSource,
    run: (args = [], flags = []) =>
      runToEnd([...flags, join(root, 'gateway', 'cli', 'run.mjs'), 'product', ...args]),
    takeBuild: (other) =>
      cpSync(join(other.root, 'dist'), join(root, 'dist'), { recursive: true, preserveTimestamps: true }),
    bin: (...names) => join(root, 'dist', 'bin', ...names),
    remove: () => rmSync(root, { recursive: true }),
  };
}

function writeProgram(folder: string, word: string): void {
  writeFileSync(join(folder, 'word.ts'), `export const WORD: string = '${word}';\n`);
  writeFileSync(
    join(folder, 'main.ts'),
    [
      `import { WORD } from './word.ts';`,
      'interface Shape { readonly place: string }',
      `const shape: Shape = { place: String(new Error('x').stack?.split('\\n')[1]) };`,
      'process.stdout.write(JSON.stringify([WORD, process.argv.slice(2), shape.place]));',
      'process.exitCode = 7;',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, 'warm-up.ts'),
    `import { WORD } from './word.ts';\nexport const warmedUp: Promise<string> = Promise.resolve(WORD);\n`,
  );
}

function runToEnd(args: readonly string[]): Promise<Run> {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--enable-source-maps', ...args]);
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

/** The word that a run has said. */
export function wordOf({ stdout }: Run): string {
  return JSON.parse(stdout)[0];
}
