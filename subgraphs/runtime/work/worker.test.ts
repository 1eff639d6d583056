import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { until } from '../../../test/support/until.ts';
import { createJobs, createTestWorker, createVirtualTime, type Job, type VirtualTime } from './testing.ts';
import { createWorker } from './worker.ts';

const doneOnce = (jobs: readonly Job[]) =>
  jobs.filter(({ status, worked }) => status === 'DONE' && worked === 1).length;

describe('one sweep does all that is due', () => {
  test.each([
    ['work ends before a claim', 50, 50, 5],
    ['work ends while the next claim looks', 50, 50, 120],
    ['work takes no time', 50, 50, 0],
    ['a claim takes no time', 50, 0, 5],
    ['there is very much of one owner', 1_000, 10, 5],
  ])('where %s', async (_where, count, commandMs, workMs) => {
    const time = createVirtualTime();
    const jobs = createJobs(count, () => ({ partition: 0, owner: 'a' }));
    const pace = { commandMs: () => commandMs / 3, workMs: () => workMs };
    const { worker, commands } = createTestWorker(time, jobs, pace, {
      total: 64,
      perOwner: 5,
      partitions: [0],
    });
    const swept = worker.sweep();
    await time.run();
    await swept;
    expect(doneOnce(jobs)).toBe(count);
    // Three commands for a claim of up to five, and one that finds no room.
    expect(commands()).toBeLessThan(count * 2);
  });

  test('some of which another process claims first', async () => {
    const time = createVirtualTime();
    const jobs = createJobs(40, () => ({ partition: 0, owner: 'a' }));
    const pace = { commandMs: () => 10, workMs: () => 10_000 };
    const { worker } = createTestWorker(time, jobs, pace, { total: 4, perOwner: 4, partitions: [0] });
    const swept = worker.sweep();
    // Between the look and the claim: all that was found.
    const steal = time.sleep(20).then(() => {
      for (const job of jobs.slice(0, 4)) {
        Object.assign(job, { status: 'DONE', worked: 1 });
      }
    });
    await time.run();
    await Promise.all([swept, steal]);
    expect(doneOnce(jobs)).toBe(40);
  });

  test('and what is woken, more than fits at once', async () => {
    const time = createVirtualTime();
    const jobs = createJobs(350, (index) => ({ partition: index % 3, owner: `o${index % 2}` }));
    const pace = { commandMs: () => 20, workMs: () => 1 };
    const { worker } = createTestWorker(time, jobs, pace, { total: 8, perOwner: 3, partitions: [0, 1, 2] });
    worker.wake(jobs.map(({ _id }) => _id));
    await time.run();
    expect(doneOnce(jobs)).toBe(350);
  });
});

test('a backlog that is worked off as quickly as it is claimed holds up neither other partitions, nor what is woken, nor the sweep', async () => {
  const time = createVirtualTime();
  // While one owner's work ends, the other's is claimed: every look into the partition finds something.
  const jobs = createJobs(502, (index) => ({
    partition: Math.max(0, index - 499),
    owner: index < 250 ? 'a' : index < 500 ? 'b' : 'c',
  }));
  const [other, woken] = jobs.slice(500);
  const pace = { commandMs: () => 10, workMs: () => 30 };
  const { worker } = createTestWorker(time, jobs, pace, { total: 64, perOwner: 5, partitions: [0, 1] });
  let isSwept = false;
  const swept = worker.sweep().then(() => {
    isSwept = true;
  });
  const lookedAt = time.sleep(300).then(async () => {
    worker.wake(['job501']);
    await time.sleep(700);
    return { isSwept, other: other?.status, woken: woken?.status, done: doneOnce(jobs) };
  });
  await time.run();
  await swept;
  const { done, ...seen } = await lookedAt;
  expect(seen).toEqual({ isSwept: true, other: 'DONE', woken: 'DONE' });
  expect(done).toBeLessThan(250);
  expect(doneOnce(jobs)).toBe(502);
});

/** The time of the process: what is woken for later uses its timers. */
const REAL_TIME: VirtualTime = { now: Date.now, sleep: (ms) => delay(ms), run: async () => undefined };

test('a woken document that is due in a moment, by a clock that is behind, is done then without a sweep; one that is due later is not', async () => {
  const due = Date.now() + 150;
  const jobs = createJobs(3, () => ({ partition: 0, owner: 'a' }));
  for (const [index, job] of jobs.entries()) {
    job.nextAttemptAt = new Date([due, due + 60_000, 0][index] ?? 0);
  }
  const startedAt = new Map<string, number>();
  const pace = {
    commandMs: () => 0,
    workMs: () => {
      startedAt.set(jobs.find(({ claims, worked }) => claims > worked)?._id ?? '', Date.now());
      return 0;
    },
  };
  const { worker } = createTestWorker(REAL_TIME, jobs, pace, { total: 4, perOwner: 4, partitions: [0] });
  worker.wake(jobs.map(({ _id }) => _id));
  await until('both', () => doneOnce(jobs) === 2);
  expect(jobs[1]?.status).toBe('PENDING');
  expect(startedAt.get('job0')).toBeGreaterThanOrEqual(due);
  await worker.stop();
});

test('several workers that are woken for the same work share it, and do it once', async () => {
  const time = createVirtualTime();
  const jobs = createJobs(200, () => ({ partition: 0, owner: 'a' }));
  const pace = { commandMs: () => 3, workMs: () => 20 };
  const workers = [0, 1, 2].map(() =>
    createTestWorker(time, jobs, pace, { total: 64, perOwner: 64, partitions: [0] }),
  );
  const ids = jobs.map(({ _id }) => _id);
  for (const [index, { worker }] of workers.entries()) {
    // Each in an order of its own, as `listenForWork` has it.
    worker.wake([...ids.slice(index * 60), ...ids.slice(0, index * 60)]);
  }
  await time.run();
  expect(doneOnce(jobs)).toBe(200);
  const shares = workers.map(({ done }) => done());
  expect(Math.min(...shares)).toBeGreaterThan(30);
});

/** A unit of work whose end the test decides. */
function createUnit() {
  const listeners: ((committed: boolean) => void)[] = [];
  return {
    onEnd: (listener: (committed: boolean) => void) => void listeners.push(listener),
    end: (committed: boolean) => {
      for (const listener of listeners) {
        listener(committed);
      }
    },
  };
}

test('an admitted call has its place until it is done, or until its transaction has failed: then it is not begun', async () => {
  const time = createVirtualTime();
  const newJobs = () => createJobs(3, () => ({ partition: 0, owner: 'a' }));
  const jobs = newJobs();
  const pace = { commandMs: () => 10, workMs: () => 30 };
  const { worker } = createTestWorker(time, jobs, pace, { total: 2, perOwner: 2, partitions: [0] });
  /** Stores the jobs as they are admitted. @returns which of them have a lease */
  const store = async (committed: boolean) => {
    const unit = createUnit();
    const stored = newJobs().map((job) => worker.admit(job, unit));
    if (committed) {
      for (const [index, job] of stored.entries()) {
        Object.assign(jobs[index] ?? {}, job);
      }
    }
    unit.end(committed);
    await time.run();
    return stored.map(({ leaseToken }) => leaseToken !== undefined);
  };
  for (const _conflict of [1, 2]) {
    expect(await store(false)).toEqual([true, true, false]);
  }
  expect(doneOnce(jobs)).toBe(0);
  expect(await store(true)).toEqual([true, true, false]);
  expect(doneOnce(jobs)).toBe(3);
  // Every place is free again.
  expect(await store(false)).toEqual([true, true, false]);
});

test('where the database does not answer, a sweep rejects, a wake signal is logged, and the next sweep does the work', async () => {
  const [job] = createJobs(1, () => ({ partition: 0, owner: 'a' }));
  const lines: unknown[] = [];
  const worked: string[] = [];
  let isAway = true;
  const whenThere = async <T>(answer: T): Promise<T> => {
    if (isAway) {
      throw new Error('away');
    }
    return answer;
  };
  const lease = { leaseToken: 't', leaseUntil: new Date(1), dueAt: new Date(0) };
  const worker = createWorker<Job>({
    claims: {
      claimPartition: () => whenThere({ claimed: [], more: false, lost: false }),
      claimIds: () => whenThere({ claimed: [{ ...lease, document: job! }], left: [], soon: [] }),
      leaseNew: () => undefined,
      release: () => Promise.reject(new Error('nothing is given back here')),
    },
    limiter: { free: () => 1, release: () => undefined },
    partitions: [0],
    work: async ({ document }) => {
      worked.push(document._id);
    },
    log: { error: (_fields: unknown, event: string) => lines.push(event) } as never,
    name: 'test',
    stopGraceMs: 0,
  });
  worker.start();
  await expect(worker.sweep()).rejects.toThrow('away');
  expect(lines).toEqual([]);
  worker.wake(['job0']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toEqual(['test.claim_failed']);
  isAway = false;
  await worker.sweep();
  await worker.stop();
  expect(worked).toEqual(['job0']);
});

test('everything due is done once after one sweep of each worker, however long claims and work take', async () => {
  const times = fc.infiniteStream(fc.constantFrom(0, 0, 1, 2, 5, 5, 20, 100));
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        count: fc.integer({ min: 1, max: 60 }),
        owners: fc.integer({ min: 1, max: 4 }),
        partitions: fc.integer({ min: 1, max: 3 }),
        total: fc.integer({ min: 1, max: 10 }),
        perOwner: fc.integer({ min: 1, max: 5 }),
        workers: fc.integer({ min: 1, max: 3 }),
        woken: fc.integer({ min: 0, max: 60 }),
        commands: times,
        work: times,
        starts: times,
      }),
      async ({ count, owners, partitions, total, perOwner, workers, woken, commands, work, starts }) => {
        const time = createVirtualTime();
        const jobs = createJobs(count, (index) => ({
          partition: index % partitions,
          owner: `o${index % owners}`,
        }));
        const draw = (stream: Iterator<number>) => () => Number(stream.next().value);
        const pace = { commandMs: draw(commands), workMs: draw(work) };
        const all = Array.from({ length: partitions }, (_, partition) => partition);
        const started = Array.from({ length: workers }, async () => {
          const { worker } = createTestWorker(time, jobs, pace, { total, perOwner, partitions: all });
          await time.sleep(draw(starts)());
          worker.wake(jobs.slice(0, woken).map(({ _id }) => _id));
          await time.sleep(draw(starts)());
          await worker.sweep();
        });
        await time.run();
        await Promise.all(started);
        expect(doneOnce(jobs)).toBe(count);
      },
    ),
    { numRuns: 300 },
  );
});
