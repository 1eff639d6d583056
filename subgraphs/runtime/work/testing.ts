import type { Model } from 'mongoose';
import { type Claimable, type Claims, createClaims } from './claim.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';
import { createWorker, type Worker } from './worker.ts';

/** A time that passes when nothing else is left to do: work of hours is tested in milliseconds, the same every time. */
export interface VirtualTime {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Lets time pass until nobody sleeps any more. */
  run(): Promise<void>;
}

export function createVirtualTime(): VirtualTime {
  let now = 0;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: now + ms, wake });
      }),
    run: async () => {
      for (;;) {
        // Everything that can go on without time passing.
        await new Promise((resolve) => setImmediate(resolve));
        const first = sleepers.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
        if (first === Number.POSITIVE_INFINITY) {
          return;
        }
        now = first;
        const woken = sleepers.filter(({ at }) => at === first);
        sleepers = sleepers.filter(({ at }) => at !== first);
        for (const { wake } of woken) {
          wake();
        }
      }
    },
  };
}

/** A piece of work of the tests. */
export interface Job extends Claimable {
  readonly partition: number;
  readonly owner: string;
  status: 'PENDING' | 'DONE';
  /** How often it was worked at. */
  worked: number;
}

export function createJobs(count: number, of: (index: number) => Pick<Job, 'partition' | 'owner'>): Job[] {
  return Array.from({ length: count }, (_, index) => ({
    _id: `job${index}`,
    accountId: 'acme/sandbox',
    nextAttemptAt: new Date(0),
    claims: 0,
    status: 'PENDING',
    worked: 0,
    ...of(index),
  }));
}

interface Pace {
  /** How long the database takes for one command, milliseconds. */
  commandMs(): number;
  /** How long a piece of work takes. */
  workMs(): number;
  /** By how much the worker's clock is ahead of the time, milliseconds; default 0. */
  aheadMs?(): number;
  /** Called for each piece of work that begins. */
  onWork?(id: string): void;
}

interface TestWorker {
  readonly worker: Worker<Job>;
  readonly claims: Claims<Job>;
  /** Commands that the database was sent. */
  commands(): number;
  /** Jobs that it has worked at. */
  done(): number;
}

/** A worker with the real claims and limiter on jobs in memory. */
export function createTestWorker(
  time: VirtualTime,
  jobs: readonly Job[],
  pace: Pace,
  { total, perOwner, partitions }: { total: number; perOwner: number; partitions: readonly number[] },
): TestWorker {
  const limiter = createConcurrencyLimiter<Pick<Job, 'owner'>, 'owner'>({
    total,
    quotas: { owner: { most: perOwner, key: ({ owner }) => owner } },
  });
  const store = createMemoryModel(time, jobs, pace.commandMs);
  const claims = createClaims<Job, Pick<Job, 'owner' | 'partition'>>({
    model: store.model,
    open: { status: 'PENDING' },
    itemFields: ['owner', 'partition'],
    inPartition: (partition) => ({ partition }),
    partitionOf: ({ partition }) => partition,
    withoutSaturated: () => {
      const owners = limiter.atQuota('owner').map(({ owner }) => owner);
      return owners.length === 0 ? undefined : { owner: { $nin: owners } };
    },
    limiter,
    clock: () => new Date(time.now() + (pace.aheadMs?.() ?? 0)),
    isClockRight: () => true,
    leaseMs: 3_600_000,
  });
  let done = 0;
  const worker = createWorker<Job>({
    claims,
    limiter,
    partitions,
    work: async ({ document }) => {
      pace.onWork?.(document._id);
      await time.sleep(pace.workMs());
      const job = jobs.find(({ _id }) => _id === document._id);
      if (job) {
        job.status = 'DONE';
        job.worked += 1;
        done += 1;
      }
    },
    log: {
      error: (line: unknown) => {
        throw new Error(`logged: ${JSON.stringify(line)}`);
      },
    } as never,
    name: 'test',
    stopGraceMs: 0,
  });
  worker.start();
  return { worker, claims, commands: store.commands, done: () => done };
}

type Condition = Record<string, unknown>;
interface JobUpdate {
  readonly $set: Partial<Job>;
  readonly $inc: { readonly claims: number };
}

/** As much of a collection as claims use; each command reads and writes in the middle of the time that it takes. */
function createMemoryModel(time: VirtualTime, jobs: readonly Job[], commandMs: () => number) {
  let commands = 0;
  const command = async <T>(run: () => T): Promise<T> => {
    commands += 1;
    await time.sleep(commandMs());
    const result = run();
    await time.sleep(commandMs());
    return result;
  };
  const find = (filter: Condition) => {
    let most = Number.POSITIVE_INFINITY;
    const query = {
      sort: () => query,
      limit: (limit: number) => {
        most = limit;
        return query;
      },
      select: () => query,
      lean: () =>
        command(() =>
          jobs
            .filter((job) => matches(job, filter))
            .slice(0, most)
            .map((job) => ({ ...job })),
        ),
    };
    return query;
  };
  const bulkWrite = (writes: readonly { updateOne: { filter: Condition; update: JobUpdate } }[]) =>
    command(() => {
      const updated = writes.flatMap(({ updateOne: { filter, update } }) => {
        const job = jobs.find((one) => matches(one, filter));
        return job ? [Object.assign(job, update.$set, { claims: job.claims + update.$inc.claims })] : [];
      });
      return { modifiedCount: updated.length };
    });
  return { model: { find, collection: { bulkWrite } } as unknown as Model<Job>, commands: () => commands };
}

function matches(job: Job, filter: Condition): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const value = (job as unknown as Condition)[field];
    if (typeof wanted !== 'object' || wanted === null) {
      return value === wanted;
    }
    const { $in, $nin, $lt } = wanted as { $in?: unknown[]; $nin?: unknown[]; $lt?: Date };
    return (
      ($in === undefined || $in.includes(value)) &&
      ($nin === undefined || !$nin.includes(value)) &&
      ($lt === undefined || (value as Date) < $lt)
    );
  });
}
