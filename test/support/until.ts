import { getState } from 'jest-circus';

const LEAST_MS = 45_000;
/** Of a test's time: what fails is to say what it has waited for, before the test is over. */
const SHARE = 0.75;
const PAUSE_MS = 10;

/**
 * Waits until the condition holds: 45 seconds, in tests that are given more time three quarters of it.
 * @throws when that is over, naming what was waited for
 */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const { currentlyRunningTest, testTimeout } = getState();
  const within = Math.max(LEAST_MS, SHARE * (currentlyRunningTest?.timeout ?? testTimeout));
  const deadline = Date.now() + within;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Waited ${within} ms in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
