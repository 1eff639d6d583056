import { getState } from 'jest-circus';
import { describeLoad } from '../runner/pace.ts';

const LEAST_MS = 45_000;
/** Of a test's time: what fails is to say what it has waited for, before the test is over. */
const SHARE = 0.75;
const PAUSE_MS = 10;
/** Of the time waited so far: many conditions query the database, which also has to do the work that is waited for. */
const PAUSE_SHARE = 0.1;
const LONGEST_PAUSE_MS = 100;

/** How long the running test may wait for something, milliseconds. */
export function patienceMs(): number {
  const { currentlyRunningTest, testTimeout } = getState();
  return Math.max(LEAST_MS, SHARE * (currentlyRunningTest?.timeout ?? testTimeout));
}

/**
 * Waits until the condition holds: 45 seconds, in tests that are given more time three quarters of it.
 * @throws when that is over, naming what was waited for
 */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const within = patienceMs();
  const started = Date.now();
  while (!(await condition())) {
    const waited = Date.now() - started;
    if (waited > within) {
      throw new Error(`Waited ${within} ms in vain: ${what} (${describeLoad()})`);
    }
    const pause = Math.min(Math.max(PAUSE_MS, PAUSE_SHARE * waited), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
