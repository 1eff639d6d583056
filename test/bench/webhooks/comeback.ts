import { setTimeout as delay } from 'node:timers/promises';
import { judge } from '../compare.ts';
import { type Stand, say } from '../stand.ts';
import type { Answered } from './receiver-words.ts';
import { type BenchScene, openScene, SWEEP_MS, untilAccepted } from './scene.ts';

const AWAY_MS = 5_000;
const LONGEST_MS = 30 * 60_000;
const PAUSE_GOAL_MS = 1_000;
/** As `webhooks.ts` has it: what one endpoint may have under way. */
const CONCURRENCY = 48;

/** An endpoint that was away for an hour comes back to what has gathered meanwhile. */
export async function measureComeback(stand: Stand, backlog: number): Promise<void> {
  say(`\n(d) An endpoint that comes back after an hour with ${backlog} pending`);
  const scene = await openScene(stand);
  try {
    await scene.fill(backlog, () => scene.delivery('/back', 'returning/sandbox'));
    await measure(scene, backlog);
  } finally {
    await scene.close();
  }
}

async function measure(scene: BenchScene, backlog: number): Promise<void> {
  const worker = await scene.startWorker();
  worker.order({ kind: 'work', aheadMs: 0, sweepMs: SWEEP_MS });
  await delay(AWAY_MS);
  const openedAt = performance.timeOrigin + performance.now();
  scene.receiver.open();
  const isDone = await untilAccepted(scene, backlog, LONGEST_MS);
  const { answered, most } = await scene.receiver.take();
  const failed = answered.filter(({ status }) => status !== 204).length;
  const times = answered.filter(({ status }) => status === 204).map(({ at }) => at);
  const first = times[0] ?? Number.NaN;
  // Until all that had not failed is delivered: what has failed waits for its time.
  const untilAt = times[times.length - failed - 1] ?? Number.NaN;
  const pause = longestPause(answered, untilAt);
  const rate = (times.length - failed) / ((untilAt - first) / 1000);
  say(
    `While it was away ${failed} attempts failed. The first delivery came ${ms(first - openedAt)} after it was back.`,
  );
  say(
    `From there ${rate.toFixed(0)} a second; the longest pause was ${ms(pause)}, at most ${most.back ?? 0} at once.`,
  );
  say(`The last came ${ms((times.at(-1) ?? Number.NaN) - openedAt)} after it was back.`);
  const isMet = isDone && pause <= PAUSE_GOAL_MS && (most.back ?? 0) <= CONCURRENCY;
  say(`Goal: no pause above ${PAUSE_GOAL_MS} ms, ${CONCURRENCY} at once: ${judge.verdict(isMet)}`);
}

function longestPause(answered: readonly Answered[], untilAt: number): number {
  const times = answered.filter(({ status, at }) => status === 204 && at <= untilAt).map(({ at }) => at);
  return Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
