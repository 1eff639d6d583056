import { addAbortListener } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { mongo } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createJobs, type Jobs, type JobsDeps, type RecurringJob } from './agenda.ts';
import { ALARMS, createAlarmModel } from './model.ts';

const NAME = 'test.sweep';

/** The fields of Agenda's document that are read and set. */
interface Alarm {
  name: string;
  nextRunAt: Date;
  lockedAt?: Date | null;
  repeatInterval: number;
  disabled?: boolean;
  lastFinishedAt?: Date;
}

describe('recurring jobs', () => {
  let store: Database;
  let alarms: mongo.Collection<Alarm>;
  const started: Jobs[] = [];
  const errors: unknown[] = [];
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: (line: unknown) => void errors.push(line) };

  beforeAll(async () => {
    store = await openTestDatabase();
    alarms = store.connection.collection<Alarm>(ALARMS);
    createAlarmModel(store.connection);
    await makeIndexes(store.connection);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
    await alarms.deleteMany({});
    errors.splice(0);
  });
  afterAll(() => store.close());

  /** A process with one job; its runs are noted. */
  const start = async (
    run: RecurringJob['run'] = async () => undefined,
    everySeconds = 1,
    more: Partial<JobsDeps> = {},
  ) => {
    const runs: number[] = [];
    const jobs = createJobs({ connection: store.connection, log, isClockRight: () => true, ...more });
    jobs.defineRecurring({
      name: NAME,
      everySeconds,
      run: (signal) => {
        runs.push(Date.now());
        return run(signal);
      },
    });
    await jobs.start();
    started.push(jobs);
    return { jobs, runs };
  };
  const alarm = async () => {
    const found = await alarms.findOne({ name: NAME });
    return found!;
  };
  test('that starts later first runs after an interval', async () => {
    const jobs = createJobs({ connection: store.connection, log, isClockRight: () => true });
    jobs.defineRecurring({ name: NAME, everySeconds: 3_600, startsLater: true, run: async () => undefined });
    const began = Date.now();
    await jobs.start();
    started.push(jobs);
    expect((await alarm()).nextRunAt.getTime()).toBeGreaterThanOrEqual(began + 3_600_000);
  });

  describe('an alarm of a clock that was ahead by hours', () => {
    const later = () => new Date(Date.now() + 5 * 3_600_000);

    test('goes off within its interval when the clock is set back while a process runs', async () => {
      let ahead = 0;
      const clocks = { now: () => Date.now() + ahead, uptime: () => performance.now() };
      const { runs } = await start(undefined, 1, { clocks });
      await until('a first run', () => runs.length > 0);
      // Between two runs: who holds an alarm writes it anew.
      const set = { nextRunAt: later(), lockedAt: later() };
      await until('the alarm is free', async () => {
        const updated = await alarms.updateOne({ name: NAME, lockedAt: null }, { $set: set });
        return updated.modifiedCount === 1;
      });
      const before = runs.length;
      ahead = -5 * 3_600_000;
      await until('runs again', () => runs.length > before + 1);
      expect(errors).toEqual([]);
    });

    test('goes off within its interval when a process starts later', async () => {
      await (await start()).jobs.stop();
      await alarms.updateOne({ name: NAME }, { $set: { nextRunAt: later(), lockedAt: null } });
      const { runs } = await start();
      await until('a run', () => runs.length > 0);
    });
  });

  test('nothing runs while the clock is wrong, and alarms stay; right again, they go off, those of wrong clocks too', async () => {
    let isRight = false;
    const { jobs, runs } = await start(undefined, 1, { isClockRight: () => isRight });
    const other = await start();
    await until('a run of the other process', () => other.runs.length > 1);
    expect(runs).toEqual([]);
    await other.jobs.stop();
    await alarms.updateOne({ name: NAME }, { $set: { nextRunAt: new Date(Date.now() + 3_600_000) } });
    isRight = true;
    await until('a run once the clock is right', () => runs.length > 0);
    isRight = false;
    await until('the alarm goes off no more', async () => {
      const before = (await alarm()).nextRunAt;
      await new Promise((passed) => setTimeout(passed, 2_500));
      return Number((await alarm()).nextRunAt) === Number(before);
    });
    await jobs.stop();
  });

  test('runs at once and then each second, on one document for all processes', async () => {
    const processes = [await start(), await start()];
    const runs = () => processes.flatMap((one) => one.runs).sort((a, b) => a - b);
    await until('four runs', () => runs().length >= 4);
    const gaps = runs()
      .slice(1)
      .map((at, index) => at - runs()[index]!);
    for (const gap of gaps) {
      expect(gap).toBeGreaterThan(700);
    }
    expect(await alarms.countDocuments()).toBe(1);
    expect(errors).toEqual([]);
  });

  test('never runs twice at once in a process; ticks meanwhile are counted and dropped', async () => {
    let finish: () => void = () => undefined;
    const { jobs, runs } = await start(() => new Promise<void>((resolve) => (finish = resolve)));
    await until('two dropped ticks', () => jobs.stats()[NAME]!.skipped >= 2);
    expect(runs).toHaveLength(1);
    finish();
    await until('the next run', () => runs.length === 2);
    finish();
  });

  test('a run that throws is logged and counted, and the job goes on', async () => {
    const { jobs, runs } = await start(() => Promise.reject(new Error('store away')));
    await until('two failures', () => jobs.stats()[NAME]!.failures >= 2);
    expect(runs.length).toBeGreaterThanOrEqual(2);
    expect(errors[0]).toMatchObject({ job: NAME, err: { message: 'store away' } });
  });

  test('a process that dies at work leaves no lock: the next alarm comes in time elsewhere', async () => {
    let finish: () => void = () => undefined;
    const dying = await start(() => new Promise<void>((resolve) => (finish = resolve)));
    await until('its run', () => dying.runs.length === 1);
    await until('a free alarm during the run', async () => !(await alarm()).lockedAt);
    // It looks no more from here on: if it did, it could take every alarm before the other process and drop it.
    const stopped = dying.jobs.stop();
    try {
      const next = await start();
      await until('a run of the other process', () => next.runs.length >= 1);
    } finally {
      finish();
      await stopped;
    }
  });

  test('a process that dies with the lock delays the next alarm by intervals, not by minutes', async () => {
    const at = new Date();
    await alarms.insertOne({ name: NAME, nextRunAt: at, lockedAt: at, repeatInterval: 1000 });
    const { runs } = await start();
    await until('a run', () => runs.length === 1);
    expect(runs[0]! - at.getTime()).toBeGreaterThan(1000);
    expect(runs[0]! - at.getTime()).toBeLessThan(30_000);
  });

  test('a start leaves the lock, the pause and the time of an alarm alone', async () => {
    const alone = {
      name: NAME,
      nextRunAt: new Date(Date.now() + 500_000),
      lockedAt: new Date(),
      repeatInterval: 600_000,
      disabled: true,
    };
    await alarms.insertOne({ ...alone });
    const { runs } = await start(undefined, 600);
    expect(await alarm()).toMatchObject(alone);
    expect(runs).toEqual([]);
  });

  test('a start writes nothing of an alarm that is there', async () => {
    await start();
    const upserts: unknown[] = [];
    const client = store.connection.getClient();
    const note = ({ commandName, command }: mongo.CommandStartedEvent) => {
      if (commandName === 'update' && command.updates.some(({ upsert }: { upsert?: boolean }) => upsert)) {
        upserts.push(command);
      }
    };
    client.on('commandStarted', note);
    await start();
    expect(upserts).toEqual([]);
    await start(undefined, 2);
    client.off('commandStarted', note);
    expect(upserts).toHaveLength(1);
  });

  test('a job that is seldom due costs the database a command every five seconds, whatever else is due each second', async () => {
    const jobs = createJobs({ connection: store.connection, log, isClockRight: () => true });
    for (const [name, everySeconds] of [
      ['test.often', 1],
      ['test.seldom', 60],
    ] as const) {
      jobs.defineRecurring({ name, everySeconds, run: async () => undefined });
    }
    await jobs.start();
    started.push(jobs);
    await until(
      'the first runs',
      async () => (await alarms.countDocuments({ lastFinishedAt: { $exists: false } })) === 0,
    );
    const looks: string[] = [];
    const note = ({ commandName, command }: mongo.CommandStartedEvent) => {
      if (commandName === 'findAndModify') {
        looks.push(command.query.name);
      }
    };
    const client = store.connection.getClient();
    client.on('commandStarted', note);
    await until(
      'looks at the job that is often due',
      () => looks.filter((name) => name === 'test.often').length > 5,
    );
    client.off('commandStarted', note);
    expect(looks.filter((name) => name === 'test.seldom').length).toBeLessThanOrEqual(1);
  });

  test('a new interval is taken over, and the next alarm drawn near', async () => {
    const lockedAt = new Date();
    await alarms.insertOne({
      name: NAME,
      nextRunAt: new Date(Date.now() + 3_600_000),
      lockedAt,
      repeatInterval: 3_600_000,
      disabled: true,
    });
    await start(undefined, 30);
    const changed = await alarm();
    expect(changed).toMatchObject({ repeatInterval: 30_000, lockedAt, disabled: true });
    expect(changed.nextRunAt.getTime()).toBeLessThanOrEqual(Date.now() + 30_000);
  });

  test('a stop aborts and awaits running work, and nothing runs after it', async () => {
    let aborted = false;
    const { jobs, runs } = await start(async (signal) => {
      await new Promise((resolve) => addAbortListener(signal, resolve));
      await new Promise((resolve) => setTimeout(resolve, 100));
      aborted = true;
    });
    await until('a run', () => runs.length === 1);
    await jobs.stop();
    expect(aborted).toBe(true);
    await alarms.updateOne({ name: NAME }, { $set: { nextRunAt: new Date(), lockedAt: null } });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(runs).toHaveLength(1);
  });

  test('a job is defined once and in time', async () => {
    const { jobs } = await start();
    const job = { everySeconds: 1, run: async () => undefined };
    expect(() => jobs.defineRecurring({ ...job, name: 'late' })).toThrow();
    const fresh = createJobs({ connection: store.connection, log, isClockRight: () => true });
    fresh.defineRecurring({ ...job, name: 'twice' });
    expect(() => fresh.defineRecurring({ ...job, name: 'twice' })).toThrow();
  });
});
