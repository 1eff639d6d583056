import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SerializableError, Test, TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import { extract, parse } from 'jest-docblock';
import type {
  CallbackTestRunnerInterface,
  OnTestFailure,
  OnTestStart,
  OnTestSuccess,
  TestRunnerOptions,
  TestWatcher,
} from 'jest-runner';
import { paceOf } from './pace.ts';
import { type Order, type Provisions, STORES, type WorkerStores } from './protocol.ts';
import { type Outcome, startWorker, type WorkerProcess } from './worker-process.ts';

/** In the comment at the top of a test file that cannot share a process with others. */
const OWN_PROCESS = 'own-process';

interface Run {
  /** Tests that have not begun. */
  readonly queue: Test[];
  readonly watcher: TestWatcher;
  readonly onStart: OnTestStart;
  readonly onResult: OnTestSuccess;
  readonly onFailure: OnTestFailure;
  /** A browser takes both processors of a small machine: the files with one run one after the other. */
  readonly browser: Turn;
}

/** Something that one worker has at a time. */
interface Turn {
  /** @returns whether it was free, and is the caller's now */
  take(): boolean;
  release(): void;
  /** Until it is free. */
  wait(): Promise<void>;
}

/**
 * Jest's `runner` for this project: runs the compiled test files in plain Node, many in one process, where their modules
 * are loaded once. Jest's own runner loads every module anew for each file.
 */
export default class SharedProcessRunner implements CallbackTestRunnerInterface {
  readonly supportsEventEmitters = false;
  readonly #globalConfig: Config.GlobalConfig;

  constructor(globalConfig: Config.GlobalConfig) {
    if (globalConfig.collectCoverage || globalConfig.detectLeaks) {
      throw new Error('Coverage and leak detection need Jest’s own runner; see test/README.md');
    }
    this.#globalConfig = globalConfig;
  }

  async runTests(
    tests: Test[],
    watcher: TestWatcher,
    onStart: OnTestStart,
    onResult: OnTestSuccess,
    onFailure: OnTestFailure,
    { serial }: TestRunnerOptions,
  ): Promise<void> {
    const run: Run = { queue: [...tests], watcher, onStart, onResult, onFailure, browser: createTurn() };
    const workers = serial ? 1 : Math.min(this.#globalConfig.maxWorkers, tests.length);
    await Promise.all(Array.from({ length: workers }, (_, index) => this.#work(run, index + 1)));
  }

  /** Takes one test after another, in a process that is replaced when it is not fit for the next. */
  async #work(run: Run, id: number): Promise<void> {
    let worker: WorkerProcess | undefined;
    for (let test = await next(run); test && !run.watcher.isInterrupted(); test = await next(run)) {
      await run.onStart(test);
      const alone = wantsOwnProcess(test.path);
      if (alone || worker?.isFit() === false) {
        await endWorker(worker);
        worker = undefined;
      }
      worker ??= startWorker(id, await findStore(id));
      const outcome = await worker.run(this.#orderFor(test));
      if (usesBrowser(test.path)) {
        run.browser.release();
      }
      await report(run, test, outcome);
      if (alone) {
        await endWorker(worker);
        worker = undefined;
      }
    }
    await endWorker(worker);
  }

  #orderFor({ path, context: { config } }: Test): Order {
    return {
      kind: 'run',
      path,
      compiled: join(config.rootDir, 'dist', relative(config.rootDir, path)).replace(/\.ts$/, '.js'),
      config,
      globalConfig: this.#globalConfig,
      provisions: atPace(config.testEnvironmentOptions as unknown as Provisions),
    };
  }
}

/** Where the worker's files find their store; nothing where no file of the run needs one. */
async function findStore(id: number): Promise<NodeJS.ProcessEnv> {
  const stores: WorkerStores | undefined = Reflect.get(globalThis, STORES);
  return (await stores?.variablesFor(id)) ?? {};
}

/** The next test: one with a browser only while no other has one. */
async function next({ queue, browser }: Run): Promise<Test | undefined> {
  for (;;) {
    const index = queue.findIndex(({ path }) => !usesBrowser(path) || browser.take());
    if (index >= 0 || queue.length === 0) {
      return queue.splice(index, 1)[0];
    }
    await browser.wait();
  }
}

function createTurn(): Turn {
  let free: Promise<void> | undefined;
  let release: () => void = () => undefined;
  return {
    take: () => {
      if (free) {
        return false;
      }
      free = new Promise((resolve) => {
        release = resolve;
      });
      return true;
    },
    release: () => {
      free = undefined;
      release();
    },
    wait: async () => free,
  };
}

function usesBrowser(path: string): boolean {
  return /support\/(?:browser|console-stage)\.ts'/.test(readFileSync(path, 'utf8'));
}

/** Limits of time follow the machine. */
function atPace(provisions: Provisions): Provisions {
  const { timeoutMs, hookTimeoutMs, silenceMs } = provisions;
  const pace = provisions.followsPace ? paceOf() : 1;
  return {
    ...provisions,
    timeoutMs: timeoutMs * pace,
    hookTimeoutMs: hookTimeoutMs * pace,
    silenceMs: silenceMs * pace,
  };
}

function wantsOwnProcess(path: string): boolean {
  return OWN_PROCESS in parse(extract(readFileSync(path, 'utf8')));
}

function report(run: Run, test: Test, outcome: Outcome): Promise<void> {
  return 'result' in outcome
    ? run.onResult(test, outcome.result satisfies TestResult)
    : run.onFailure(test, outcome.error satisfies SerializableError);
}

/** A failure that came too late for any result still fails the run. */
async function endWorker(worker: WorkerProcess | undefined): Promise<void> {
  const errors = (await worker?.end()) ?? [];
  if (errors.length > 0) {
    process.stderr.write(`${errors.join('\n')}\n`);
    process.exitCode = 1;
  }
}
