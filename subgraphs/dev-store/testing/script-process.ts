import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Logger, pino } from 'pino';

/** A process of its own that runs a script over the store's modules: for what only the end of a process shows. */
interface ScriptProcess {
  readonly child: ChildProcess;
  /** The next line that it prints, as JSON. Rejects with what it complained of when it ends first. */
  nextLine(): Promise<Record<string, unknown>>;
  readonly ended: Promise<void>;
}

/**
 * Runs an ES module, given as text, in a process of its own. To it `lock.ts` is `./lock.js`: as compiled as what runs
 * here.
 */
export function runScript(script: string, env: NodeJS.ProcessEnv = process.env): ScriptProcess {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: dirname(import.meta.dirname),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return follow(child);
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
