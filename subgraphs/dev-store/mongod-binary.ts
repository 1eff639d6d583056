import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { DatabaseLog } from '../kernel/database/open-database.ts';
import { makePrivateDirectory } from '../kernel/private-directory.ts';
import { lastLine } from './run.ts';

type DownloadOutcome =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

interface DownloadOptions {
  /** The folder of the program. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: DatabaseLog;
  /** How long it may say nothing: before its first news of progress, and after it. Default 12 s and 60 s. */
  readonly silenceMs?: { readonly first: number; readonly later: number };
}

/** Prints the path of `mongod`, on a line of its own, after downloading it if need be. */
const DOWNLOAD = `
const [library, downloadDir] = process.argv.slice(1);
require(library).MongoBinary.getPath({ downloadDir }).then(
  (path) => process.stdout.write('\\npath:' + path + '\\n'),
  (error) => {
    process.stderr.write(error.message.replaceAll('\\n', ' ') + '\\n');
    process.exitCode = 1;
  },
);`;

/**
 * Finds the `mongod` that was downloaded before, or downloads it (some 100 MB, once), in a process of its own: a
 * download can be given up by no other means.
 */
export function downloadMongod(options: DownloadOptions): Promise<DownloadOutcome> {
  const { first, later } = options.silenceMs ?? { first: 12_000, later: 60_000 };
  makePrivateDirectory(options.directory);
  const library = createRequire(import.meta.url).resolve('mongodb-memory-server-core');
  const child = spawn(process.execPath, ['-e', DOWNLOAD, library, options.directory], {
    env: {
      MONGOMS_MAX_RETRIES: '1',
      ...options.env,
      // The library reads it; otherwise it checks no certificate of the site from which it downloads a program.
      npm_config_strict_ssl: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve) => {
    let output = '';
    let complaints = '';
    const giveUp = () => child.kill('SIGKILL');
    let timer = setTimeout(giveUp, first);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      clearTimeout(timer);
      timer = setTimeout(giveUp, later);
      options.log.info(lastLine(text) ?? 'downloading mongod');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      resolve({ ok: false, reason: error.message });
    });
    child.once('close', (_code, signal) => {
      clearTimeout(timer);
      const path = /^path:(.+)$/m.exec(output)?.[1];
      const silent = signal === null ? undefined : 'the download made no progress';
      resolve(
        path === undefined
          ? { ok: false, reason: silent ?? lastLine(complaints) ?? 'no reason given' }
          : { ok: true, path },
      );
    });
  });
}
