import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '../kernel/database/database-error.ts';
import { startServerLog, tailServerLog } from './server-log.ts';

interface ServerProcessOptions {
  /** For messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Takes what the server prints; started anew. */
  readonly logFile: string;
  /** Finds the port in the server's output; it is there once the server listens. */
  readonly listening: RegExp;
  /** Time from the start until it listens. */
  readonly startTimeoutMs: number;
  /** Time from the signal until it is killed. Default 10 s. */
  readonly stopTimeoutMs?: number;
  /** Called once the process exists, before it listens. */
  onSpawn(pid: number): void;
}

interface ServerProcess {
  readonly port: number;
  /** Resolves with the reason when the server ends without {@link ServerProcess.stop}; never after it. */
  readonly exited: Promise<string>;
  /** Ends the server, and kills it when it takes too long. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

/**
 * Becomes the server, after leaving a watcher behind that ends it when the other end of standard input is gone, which
 * happens however the parent ends; one that is still there ten seconds later hangs, and is made to end. A line on standard
 * input sends the watcher away.
 */
const DIE_WITH_PARENT = `
exec 3<&0 </dev/null
{
  read -r _ <&3 && exit
  kill -TERM $$
  for second in 1 2 3 4 5 6 7 8 9 10; do
    sleep 1
    kill -0 $$ || exit
  done
  kill -KILL $$
} >/dev/null 2>&1 &
exec 3<&-
exec "$@"`;

/**
 * Starts a server that prints its port, and waits until it listens.
 * @throws DatabaseError with the end of its log when it ends first, or takes too long
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  startServerLog(options.logFile);
  const log = openSync(options.logFile, 'a');
  // Its own process group: Ctrl-C at the terminal is for us, and the server must outlive our draining.
  const child = spawn('/bin/sh', ['-c', DIE_WITH_PARENT, 'store', options.command, ...options.args], {
    env: options.env,
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  const lifetime = follow(child, options.name, options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
  if (child.pid !== undefined) {
    options.onSpawn(child.pid);
  }
  try {
    const port = await waitForPort(options, lifetime);
    return { port, exited: lifetime.exited, stop: lifetime.stop };
  } catch (error) {
    await lifetime.stop();
    throw error;
  }
}

interface Lifetime {
  readonly exited: Promise<string>;
  /** The reason, once the process has ended. */
  endedBecause(): string | undefined;
  stop(): Promise<void>;
}

function follow(child: ChildProcess, name: string, stopTimeoutMs: number): Lifetime {
  let reason: string | undefined;
  let stopping: Promise<void> | undefined;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be run: ${error.message}`));
    child.once('exit', (code, signal) => resolve(`${name} ended (${signal ?? `status ${code}`})`));
  }).then((text) => {
    reason = text;
    child.stdin?.end('\n');
    return text;
  });
  // The watcher closes its end when it leaves: that is no error.
  child.stdin?.on('error', () => undefined);
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  };
  return {
    exited: new Promise((resolve) => {
      void ended.then((text) => stopping ?? resolve(text));
    }),
    endedBecause: () => reason,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function waitForPort(options: ServerProcessOptions, lifetime: Lifetime): Promise<number> {
  const deadline = Date.now() + options.startTimeoutMs;
  for (;;) {
    const reason = lifetime.endedBecause();
    if (reason !== undefined) {
      throw new DatabaseError(`${reason} before it listened; ${tailServerLog(options.logFile)}`);
    }
    const port = options.listening.exec(readFileSync(options.logFile, 'utf8'))?.[1];
    if (port !== undefined) {
      return Number(port);
    }
    if (Date.now() > deadline) {
      throw new DatabaseError(
        `${options.name} did not listen within ${options.startTimeoutMs / 1000} s; ${tailServerLog(options.logFile)}`,
      );
    }
    await sleep(POLL_MS);
  }
}
