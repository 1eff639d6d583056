import type { Agenda } from 'agenda';
import type { Connection, mongo } from 'mongoose';
import type { Logger } from '../log/log.ts';
import { type Clocks, watchClock } from './clock-watch.ts';

/** A piece of work that is due again and again. */
export interface RecurringJob {
  /** Names the shared alarm; processes with the same name share it. */
  readonly name: string;
  readonly everySeconds: number;
  /**
   * The work. Runs in one process per alarm; never twice at once in a process, but a run that outlasts the interval may
   * overlap with another process's: what it does is guarded by its own leases or is harmless twice. `signal` is aborted when
   * the process stops.
   */
  run(signal: AbortSignal): Promise<unknown>;
}

export interface JobStats {
  /** Runs that were started. */
  runs: number;
  /** Runs that threw. */
  failures: number;
  /** Alarms that found the previous run still going. */
  skipped: number;
}

export interface Jobs {
  /** Before {@link Jobs.start}. @throws on a second job of the name, or after the start */
  defineRecurring(job: RecurringJob): void;
  /** Makes the alarms that are not there yet, and listens to them. A new alarm goes off at once. */
  start(): Promise<void>;
  /** Listens no more, aborts the signal and waits for running work. */
  stop(): Promise<void>;
  stats(): Record<string, JobStats>;
}

export interface JobsDeps {
  connection: Connection;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** By which a clock that was set is noticed; default: the system's. */
  clocks?: Clocks;
}

const COLLECTION = 'agendaJobs';

interface Defined {
  readonly job: RecurringJob;
  readonly stats: JobStats;
  running: Promise<void> | undefined;
}

interface State {
  readonly defined: Map<string, Defined>;
  readonly stopping: AbortController;
  /** One for each look time; undefined before the start. */
  agendas: readonly Agenda[] | undefined;
  endWatch: () => void;
}

/**
 * Recurring jobs on Agenda, which is the alarm clock and nothing more: an alarm starts the work and returns, so Agenda's
 * lock is held for milliseconds, whatever the work takes. No result depends on that lock, a process killed during the
 * work leaves none behind, and one killed in those milliseconds delays the next alarm by {@link lockLifetimeOf} its looks.
 */
export function createJobs(deps: JobsDeps): Jobs {
  const state: State = {
    defined: new Map(),
    stopping: new AbortController(),
    agendas: undefined,
    endWatch: () => undefined,
  };
  return {
    defineRecurring: (job) => {
      if (state.agendas || state.defined.has(job.name)) {
        throw new Error(`The job ${job.name} is defined too late or twice`);
      }
      const stats = { runs: 0, failures: 0, skipped: 0 };
      state.defined.set(job.name, { job, stats, running: undefined });
    },
    start: () => start(deps, state),
    stop: () => stop(state),
    stats: () => Object.fromEntries([...state.defined].map(([name, { stats }]) => [name, { ...stats }])),
  };
}

async function start(deps: JobsDeps, state: State): Promise<void> {
  const jobs = [...state.defined.values()];
  const { db } = deps.connection;
  if (jobs.length === 0) {
    return;
  }
  if (!db) {
    throw new Error('Jobs start on a connection that is open');
  }
  const alarms = db.collection(COLLECTION);
  await ensureAlarms(
    alarms,
    jobs.map(({ job }) => job),
  );
  const onClockSet = () => void bringAlarmsBack(deps, alarms, jobs);
  state.endWatch = watchClock(Math.min(...jobs.map(lookTimeOf)), onClockSet, deps.clocks);
  const agendas = await createAgendas(db, jobs);
  for (const [agenda, defined] of agendas) {
    listen(deps, state, agenda, defined);
  }
  state.agendas = [...agendas.keys()];
  await Promise.all(state.agendas.map((agenda) => agenda.start()));
}

function listen(deps: JobsDeps, state: State, agenda: Agenda, jobs: readonly Defined[]): void {
  agenda.on('error', (error: unknown) => {
    // A look that was under way at the stop fails when the connection closes; nobody needs its alarm any more.
    if (!state.stopping.signal.aborted) {
      // It goes off again by itself; the work has its own errors.
      deps.log.warn({ err: error }, 'job.alarm_failed');
    }
  });
  for (const one of jobs) {
    const lockLifetime = lockLifetimeOf(lookTimeOf(one));
    // Not with a lockLimit of one, which would save the look for a second alarm: Agenda never takes an alarm that expired
    // before its turn off that count, and would not look for the job again.
    const options = { lockLifetime, concurrency: 1 };
    agenda.define(one.job.name, async () => startRun(deps, state, one), options);
  }
}

async function stop(state: State): Promise<void> {
  state.stopping.abort();
  state.endWatch();
  // Not drain(): it leaves alarms that are locked for the near future locked.
  await Promise.all((state.agendas ?? []).map((agenda) => agenda.stop(false)));
  await Promise.all([...state.defined.values()].map(({ running }) => running));
}

/**
 * One alarm a name. Agenda's own every() would clear the lock and the pause of an alarm that other processes share,
 * at each start of a process: this leaves an alarm that is there alone, but for an interval that was configured anew.
 */
async function ensureAlarms(alarms: mongo.Collection, jobs: readonly RecurringJob[]): Promise<void> {
  await alarms.createIndex({ name: 1 }, { unique: true, name: 'oneAlarmPerName' });
  const there = await alarms.find({ name: { $in: jobs.map(({ name }) => name) } }).toArray();
  const intervals = new Map(there.map(({ name, repeatInterval }) => [name, repeatInterval]));
  for (const { name, everySeconds } of jobs) {
    const repeatInterval = everySeconds * 1000;
    if (intervals.get(name) !== repeatInterval) {
      await ensureAlarm(alarms, name, repeatInterval);
    }
  }
  if (there.some(({ nextRunAt, repeatInterval }) => Number(nextRunAt) > Date.now() + repeatInterval)) {
    await bringBack(alarms, jobs);
  }
}

/**
 * Has no alarm go off later than its interval from now. An alarm that was set by a clock which was set back since would else
 * stand still until that time comes again, and so would one that was locked then.
 */
async function bringBack(alarms: mongo.Collection, jobs: readonly RecurringJob[]): Promise<void> {
  for (const { name, everySeconds } of jobs) {
    const now = new Date();
    const next = new Date(now.getTime() + everySeconds * 1000);
    await alarms.updateOne({ name, nextRunAt: { $gt: next } }, { $set: { nextRunAt: next } });
    await alarms.updateOne({ name, lockedAt: { $gt: next } }, { $set: { lockedAt: now } });
  }
}

/** Never throws: what fails is tried again by the next start, and the next time that the clock is set. */
async function bringAlarmsBack(
  { log }: JobsDeps,
  alarms: mongo.Collection,
  defined: readonly Defined[],
): Promise<void> {
  try {
    log.warn({}, 'job.clock_set');
    await bringBack(
      alarms,
      defined.map(({ job }) => job),
    );
  } catch (error) {
    log.error({ err: error }, 'job.clock_set_failed');
  }
}

async function ensureAlarm(alarms: mongo.Collection, name: string, repeatInterval: number): Promise<void> {
  const now = new Date();
  const alarm = { type: 'single', priority: 0, data: {}, nextRunAt: now, lockedAt: null, repeatInterval };
  await alarms.updateOne({ name }, { $setOnInsert: alarm }, { upsert: true });
  await alarms.updateOne(
    { name, repeatInterval: { $ne: repeatInterval } },
    { $set: { repeatInterval }, $min: { nextRunAt: new Date(now.getTime() + repeatInterval) } },
  );
}

/** An Agenda for each look time, with its jobs: a look is a command for each job that an Agenda has. */
async function createAgendas(
  db: mongo.Db,
  jobs: readonly Defined[],
): Promise<ReadonlyMap<Agenda, readonly Defined[]>> {
  // Only where jobs run: a process that has none does without Agenda.
  const { MongoBackend } = await import('@agendajs/mongo-backend');
  const { Agenda } = await import('agenda');
  const { name, repository } = new MongoBackend({ mongo: db, collection: COLLECTION, ensureIndex: false });
  // Here and not by Agenda, whose constructor neither awaits it nor catches its failure.
  await repository.connect();
  const done = () => Promise.resolve();
  const backend = { name, repository, ownsConnection: false, connect: done, disconnect: done };
  const lookTimes = new Set(jobs.map(lookTimeOf));
  return new Map(
    Array.from(lookTimes, (processEvery) => [
      new Agenda({ backend, processEvery }),
      jobs.filter((one) => lookTimeOf(one) === processEvery),
    ]),
  );
}

const MIN_LOOK_MS = 100;
const MAX_LOOK_MS = 5_000;

/**
 * How often Agenda looks for a job's alarm, milliseconds. It locks an alarm up to one look ahead of time and holds it with a
 * timer: the alarm goes off in time, however seldom Agenda looks. So it looks as seldom as the job's interval allows.
 */
function lookTimeOf({ job }: Defined): number {
  return Math.min(Math.max((job.everySeconds * 1000) / 2, MIN_LOOK_MS), MAX_LOOK_MS);
}

/**
 * How long a lock is kept, milliseconds. It must outlive one look by far; a lock that a killed process has left is taken over
 * after it.
 */
function lockLifetimeOf(lookTime: number): number {
  return 3 * lookTime;
}

function startRun(deps: JobsDeps, { stopping }: State, defined: Defined): void {
  const { job, stats } = defined;
  if (stopping.signal.aborted) {
    return;
  }
  if (defined.running) {
    stats.skipped += 1;
    return;
  }
  stats.runs += 1;
  defined.running = work(deps, job, stats, stopping.signal).finally(() => {
    defined.running = undefined;
  });
}

async function work(
  { log }: JobsDeps,
  { name, run }: RecurringJob,
  stats: JobStats,
  signal: AbortSignal,
): Promise<void> {
  try {
    await run(signal);
  } catch (error) {
    stats.failures += 1;
    log.error({ job: name, err: error }, 'job.failed');
  }
}
