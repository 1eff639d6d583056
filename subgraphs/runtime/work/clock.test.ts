import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createJobs, createTestWorker, createVirtualTime, type Job, type VirtualTime } from './testing.ts';

const SWEEP_MS = 30_000;
const HOUR_MS = 3_600_000;
/** All commands of a sweep and of a claim, in these tests. */
const COMMANDS_MS = 500;

interface Began {
  readonly id: string;
  readonly at: number;
}

interface Scenario {
  /** When each job is due, milliseconds. */
  readonly dueAt: readonly number[];
  readonly commandMs: number;
  readonly workMs: number;
  readonly sweeps: number;
  /** By how much the clock is ahead at a time. */
  readonly aheadMs?: (now: number) => number;
  readonly total?: number;
}

/** Sweeps every 30 s by true time. @returns the jobs, when work at each began, and how much ran at once at most */
async function sweepThrough(scenario: Scenario): Promise<{ jobs: Job[]; began: Began[]; most: number }> {
  const { dueAt, commandMs, workMs, sweeps, aheadMs = () => 0, total = 1_000 } = scenario;
  const time: VirtualTime = createVirtualTime();
  const jobs = createJobs(dueAt.length, (index) => ({ partition: index % 2, owner: `o${index % 3}` }));
  for (const [index, job] of jobs.entries()) {
    job.nextAttemptAt = new Date(dueAt[index] ?? 0);
  }
  const began: Began[] = [];
  const ends: number[] = [];
  let most = 0;
  const pace = {
    commandMs: () => commandMs,
    workMs: () => workMs,
    aheadMs: () => aheadMs(time.now()),
    onWork: (id: string) => {
      began.push({ id, at: time.now() });
      ends.push(time.now() + workMs);
      most = Math.max(most, ends.filter((end) => end > time.now()).length);
    },
  };
  const { worker } = createTestWorker(time, jobs, pace, { total, perOwner: total, partitions: [0, 1] });
  const sweeping = (async () => {
    for (let index = 0; index < sweeps; index += 1) {
      await worker.sweep();
      await time.sleep(SWEEP_MS - (time.now() % SWEEP_MS));
    }
  })();
  await time.run();
  await sweeping;
  return { jobs, began, most };
}

describe('work that is due later', () => {
  test.each([
    [29_999, 30_000],
    [30_000, 30_000],
    [30_001, 60_000],
  ])(
    'is not begun a millisecond early: due at %d ms, it is begun by the sweep at %d ms',
    async (due, sweep) => {
      const { began } = await sweepThrough({ dueAt: [due], commandMs: 0, workMs: 0, sweeps: 4 });
      expect(began).toEqual([{ id: 'job0', at: sweep }]);
    },
  );

  test('is begun once, never early, and late by no more than a sweep and its commands', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5 * SWEEP_MS), { minLength: 1, maxLength: 40 }),
        fc.nat(10),
        fc.nat(40_000),
        async (dueAt, commandMs, workMs) => {
          const { jobs, began } = await sweepThrough({ dueAt, commandMs, workMs, sweeps: 8 });
          expect(jobs.map(({ worked }) => worked)).toEqual(dueAt.map(() => 1));
          const late = began.map(({ id, at }) => at - (dueAt[Number(id.slice(3))] ?? Number.NaN));
          expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
          expect(Math.max(...late)).toBeLessThanOrEqual(SWEEP_MS + COMMANDS_MS);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a clock that is set while there is work', () => {
  const SET_AT = 45_000;
  const dueAt = Array.from({ length: 60 }, (_, index) => index * 2_000);

  test('forward by hours: later work begins with the next sweep, once, within the usual concurrency', async () => {
    const { jobs, began, most } = await sweepThrough({
      dueAt,
      commandMs: 1,
      workMs: 1_000,
      sweeps: 8,
      aheadMs: (now) => (now < SET_AT ? 0 : 5 * HOUR_MS),
      total: 8,
    });
    expect(jobs.map(({ worked }) => worked)).toEqual(dueAt.map(() => 1));
    expect(most).toBe(8);
    expect(Math.max(...began.map(({ at }) => at))).toBeLessThan(60_000 + 10_000);
  });

  test('back by hours: nothing is begun before its time comes again, and nothing twice', async () => {
    const backAt = 10 * SWEEP_MS;
    const { jobs, began } = await sweepThrough({
      dueAt,
      commandMs: 1,
      workMs: 1_000,
      sweeps: 14,
      aheadMs: (now) => (now < SET_AT || now >= backAt ? 0 : -5 * HOUR_MS),
    });
    expect(jobs.map(({ worked }) => worked)).toEqual(dueAt.map(() => 1));
    expect(began.filter(({ at }) => at > SET_AT && at < backAt)).toEqual([]);
  });
});
