import type { Agenda } from 'agenda';
import type { Connection, mongo } from 'mongoose';
import { type Clocks, watchClock } from '../../kernel/clock/clock-watch.ts';
import { MOST_SKEW_MS } from '../../kernel/clock/database-clock.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { ALARMS, createAlarmModel } from './model.ts';

/** Recurring work. */
export interface RecurringJob {
  /** Names the shared alarm; processes with the same name share it. */
  readonly name: string;
  readonly everySeconds: number;
  /** Whether a new alarm goes off only after an interval. Default: at once. */
  readonly startsLater?: boolean;
  /**
   * The work. One process per alarm runs it. A process never runs it twice at once, but a run that is longer than the
   * interval may overlap with another process's run: the work must be safe by its own leases, or harmless when done twice.
   * `signal` aborts when the process stops.
   */
  run(signal: AbortSignal): Promise<unknown>;
}

interface JobStats {
  /** Runs that were started. */
  runs: number;
  /** Runs that threw. */
  failures: number;
  /** Alarms that found the last run still going. */
  skipped: number;
}

export interface Jobs {
  /** Adds a job. Call it before {@link Jobs.start}. @throws on a second job of the name, or after the start */
  defineRecurring(job: RecurringJob): void;
  /** Makes missing alarms, and listens to all of them. A new alarm goes off at once, unless its job starts later. */
  start(): Promise<void>;
  /** Stops listening, aborts the signal and waits for running work. */
  stop(): Promise<void>;
  stats(): Record<string, JobStats>;
}

export interface JobsDeps {
  connection: Connection;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Clocks that show when the machine's clock was set; default: the system's. */
  clocks?: Clocks;
  /**
   * Whether the machine's clock is right. While it is not, no alarm goes off here: Agenda knows no other
   * clock, and would set the alarms that all processes share by it.
   */
  isClockRight: () => boolean;
}

interface Defined {
  readonly job: RecurringJob;
  readonly stats: JobStats;
  running: Promise<void> | undefined;
}

interface State {
  readonly defined: Map<string, Defined>;
  readonly stopping: AbortController;
  /** One Agenda for each look interval; none while the clock is wrong, undefined before the start. */
  agendas: readonly Agenda[] | undefined;
  endWatch: () => void;
  /** The last change of `agendas` for the clock, one after the other. */
  adjusting: Promise<void>;
}

/**
 * Recurring jobs on Agenda. Agenda is only the alarm clock: an alarm starts the work and returns, so Agenda holds its lock
 * for milliseconds, however long the work takes. No result depends on that lock. A process that is killed during the work
 * leaves no lock; one that is killed in those milliseconds delays the next alarm by {@link lockLifetimeOf} its look interval.
 */
export function createJobs(deps: JobsDeps): Jobs {
  // Migrations make its collection and index.
  createAlarmModel(deps.connection);
  const state: State = {
    defined: new Map(),
    stopping: new AbortController(),
    agendas: undefined,
    endWatch: () => undefined,
    adjusting: Promise.resolve(),
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
  const alarms = db.collection(ALARMS);
  await ensureAlarms(
    alarms,
    jobs.map(({ job }) => job),
  );
  const onClockSet = () => void bringAlarmsBack(deps, alarms, jobs);
  const endWatch = watchClock(Math.min(...jobs.map(lookTimeOf)), onClockSet, deps.clocks);
  state.agendas = [];
  await listenWhileRight(deps, state, db, jobs);
  const timer = setInterval(() => {
    state.adjusting = state.adjusting.then(() => adjust(deps, state, { db, alarms, jobs }));
  }, ADJUST_MS).unref();
  state.endWatch = () => {
    endWatch();
    clearInterval(timer);
  };
}

/** How often to look whether the clock is right, and whether alarms lie too far ahead, milliseconds. */
const ADJUST_MS = 5_000;

/** Stops listening while the clock is wrong, and brings back alarms that a process with a wrong clock has set. Never throws. */
async function adjust(
  deps: JobsDeps,
  state: State,
  { db, alarms, jobs }: { db: mongo.Db; alarms: mongo.Collection; jobs: readonly Defined[] },
): Promise<void> {
  try {
    if (state.stopping.signal.aborted) {
      return;
    }
    await listenWhileRight(deps, state, db, jobs);
    if (deps.isClockRight()) {
      await bringBackIfNeeded(
        alarms,
        jobs.map(({ job }) => job),
        MOST_SKEW_MS,
      );
    }
  } catch (error) {
    deps.log.warn({ err: error }, 'job.not_adjusted');
  }
}

/** Starts Agendas when the clock is right, and stops them when it is not. */
async function listenWhileRight(
  deps: JobsDeps,
  state: State,
  db: mongo.Db,
  jobs: readonly Defined[],
): Promise<void> {
  const isRight = deps.isClockRight();
  const running = state.agendas ?? [];
  if (isRight && running.length === 0) {
    const agendas = await createAgendas(db, jobs);
    for (const [agenda, defined] of agendas) {
      listen(deps, state, agenda, defined);
    }
    state.agendas = [...agendas.keys()];
    await Promise.all(state.agendas.map((agenda) => agenda.start()));
  } else if (!isRight && running.length > 0) {
    state.agendas = [];
    await Promise.all(running.map((agenda) => agenda.stop(false)));
  }
}

function listen(deps: JobsDeps, state: State, agenda: Agenda, jobs: readonly Defined[]): void {
  agenda.on('error', (error: unknown) => {
    // A look that runs during the stop fails when the connection closes; nobody needs its alarm any more.
    if (!state.stopping.signal.aborted) {
      // The alarm goes off again by itself; the work handles its own errors.
      deps.log.warn({ err: error }, 'job.alarm_failed');
    }
  });
  for (const one of jobs) {
    const lockLifetime = lockLifetimeOf(lookTimeOf(one));
    // It does not use a lockLimit of one, which would save the look for a second alarm: Agenda never removes an alarm that
    // expired before its turn from that count, and would not look for the job again.
    const options = { lockLifetime, concurrency: 1 };
    agenda.define(one.job.name, async () => startRun(deps, state, one), options);
  }
}

async function stop(state: State): Promise<void> {
  state.stopping.abort();
  state.endWatch();
  await state.adjusting;
  // It does not use drain(), which leaves alarms locked that are due soon.
  await Promise.all((state.agendas ?? []).map((agenda) => agenda.stop(false)));
  await Promise.all([...state.defined.values()].map(({ running }) => running));
}

/**
 * Makes one alarm for each name. At each start of a process Agenda's own every() would clear the lock and the pause of an
 * alarm that other processes share. This changes an existing alarm only when its interval has changed.
 */
async function ensureAlarms(alarms: mongo.Collection, jobs: readonly RecurringJob[]): Promise<void> {
  const there = await alarms.find({ name: { $in: jobs.map(({ name }) => name) } }).toArray();
  const intervals = new Map(there.map(({ name, repeatInterval }) => [name, repeatInterval]));
  const changes = jobs
    .filter(({ name, everySeconds }) => intervals.get(name) !== everySeconds * 1000)
    .flatMap(changesOf);
  if (changes.length > 0) {
    await alarms.bulkWrite(changes);
  }
  await bringBackIfNeeded(alarms, jobs, 0);
}

/** @param toleranceMs by how much clocks of processes that work may differ */
async function bringBackIfNeeded(
  alarms: mongo.Collection,
  jobs: readonly RecurringJob[],
  toleranceMs: number,
): Promise<void> {
  const there = await alarms.find({ name: { $in: jobs.map(({ name }) => name) } }).toArray();
  const latest = Date.now() + toleranceMs;
  if (there.some(({ nextRunAt, repeatInterval }) => Number(nextRunAt) > latest + repeatInterval)) {
    await bringBack(alarms, jobs);
  }
}

/**
 * Moves alarms that would go off later than their interval from now. Otherwise an alarm that was set before the clock was set
 * back would wait until that time comes again, and so would an alarm that was locked then.
 */
async function bringBack(alarms: mongo.Collection, jobs: readonly RecurringJob[]): Promise<void> {
  for (const { name, everySeconds } of jobs) {
    const now = new Date();
    const next = new Date(now.getTime() + everySeconds * 1000);
    await alarms.updateOne({ name, nextRunAt: { $gt: next } }, { $set: { nextRunAt: next } });
    await alarms.updateOne({ name, lockedAt: { $gt: next } }, { $set: { lockedAt: now } });
  }
}

/** Never throws: the next start, or the next change of the clock, tries again. */
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

/** Makes an alarm, or gives the one that is there its interval. */
function changesOf({ name, everySeconds, startsLater = false }: RecurringJob): mongo.AnyBulkWriteOperation[] {
  const repeatInterval = everySeconds * 1000;
  const now = new Date();
  const later = new Date(now.getTime() + repeatInterval);
  const nextRunAt = startsLater ? later : now;
  const alarm = { type: 'single', priority: 0, data: {}, nextRunAt, lockedAt: null, repeatInterval };
  const change = { $set: { repeatInterval }, $min: { nextRunAt: later } };
  return [
    { updateOne: { filter: { name }, update: { $setOnInsert: alarm }, upsert: true } },
    { updateOne: { filter: { name, repeatInterval: { $ne: repeatInterval } }, update: change } },
  ];
}

/** Makes an Agenda for each look interval, with its jobs: a look is a command for each job that an Agenda has. */
async function createAgendas(
  db: mongo.Db,
  jobs: readonly Defined[],
): Promise<ReadonlyMap<Agenda, readonly Defined[]>> {
  // It loads only where jobs run; other processes do without Agenda.
  const { MongoBackend } = await import('@agendajs/mongo-backend');
  const { Agenda } = await import('agenda');
  const { name, repository } = new MongoBackend({ mongo: db, collection: ALARMS, ensureIndex: false });
  // Connects here instead of in Agenda's constructor, which neither awaits the connection nor catches its failure.
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
  if (stopping.signal.aborted || !deps.isClockRight()) {
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
