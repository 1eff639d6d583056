import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { transformSync } from '@swc/core';
import { type Logger, pino } from 'pino';

/** A process of its own that runs a script over the store's modules: for what only the end of a process shows. */
export interface ScriptProcess {
  readonly child: ChildProcess;
  /** The next line that it prints, as JSON. Rejects with what it complained of when it ends first. */
  nextLine(): Promise<Record<string, unknown>>;
  readonly ended: Promise<void>;
}

/** The store's modules as JavaScript, where a script can import them. */
export interface CompiledStore {
  /** `script` is an ES module; `lock.ts` is `./lock.js` to it. */
  run(script: string, env?: NodeJS.ProcessEnv): ScriptProcess;
  remove(): void;
}

/** Compiles this folder for {@link CompiledStore.run}; Node cannot run TypeScript, and a build may be out of date. */
export function compileStore(): CompiledStore {
  const store = import.meta.dirname;
  const platform = dirname(store);
  const cache = resolve('node_modules/.cache/remitgraph');
  mkdirSync(cache, { recursive: true });
  const target = mkdtempSync(join(cache, 'store-'));
  writeFileSync(join(target, 'package.json'), '{"type":"module"}');
  const sources = readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('test'))
    .map((name) => join(store, name));
  // The list grows while it is walked, by what its files import from elsewhere in the platform.
  const paths = new Set(sources);
  for (const path of paths) {
    const { code, imports } = compile(path);
    for (const imported of imports) {
      paths.add(join(dirname(path), imported));
    }
    const output = join(target, relative(platform, path).replace(/ts$/, 'js'));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, code);
  }
  let scripts = 0;
  return {
    run(script, env = process.env) {
      scripts += 1;
      const path = join(target, relative(platform, store), `script-${scripts}.js`);
      writeFileSync(path, script);
      return follow(spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    },
    remove: () => rmSync(target, { recursive: true, force: true }),
  };
}

const RELATIVE_IMPORT = /((?:from|import)[ (]['"])(\.[^'"]+)\.ts(['"])/g;

function compile(path: string): { code: string; imports: string[] } {
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  });
  return {
    code: code.replace(RELATIVE_IMPORT, '$1$2.js$3'),
    imports: [...code.matchAll(RELATIVE_IMPORT)].map(([, , name]) => `${name}.ts`),
  };
}

function follow(child: ChildProcess): ScriptProcess {
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const ended = new Promise<void>((done) => {
    child.once('close', () => done());
  });
  const lines = child.stdout === null ? undefined : createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    ended,
    async nextLine() {
      const line = await lines?.next();
      if (line === undefined || line.done === true) {
        await ended;
        throw new Error(`the script ended without another line: ${complaints}`);
      }
      return JSON.parse(line.value);
    },
  };
}

/** A directory for one test, and its removal. */
export function temporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'remitgraph-store-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A logger whose lines a test can read. */
export function memoryLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace', base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

/** Writes an executable shell script, as a stand-in for a program. */
export function writeProgram(path: string, body: string): string {
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}
