import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SerializableError, TestResult } from '@jest/test-result';
import type { FromWorker, Order, ToWorker } from './protocol.ts';

/** What became of a file: its result, or why there is none. */
export type Outcome = { readonly result: TestResult } | { readonly error: SerializableError };

/** A worker process as its parent sees it. */
export interface WorkerProcess {
  /** Runs one file; a process that ends meanwhile fails it. */
  run(order: Order): Promise<Outcome>;
  /** Whether it can run another file as well as a new one could: nothing has failed in it, and it has memory left. */
  isFit(): boolean;
  /** Ends it. @returns errors that came after its last file */
  end(): Promise<readonly string[]>;
}

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url));
const MOST_MEMORY_BYTES = 1.2 * 1024 ** 3;
/** The event loop of a worker stands still while a test waits for a program, such as `openssl`; never as long as this. */
const SILENCE_MS = 120_000;
const CHECK_MS = 1_000;
const END_MS = 5_000;

/** Starts a worker; `id` is its JEST_WORKER_ID. */
export function startWorker(id: number): WorkerProcess {
  const child = fork(PROGRAM, {
    execArgv: ['--enable-source-maps'],
    env: { ...process.env, JEST_WORKER_ID: String(id) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.on('data', (chunk: Buffer) => process.stdout.write(chunk));
  child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  let fit = true;
  child.once('exit', () => {
    fit = false;
  });
  return {
    isFit: () => fit,
    async run(order) {
      const answer = nextAnswer(child);
      child.send(order satisfies ToWorker);
      const message = await Promise.race([answer.message, exited]);
      answer.stop();
      if ('kind' in message && message.kind === 'result') {
        fit &&= isClean(message.result) && message.rss < MOST_MEMORY_BYTES;
        return { result: message.result };
      }
      fit = false;
      return { error: 'error' in message ? message.error : deathOf(message, answer.isSilent()) };
    },
    end: () => endWorker(child, exited),
  };
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };
type Answer = Extract<FromWorker, { kind: 'result' | 'failure' }>;

/** The worker's answer to an order. One that is not even alive any more is killed. */
function nextAnswer(child: ChildProcess) {
  let heard = Date.now();
  let silent = false;
  let listener: (message: FromWorker) => void = () => undefined;
  const watchdog = setInterval(() => {
    silent = Date.now() - heard > SILENCE_MS;
    if (silent) {
      child.kill('SIGKILL');
    }
  }, CHECK_MS);
  const message = new Promise<Answer>((resolve) => {
    listener = (received) => {
      heard = Date.now();
      if (received.kind === 'result' || received.kind === 'failure') {
        resolve(received);
      }
    };
    child.on('message', listener);
  });
  const stop = () => {
    clearInterval(watchdog);
    child.off('message', listener);
  };
  return { message, stop, isSilent: () => silent };
}

function deathOf({ code, signal }: Exit, silent: boolean): SerializableError {
  const reason = silent
    ? `was killed: for ${SILENCE_MS} ms its event loop did not turn`
    : `ended (${signal ?? `exit code ${code}`}): the file, or what it calls, has ended the process, or its memory was used up`;
  const message = `The process that ran this file ${reason}.`;
  return { message, stack: message };
}

/** Another file shall not run where one has failed, and may have left its work half done. */
function isClean({ numFailingTests, testExecError }: TestResult): boolean {
  return numFailingTests === 0 && testExecError === undefined;
}

async function endWorker(child: ChildProcess, exited: Promise<Exit>): Promise<readonly string[]> {
  let errors: readonly string[] = [];
  if (child.connected) {
    child.on('message', (message: FromWorker) => {
      errors = message.kind === 'ended' ? message.errors : errors;
    });
    child.send({ kind: 'end' } satisfies ToWorker);
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await exited;
  clearTimeout(timer);
  return errors;
}
