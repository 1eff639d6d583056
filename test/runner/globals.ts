// Stands in for `@jest/globals` in the worker processes: hooks.ts resolves that name to this module.
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const mocker = new ModuleMocker(globalThis);
let fakeTimers: ModernFakeTimers | undefined;

export const expect = jestExpect;

const provided = {
  fn: mocker.fn.bind(mocker),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (config?: Config.FakeTimersConfig) => {
    timers().useFakeTimers(config);
    return jest;
  },
  useRealTimers: () => {
    timers().useRealTimers();
    return jest;
  },
  advanceTimersByTime: (ms: number) => timers().advanceTimersByTime(ms),
  setTimeout: (ms: number) => {
    Reflect.set(globalThis, TIMEOUT, ms);
    return jest;
  },
};

/** The part of Jest's `jest` that works where test files share their modules. */
export const jest: typeof provided = new Proxy(provided, {
  get(target, name) {
    if (!Reflect.has(target, name)) {
      throw new Error(
        `jest.${String(name)} is not there: test files share their modules. test/runner/globals.ts has what is.`,
      );
    }
    return Reflect.get(target, name);
  },
});

/** Before a test file: its project's settings, and its own time-out, are the next one's no more. */
export function prepareGlobals(config: Config.ProjectConfig): void {
  fakeTimers = new ModernFakeTimers({ config, global: globalThis });
  Reflect.deleteProperty(globalThis, TIMEOUT);
}

/** After a test file: real timers, no spies. */
export function restoreGlobals(): void {
  fakeTimers?.dispose();
  mocker.restoreAllMocks();
}

function timers(): ModernFakeTimers {
  if (fakeTimers === undefined) {
    throw new Error('Timers are a test file’s: none runs');
  }
  return fakeTimers;
}
