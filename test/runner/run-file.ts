import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BufferedConsole, CustomConsole, getConsoleOutput, NullConsole } from '@jest/console';
import { jestExpect } from '@jest/expect';
import type { TestResult } from '@jest/test-result';
import type { Circus } from '@jest/types';
import { getState, resetState, run } from 'jest-circus';
import { runAsFile, settle, takeLateErrors } from './errors.ts';
import { prepareGlobals, restoreGlobals } from './globals.ts';
import { type ProcessState, readProcessState, restoreProcessState, withModules } from './leaks.ts';
import type { Order, Provisions } from './protocol.ts';
import { provide } from './provisions.ts';
import { toTestResult } from './results.ts';
import { withoutStack } from './stacks.ts';

/** The times that the current file's project gives. */
let provided: Pick<Provisions, 'timeoutMs' | 'hookTimeoutMs'>;

type TestConsole = BufferedConsole | CustomConsole | NullConsole;

/**
 * Runs one test file in this process.
 * @throws the error of the file while it is imported, and when that does not end within a test's time
 */
export function runFile(order: Order): Promise<TestResult> {
  return runAsFile(order.path, async () => {
    const outer = globalThis.console;
    const testConsole = consoleFor(order);
    const start = Date.now();
    let before = readProcessState();
    globalThis.console = testConsole;
    try {
      prepare(order);
      await importFile(order);
      before = withModules(before);
      const result = await runTests(order, before);
      return { ...result, ...measure(result, order, start), ...outputOf(testConsole) };
    } finally {
      restoreGlobals();
      restoreProcessState(before);
      globalThis.console = outer;
    }
  });
}

/** For circus: a hook that says nothing else, in a file that says nothing else by `jest.setTimeout`, has its project's time. */
export function limitHook(event: Circus.Event, { testTimeout }: Circus.State): void {
  if (event.name === 'hook_start' && testTimeout === provided.timeoutMs) {
    event.hook.timeout ??= provided.hookTimeoutMs;
  }
}

function prepare({ config, globalConfig, path, provisions }: Order): void {
  provide(provisions);
  prepareGlobals(config);
  resetState();
  const state = getState();
  // --testTimeout comes first.
  provided = provisions;
  state.testTimeout = globalConfig.testTimeout ?? provisions.timeoutMs;
  state.maxConcurrency = globalConfig.maxConcurrency;
  state.expand = globalConfig.expand;
  state.testNamePattern = globalConfig.testNamePattern ? new RegExp(globalConfig.testNamePattern, 'i') : null;
  jestExpect.setState({ expand: globalConfig.expand, testPath: path });
}

async function importFile({ compiled, config }: Order): Promise<void> {
  const { testTimeout } = getState();
  const given = new AbortController();
  const imports = (async () => {
    for (const file of [...config.setupFiles, compiled]) {
      await import(pathToFileURL(file).href);
    }
    return true;
  })();
  const timeout = setTimeout(testTimeout, false, { signal: given.signal }).catch(() => false);
  const imported = await Promise.race([imports, timeout]);
  given.abort();
  if (!imported) {
    throw withoutStack(
      `The file was not imported within ${testTimeout} ms: an await at its top level never ends`,
    );
  }
}

/** Runs what the file has defined; what it has left out, and what it has left behind, is an error of the file. */
async function runTests(order: Order, before: ProcessState): Promise<TestResult> {
  const { hasFocusedTests } = getState();
  const ended = await run();
  restoreGlobals();
  const left = restoreProcessState(before);
  await settle();
  const errors = takeLateErrors();
  if (left.length > 0) {
    errors.push(withoutStack(`This file leaves behind, for the files that run after it: ${left.join(', ')}`));
  }
  if (hasFocusedTests) {
    errors.push(withoutStack('This file ran its tests with `.only` alone: to run some tests, use -t'));
  }
  return toTestResult(
    {
      ...ended,
      unhandledErrors: [...ended.unhandledErrors, ...errors.map(({ stack, message }) => stack ?? message)],
      unhandledErrorsDetailed: [...ended.unhandledErrorsDetailed, ...errors],
    },
    order,
  );
}

function measure({ perfStats }: TestResult, { config, globalConfig }: Order, start: number) {
  const end = Date.now();
  const runtime = end - start;
  return {
    perfStats: { ...perfStats, start, end, runtime, slow: runtime / 1_000 > config.slowTestThreshold },
    ...(globalConfig.logHeapUsage && { memoryUsage: process.memoryUsage().heapUsed }),
  };
}

/** As Jest has it: with `--verbose` at once, otherwise with the file's result. */
function consoleFor({ config, globalConfig }: Order): TestConsole {
  const { stdout, stderr } = process;
  if (config.silent ?? globalConfig.silent) {
    return new NullConsole(stdout, stderr);
  }
  if (config.verbose ?? globalConfig.verbose) {
    return new CustomConsole(stdout, stderr, (type, message) =>
      getConsoleOutput(BufferedConsole.write([], type, message, 4), config, globalConfig),
    );
  }
  return new BufferedConsole();
}

function outputOf(testConsole: TestConsole) {
  const output = testConsole.getBuffer();
  return output === undefined ? {} : { console: output };
}
