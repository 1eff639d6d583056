import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const MAIN = resolve('dist/bin/server.js');
const START_TIMEOUT_MS = 180_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of the product as `npm run build` made it. */
export interface ProductProcess {
  readonly pid: number;
  /** Its output so far, both streams in the order in which they came. */
  output(): string;
  readonly exited: Promise<Exit>;
  /** The exit, or undefined while it runs. */
  exit(): Exit | undefined;
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
}

/** A server that is ready to answer. */
export interface ServerProcess extends ProductProcess {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
}

/** Runs a program of the build with exactly this environment, besides `PATH` and `HOME`. */
export function runProduct(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ProductProcess {
  if (!existsSync(program)) {
    throw new Error(`${program} is not there: run npm run build`);
  }
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return follow(child);
}

/**
 * Starts the server on a free port and waits until `/health/ready` says so.
 * @param program the program that starts it, and its arguments; by default the bundle
 * @throws with its output when it ends first
 */
export async function startServerProcess(
  env: Readonly<Record<string, string>>,
  [program, ...args]: readonly [string, ...string[]] = [MAIN],
): Promise<ServerProcess> {
  const started = runProduct(program, args, { PORT: '0', ...env });
  try {
    const url = await waitForUrl(started);
    return { ...started, url };
  } catch (error) {
    await started.kill('SIGKILL');
    throw error;
  }
}

/** Lines of a process's output that report an internal error. */
export function issuesIn(output: string): string[] {
  return output.split('\n').filter((line) => /"level":"(error|fatal)"|Unhandled|Warning:/.test(line));
}

/** A start that is expected to fail: runs until the end. */
export async function failToStart(
  env: Readonly<Record<string, string>>,
): Promise<Exit & { readonly output: string }> {
  const started = runProduct(MAIN, [], { PORT: '0', ...env });
  const timer = setTimeout(() => started.kill('SIGKILL'), START_TIMEOUT_MS);
  const exit = await started.exited;
  clearTimeout(timer);
  return { ...exit, output: started.output() };
}

function follow(child: ChildProcess): ProductProcess {
  let output = '';
  let exit: Exit | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = new Promise<Exit>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => {
      exit = { code, signal };
      done(exit);
    });
  });
  return {
    pid: Number(child.pid),
    output: () => output,
    exited,
    exit: () => exit,
    kill: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

async function waitForUrl(server: ProductProcess): Promise<string> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const exit = server.exit();
    if (exit) {
      throw new Error(
        `The server ended (${exit.code ?? exit.signal}) before it was ready:\n${server.output()}`,
      );
    }
    const url = /"url":"(http:[^"]+)","msg":"server\.listening"/.exec(server.output())?.[1];
    if (url !== undefined && (await isReady(url))) {
      return url;
    }
    await new Promise((wait) => setTimeout(wait, 25));
  }
  throw new Error(`The server was not ready within ${START_TIMEOUT_MS} ms:\n${server.output()}`);
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}
