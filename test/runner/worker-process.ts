import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SerializableError, TestResult } from '@jest/test-result';
import type { FromWorker, Order, ToWorker } from './protocol.ts';

/** The end of a file: its result, or the reason why it has none. */
export type Outcome = { readonly result: TestResult } | { readonly error: SerializableError };

/** A worker process as its parent sees it. */
export interface WorkerProcess {
  /** Runs one file; a process that ends meanwhile fails it. Never rejects. */
  run(order: Order): Promise<Outcome>;
  /** Whether it can run another file as well as a new one could: nothing has failed in it, and it has memory left. */
  isFit(): boolean;
  /** Ends it. @returns errors that came after its last file, also that it has ended by itself */
  end(): Promise<readonly string[]>;
}

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url));
const CHECK_MS = 1_000;
/** A worker that has the order to end may be in the middle of what its last file has left. */
const END_MS = 30_000;
/** For what an ended process has sent to be read. */
const DRAIN_MS = 2_000;

/** Starts a worker; `id` is its JEST_WORKER_ID, `env` what it has besides the environment of the run. */
export function startWorker(id: number, env: NodeJS.ProcessEnv): WorkerProcess {
  const child = fork(PROGRAM, {
    // Test files make much that is soon gone: with a young generation of 16 MiB V8 would take a sixth of their processor time.
    execArgv: ['--enable-source-maps', '--max-semi-space-size=64'],
    env: { ...process.env, ...env, JEST_WORKER_ID: String(id) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.on('data', (chunk: Buffer) => process.stdout.write(chunk));
  child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const exited = exitOf(child);
  endChildrenWith(child, exited);
  let fit = true;
  let path = '';
  let isDeathKnown = false;
  void exited.then(() => {
    fit = false;
  });
  return {
    // The exit comes before what the process has sent is read.
    isFit: () => fit && child.exitCode === null && child.signalCode === null,
    async run(order) {
      const { silenceMs, memoryBytes } = order.provisions;
      const answer = nextAnswer(child, silenceMs);
      path = order.path;
      send(child, order);
      const message = await Promise.race([answer.message, exited]);
      answer.stop();
      if (message.kind === 'result') {
        fit &&= isClean(message.result) && message.rss < memoryBytes;
        return { result: message.result };
      }
      fit = false;
      isDeathKnown = message.kind === 'exit';
      return {
        error: message.kind === 'exit' ? deathOf(message, answer.isSilent(), silenceMs) : message.error,
      };
    },
    end: async () => (isDeathKnown ? [] : await endWorker(child, exited, path)),
  };
}

interface Exit {
  readonly kind: 'exit';
  /** Such as `exit code 7`. */
  readonly how: string;
}
type Answer = Extract<FromWorker, { kind: 'result' | 'failure' }>;

/** Resolves when the process has ended and what it has sent is read. */
function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) {
        resolve({ kind: 'exit', how: `it could not be started: ${error.message}` });
      }
    });
    child.once('exit', (code, signal) => {
      const done = () => resolve({ kind: 'exit', how: signal ?? `exit code ${code}` });
      // A process that it has started may outlive it, and hold its streams open.
      const timer = setTimeout(done, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(timer);
        done();
      });
    });
  });
}

/** A worker that is killed cannot end what its test files have started, and that may hold its streams open. */
function endChildrenWith(child: ChildProcess, exited: Promise<Exit>): void {
  const children = new Set<number>();
  child.on('message', (message: FromWorker) => {
    if (message.kind !== 'child') {
      return;
    }
    if (message.isRunning) {
      children.add(message.pid);
    } else {
      children.delete(message.pid);
    }
  });
  void exited.then(() => {
    for (const pid of children) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    // Processes that those have started are not known here: they must not keep the run from ending.
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
}

/** The worker's answer to an order. One that is not even alive any more is killed. */
function nextAnswer(child: ChildProcess, silenceMs: number) {
  // Counted, not taken from the clock: that runs on while the whole machine, or this process, stands still.
  let silentMs = 0;
  let isSilent = false;
  let listener: (message: FromWorker) => void = () => undefined;
  const watchdog = setInterval(() => {
    silentMs += CHECK_MS;
    if (silentMs > silenceMs) {
      isSilent = true;
      child.kill('SIGKILL');
    }
  }, CHECK_MS);
  const message = new Promise<Answer>((resolve) => {
    listener = (received) => {
      silentMs = 0;
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
  return { message, stop, isSilent: () => isSilent };
}

function deathOf({ how }: Exit, isSilent: boolean, silenceMs: number): SerializableError {
  const reason = isSilent
    ? `was killed: for ${silenceMs} ms its event loop did not turn`
    : `ended (${how}): the file, or what it calls, has ended the process, or its memory was used up`;
  const message = `The process that ran this file ${reason}.`;
  return { message, stack: message };
}

/** Another file shall not run where one has failed, and may have left its work half done. */
function isClean({ numFailingTests, testExecError }: TestResult): boolean {
  return numFailingTests === 0 && testExecError === undefined;
}

async function endWorker(
  child: ChildProcess,
  exited: Promise<Exit>,
  path: string,
): Promise<readonly string[]> {
  let errors: readonly string[] | undefined;
  let isLate = false;
  child.on('message', (message: FromWorker) => {
    errors = message.kind === 'ended' ? message.errors : errors;
  });
  send(child, { kind: 'end' });
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, END_MS);
  const { how } = await exited;
  clearTimeout(timer);
  const reason = isLate ? `did not end within ${END_MS} ms` : `ended by itself afterwards (${how})`;
  return errors ?? [`The process whose last file was ${path} ${reason}.`];
}

/** To a process that has ended nothing is sent: its exit says so. */
function send(child: ChildProcess, message: ToWorker): void {
  if (child.connected) {
    child.send(message, () => undefined);
  }
}
