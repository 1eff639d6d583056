import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** A server under load: a process whose output nobody reads. */
export interface LoadedServer {
  readonly url: string;
  readonly pid: number;
  /** Memory that it holds, in MiB; `NaN` where the system does not report it (Linux does). */
  residentMiB(): number;
  /** Processor time that it has used, in milliseconds, to the nearest 10; `NaN` where the system does not report it. */
  processorMs(): number;
  stop(): Promise<void>;
}

/** A program to be started on a port of its own. */
export interface Program {
  /** Default: this Node. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: this process's. */
  readonly cwd?: string;
  /** Path that answers anything below 500 once the server is ready. */
  readonly readyPath: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Receives what the program sends by IPC. */
  readonly onMessage?: (message: unknown) => void;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/** Starts a program of the build on a free port, given as `PORT`, and waits until `path` answers anything at all. */
export function startLoaded(
  program: string,
  env: Readonly<Record<string, string>>,
  path: string,
): Promise<LoadedServer> {
  return startProgram({ args: [program], env, readyPath: path });
}

/** Starts a program; its port is in its environment as `PORT`. @throws when it does not get ready */
export async function startProgram(program: Program): Promise<LoadedServer> {
  const url = `http://127.0.0.1:${program.port ?? (await freePort())}`;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program.command ?? process.execPath, program.args, {
    env: { PATH, HOME, PORT: new URL(url).port, ...program.env },
    stdio: ['ignore', 'ignore', 'inherit', ...(program.onMessage ? (['ipc'] as const) : [])],
    ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
  });
  child.on('message', (message) => program.onMessage?.(message));
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(`${url}${program.readyPath}`))) {
    if (child.pid === undefined || child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${program.args[0] ?? program.command} did not start`);
    }
    await new Promise((wait) => setTimeout(wait, 50));
  }
  return {
    url,
    pid: Number(child.pid),
    residentMiB: () => residentMiB(child.pid),
    processorMs: () => processorMs(child.pid),
    stop,
  };
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response !== undefined && response.status < 500;
}

/** A file of the process in `/proc`; empty where there is none: not Linux, or the process is gone. */
function readProc(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Memory that a process of this machine holds, in MiB; `NaN` where it is not known. */
export function residentMiB(pid: number | undefined): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1];
  return Number(kib ?? Number.NaN) / 1024;
}

/** Processor time that a process of this machine has used, in milliseconds, to the nearest 10; `NaN` where it is not known. */
export function processorMs(pid: number | undefined): number {
  // The fields after the name, which is in parentheses: user and system time are the 12th and 13th, in ticks of 10 ms.
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN)) * 10;
}

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
