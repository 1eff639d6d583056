import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import type { Provisions } from './protocol.ts';

/** The variables by which tests and the product find a store that is there. */
const STORE_VARIABLES = ['TEST_MONGODB_URI', 'TEST_STORE_IS_TEMPORARY', 'MONGODB_URI'];
const SYNCHRONOUS = ['spawnSync', 'execSync', 'execFileSync'] as const;
/** All others start by it. */
const asynchronous = childProcess.ChildProcess.prototype as unknown as { spawn: Starts };

type Starts = (...args: never[]) => unknown;

/** Started by test files, and perhaps left by one that has failed. */
const children = new Set<ChildProcess>();
let mayStartProcesses = true;

/** Called for a process that was started, or that has ended. */
type Follow = (pid: number, isRunning: boolean) => void;

/**
 * Once in a worker: from here on {@link provide} decides whether processes can be started, and none that is started
 * outlives the worker, if it ends by itself. `follow` receives them, for when it does not.
 */
export function guardProcesses(follow: Follow): void {
  asynchronous.spawn = followed(guarded(asynchronous.spawn), follow);
  process.on('exit', () => {
    for (const child of children) {
      child.kill('SIGKILL');
    }
  });
  for (const name of SYNCHRONOUS) {
    Reflect.set(childProcess, name, guarded(childProcess[name]));
  }
  syncBuiltinESMExports();
}

/** Before a test file: it gets what its project provides, and nothing else. */
export function provide({ store, processes }: Provisions): void {
  mayStartProcesses = processes;
  if (!store) {
    for (const name of STORE_VARIABLES) {
      delete process.env[name];
    }
  }
}

function guarded(start: Starts): Starts {
  return function (this: unknown, ...args) {
    if (!mayStartProcesses) {
      throw new Error(
        'This test file starts a process, but is not of the project `process`: ' +
          'say @starts-processes in a comment at its top (test/README.md).',
      );
    }
    return start.apply(this, args);
  };
}

function followed(start: Starts, follow: Follow): Starts {
  return function (this: ChildProcess, ...args) {
    const started = start.apply(this, args);
    const { pid } = this;
    if (pid !== undefined) {
      children.add(this);
      follow(pid, true);
      this.once('exit', () => {
        children.delete(this);
        follow(pid, false);
      });
    }
    return started;
  };
}
