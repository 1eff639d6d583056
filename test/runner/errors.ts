import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Circus } from '@jest/types';
import { getState } from 'jest-circus';

/** A test file while it runs; what it starts belongs to it also when it has ended. */
interface RunningFile {
  readonly path: string;
}

interface Rejection {
  readonly error: unknown;
  readonly file: RunningFile | undefined;
  readonly test: Circus.TestEntry | undefined;
}

/** The moments at which what a test or hook has begun and not awaited is its own still. */
const ENDS = new Set(['hook_success', 'hook_failure', 'test_fn_success', 'test_fn_failure', 'run_finish']);

const context = new AsyncLocalStorage<RunningFile>();
/** Rejected promises that nobody has handled yet. */
const rejections = new Map<Promise<unknown>, Rejection>();
/** Errors of files that had ended. */
const late: Error[] = [];
let running: RunningFile | undefined;

/** Once in a worker: from here on no uncaught error and no unhandled rejection ends the process, or is lost. */
export function catchErrors(): void {
  process.on('uncaughtException', (error) => {
    report({ error, file: context.getStore(), test: currentTest() });
  });
  process.on('unhandledRejection', (error, promise) => {
    rejections.set(promise, { error, file: context.getStore(), test: currentTest() });
  });
  process.on('rejectionHandled', (promise) => {
    rejections.delete(promise);
  });
}

/** Runs a test file; what it throws outside its own tests and hooks, also afterwards, is known for its own. */
export async function runAsFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  const file = { path };
  running = file;
  try {
    return await context.run(file, work);
  } finally {
    running = undefined;
  }
}

/** For circus: after each test and each hook, the rejections that nobody has handled fail it. */
export async function failUnhandled(event: Circus.Event): Promise<void> {
  if (ENDS.has(event.name)) {
    await settle();
  }
}

/** Gives errors on their way a turn of the event loop to arrive, and reports what is unhandled by then. */
export async function settle(): Promise<void> {
  await setImmediate();
  const unhandled = [...rejections.values()];
  rejections.clear();
  unhandled.forEach(report);
}

/** Errors of files that had ended when they came, since the last call. */
export function takeLateErrors(): Error[] {
  return late.splice(0);
}

/** To the test that ran, else to the file, else to those who come after it. */
function report({ error, file, test }: Rejection): void {
  if (running === undefined || (file !== undefined && file !== running)) {
    late.push(lateError(error, file));
  } else if (test) {
    test.errors.push(test.asyncError === undefined ? error : [error, test.asyncError]);
  } else {
    getState().unhandledErrors.push(error as Circus.Exception);
  }
}

function lateError(cause: unknown, file: RunningFile | undefined): Error {
  const path = file?.path ?? 'a test file';
  const error = new Error(`${path} had ended when this came of it: ${cause}`, { cause });
  // The place where it was thrown says more than the place where it was noticed.
  error.stack = `${error.message}\n${cause instanceof Error ? cause.stack : ''}`;
  return error;
}

function currentTest(): Circus.TestEntry | undefined {
  return getState().currentlyRunningTest ?? undefined;
}
