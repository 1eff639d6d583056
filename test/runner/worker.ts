// The program of a worker process: runs test files, one after another, as its parent sends them.
// Loaded before any test file: Node's servers keep the timers that they find when they are loaded, and a file may have fake ones.
import 'node:http';
import 'node:http2';
import 'node:https';
import module, { type ResolveHook } from 'node:module';
import type { SerializableError } from '@jest/test-result';
import { addEventHandler } from 'jest-circus';
import { catchErrors, failUnhandled, settle, takeLateErrors } from './errors.ts';
import { resolve } from './hooks.ts';
import type { FromWorker, Order, ToWorker } from './protocol.ts';
import { guardProcesses } from './provisions.ts';
import { countAssertions } from './results.ts';
import { limitHook, runFile } from './run-file.ts';
import { tidy } from './stacks.ts';

const HEARTBEAT_MS = 1_000;

// As in Jest: a failure deep in a library still shows the test that has called it.
Error.stackTraceLimit = 100;
registerHooks();
guardProcesses((pid, isRunning) => void send({ kind: 'child', pid, isRunning }));
catchErrors();
addEventHandler(countAssertions);
addEventHandler(failUnhandled);
addEventHandler(limitHook);
setInterval(() => send({ kind: 'alive' }), HEARTBEAT_MS).unref();
process.once('disconnect', () => process.exit());
process.on('message', (message: ToWorker) => {
  void (message.kind === 'run' ? runOrder(message) : end());
});

/** Node 26 deprecates the hooks of a thread of their own; Node 20 has no others. */
function registerHooks(): void {
  const inThread: ((hooks: { readonly resolve: ResolveHook }) => void) | undefined = Reflect.get(
    module,
    'registerHooks',
  );
  if (inThread) {
    inThread({ resolve });
  } else {
    module.register('./hooks.js', import.meta.url);
  }
}

async function runOrder(order: Order): Promise<void> {
  try {
    const result = await runFile(order);
    await send({ kind: 'result', result, rss: process.memoryUsage.rss() });
  } catch (error) {
    await send({ kind: 'failure', error: toSerializable(error) });
  }
}

async function end(): Promise<void> {
  await settle();
  await send({ kind: 'ended', errors: takeLateErrors().map(({ stack, message }) => stack ?? message) });
  process.exit();
}

function send(message: FromWorker): Promise<void> {
  return new Promise((sent) => {
    process.send?.(message, undefined, undefined, () => sent());
  });
}

function toSerializable(error: unknown): SerializableError {
  if (error instanceof Error) {
    const { message, stack } = tidy(error);
    return { message, stack, type: error.name };
  }
  return { message: `thrown: ${error}`, stack: `thrown: ${error}` };
}
