import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** A command that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A command that goes on. */
export interface Started {
  /** Its output so far, on both outputs. */
  output(): string;
  /** Waits until it prints something. @throws when it ends before, or does not in time */
  ready(pattern: RegExp, ms: number): Promise<void>;
  /** Presses Ctrl-C, and waits for the end. */
  stop(): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

const RUN_MS = 15 * 60_000;
const STOP_MS = 60_000;

/** Starts a command line in a shell, in a process group of its own. */
export function start(command: string, cwd: string, env: NodeJS.ProcessEnv): Started {
  // It stays for the end of the command: a shell that Ctrl-C ended, too, would hide how the command ends.
  const child = spawn('bash', ['-c', `trap : INT\n${command}`], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let isOver = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      isOver = true;
      resolve({ code, output });
    });
  });
  return {
    output: () => output,
    ended,
    ready: async (pattern, ms) => {
      const deadline = Date.now() + ms;
      while (!pattern.test(output)) {
        if (isOver || Date.now() > deadline) {
          throw new Error(`${command} ${isOver ? 'has ended' : 'is not ready'}:\n${output}`);
        }
        await delay(100);
      }
    },
    stop: async () => {
      signal(child, 'SIGINT', isOver);
      const timer = setTimeout(() => signal(child, 'SIGKILL', isOver), STOP_MS);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}

/** Runs a command line to its end; one that takes too long is killed. */
export async function run(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const started = start(`set -e\n${command}`, cwd, env);
  const timer = setTimeout(() => void started.stop(), RUN_MS);
  return started.ended.finally(() => clearTimeout(timer));
}

/** To the whole group, as a terminal does. */
function signal(child: ChildProcess, name: NodeJS.Signals, isOver: boolean): void {
  if (!isOver && child.pid !== undefined) {
    process.kill(-child.pid, name);
  }
}
