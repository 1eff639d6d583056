import { setTimeout as delay } from 'node:timers/promises';
import { unlessAborted } from '../../../subgraphs/kernel/abort.ts';
import { redactText } from '../../../subgraphs/kernel/database/uri.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { type Check, NotTried } from './check.ts';
import type { KnownDifference } from './dev-store-differences.ts';
import type { Scratch } from './scratch.ts';

/** The result of one check. */
export interface CheckResult {
  /** Name of the check. */
  readonly check: string;
  /**
   * `known`: a listed difference of the development store. `skipped`: it could not be tried. A difference that is listed and is not
   * there is `different`, too.
   */
  readonly result: 'ok' | 'different' | 'known' | 'skipped';
  /** For people. */
  readonly detail: string;
  readonly ms: number;
}

const CHECK_MS = 120_000;
/** How long an aborted check may take to close what it has opened. */
const CLOSE_MS = 30_000;

/**
 * Makes a check. It never throws but for an abort; then it first waits until the check has closed what it has opened.
 * @throws the signal's reason
 */
export async function makeCheck(check: Check, scratch: Scratch, signal: AbortSignal): Promise<CheckResult> {
  const began = performance.now();
  const { limitMs = CHECK_MS } = check;
  const timeUp = AbortSignal.timeout(limitMs);
  const ended = (result: CheckResult['result'], detail: string): CheckResult => ({
    check: check.name,
    result,
    detail: redactText(detail, scratch.uri),
    ms: Math.round(performance.now() - began),
  });
  let running: Promise<unknown> = Promise.resolve();
  try {
    const done = await unlessAborted(AbortSignal.any([timeUp, signal]), () => {
      const work = check.run(scratch);
      running = work;
      return work;
    });
    if (done.aborted) {
      await Promise.race([Promise.allSettled([running]), delay(CLOSE_MS, undefined, { ref: false })]);
    }
    signal.throwIfAborted();
    return done.aborted
      ? ended('different', `It did not end within ${limitMs / 1000} s`)
      : ended('ok', done.value);
  } catch (error) {
    signal.throwIfAborted();
    return ended(error instanceof NotTried ? 'skipped' : 'different', messageOf(error));
  }
}

/** Applies the list of known differences to a result. */
export function applyKnown(result: CheckResult, known: readonly KnownDifference[]): CheckResult {
  const entry = known.find(({ check }) => check === result.check);
  if (entry === undefined) {
    return result;
  }
  if (result.result === 'different') {
    return { ...result, result: 'known', detail: `${entry.difference} The product: ${entry.workaround}` };
  }
  return result.result === 'ok' && !entry.sometimes
    ? {
        ...result,
        result: 'different',
        detail: `The list of known differences has this one, but it is not there: remove it from dev-store-differences.ts. (${result.detail})`,
      }
    : result;
}
