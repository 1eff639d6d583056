import { pause } from '../../kernel/abort.ts';
import { outsideCalls } from '../../kernel/outside-calls.ts';
import type { Outage } from './outage.ts';
import { createPacing } from './pacing.ts';

/** Repeats a step until it is stopped: at once, after a wait, or after longer and longer waits while it throws. */
export interface Loop {
  /** Does nothing when it runs already. */
  start(): void;
  /**
   * Cuts the present wait short, as soon as the pacing allows; a step that is running is followed by another. Not wake
   * while the step throws.
   */
  wake(): void;
  /** Calls back when the step that runs now has ended, whatever came of it, or soon when none does. It does not throw. */
  afterStep(listener: () => void): void;
  /** Resolves when the running step has ended, or after 2 s when the database leaves it hanging. */
  stop(): Promise<void>;
}

interface LoopDeps {
  /**
   * @param signal aborted when the loop was stopped; a step that hung past that must not take hold of anything more
   * @returns how many milliseconds to wait before the next step, 0 for none
   */
  step(signal: AbortSignal): Promise<number>;
  outage: Outage;
}

const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
/** Work that waits for a missing database delays the end of the process by at most this time. */
const STOP_WITHIN_MS = 2_000;

/** Factor by which a reader polls less often while a change stream notifies it. */
const POLLS_WHILE_LISTENING = 4;

/** As the time to the next step: only a wake signal brings it. The longest time that a timer takes, 24 days. */
export const NO_POLL_MS = 2 ** 31 - 1;

/** Time until the next poll, in milliseconds; longer while a change stream notifies the reader promptly. */
export function untilNextLook(pollMs: number, { isPrompt }: { isPrompt(): boolean }): number {
  return isPrompt() ? POLLS_WHILE_LISTENING * pollMs : pollMs;
}

/** How long to wait after the nth failure in a row, n from 1: 100 ms, doubling, 5 s at most. */
export function backoff(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
}

/** Waits for the work, but not longer than a stop may take; the work goes on then. */
export async function withinStop(work: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, pause(STOP_WITHIN_MS, over.signal)]);
  over.abort();
}

export function createLoop(deps: LoopDeps): Loop {
  let stopping: AbortController | undefined;
  let running: Promise<void> = Promise.resolve();
  let wakeSignal = createWakeSignal();
  let stepping: Promise<unknown> = Promise.resolve();
  const step = (signal: AbortSignal) => {
    const begun = deps.step(signal);
    stepping = begun.catch(() => undefined);
    return begun;
  };
  return {
    start: () => {
      if (stopping === undefined) {
        stopping = new AbortController();
        wakeSignal = createWakeSignal();
        const { signal } = stopping;
        running = outsideCalls(() => run({ ...deps, step }, wakeSignal, signal));
      }
    },
    wake: () => wakeSignal.send(),
    afterStep: (listener) => void stepping.then(listener),
    stop: async () => {
      stopping?.abort();
      stopping = undefined;
      wakeSignal.send();
      await withinStop(running);
    },
  };
}

async function run({ step, outage }: LoopDeps, wakeSignal: WakeSignal, signal: AbortSignal): Promise<void> {
  const pacing = createPacing();
  let failures = 0;
  let nextWoken = 0;
  while (!signal.aborted) {
    try {
      wakeSignal.clear();
      const waitMs = await step(signal);
      failures = 0;
      outage.over(signal);
      const isWoken = await wakeSignal.wait(waitMs);
      if (isWoken && waitMs > 0) {
        await pause(Math.max(0, nextWoken - performance.now()), signal);
        nextWoken = performance.now() + pacing.count();
      }
    } catch (error) {
      failures += 1;
      if (!signal.aborted) {
        outage.noticed(signal, error);
      }
      await pause(backoff(failures), signal);
    }
  }
  outage.over(signal);
}

/** Remembers a wake signal for which nobody waited. */
interface WakeSignal {
  send(): void;
  clear(): void;
  /** @returns whether it was wake within the time */
  wait(ms: number): Promise<boolean>;
}

function createWakeSignal(): WakeSignal {
  let isSent = false;
  let wake: (() => void) | undefined;
  return {
    send: () => {
      isSent = true;
      wake?.();
    },
    clear: () => {
      isSent = false;
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          wake = undefined;
          resolve(isSent);
        };
        // Takes a turn of the event loop even without a wait, so that a long backlog does not starve the process.
        const timer = setTimeout(end, isSent ? 0 : ms);
        wake = end;
      }),
  };
}
