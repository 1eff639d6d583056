import type { Connection } from 'mongoose';
import type { Logger } from '../log/log.ts';
import { type Clocks, MACHINE_CLOCKS, watchClock } from './clock-watch.ts';

/**
 * The time of the database, kept by this process. Everything that is due, leased or expires is judged by it, so that a wrong
 * clock of one machine neither acts early nor holds anything up (decisions, section 8, "Clocks").
 */
export interface DatabaseClock {
  /**
   * The database's time. Between two measurements it goes on with the clock that nobody can set. Before the first one it is
   * the machine's.
   */
  readonly now: () => Date;
  /** By how much the machine's clock is ahead of the database's, milliseconds; negative when it is behind. */
  readonly skewMs: () => number;
  /**
   * Whether the machine's clock is at most {@link MOST_SKEW_MS} away from the database's. While it is not, this process takes
   * no leases, claims no work and runs no jobs.
   */
  readonly isRight: () => boolean;
  /** Measures the database's time, and logs a skew over {@link LOGGED_SKEW_MS}. @throws when the database does not answer */
  readonly measure: () => Promise<void>;
  /** Measures again as soon as the machine's clock is set, until {@link stop}. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** A skew over this is logged. */
const LOGGED_SKEW_MS = 2_000;
/** With a skew over this, the process is not ready. */
export const MOST_SKEW_MS = 30_000;
/**
 * A time that lies further ahead than its schedule allows and this was written by a clock that was ahead: more than the times
 * of two processes that work differ.
 */
export const TOO_FAR_MS = 2 * MOST_SKEW_MS;

interface DatabaseClockDeps {
  /** The database's time of day. */
  readTime(): Promise<Date>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly machine?: Clocks;
}

/** How often to look whether the machine's clock was set, milliseconds. */
const WATCH_MS = 1_000;
/**
 * While the database's time is known less exactly than this, milliseconds, it is read again at once, up to {@link MOST_READS} times:
 * lists show the records of several processes in the order of their times.
 */
const EXACT_MS = 3;
const MOST_READS = 10;

/** The database's time when `uptime` was 0 is between these two, milliseconds since 1970. */
interface Bounds {
  readonly earliest: number;
  readonly latest: number;
}

/** @returns the part that both have in common; `newer` when there is none, because the database's clock was set between the reads */
function narrow(older: Bounds, newer: Bounds): Bounds {
  const earliest = Math.max(older.earliest, newer.earliest);
  const latest = Math.min(older.latest, newer.latest);
  return earliest <= latest ? { earliest, latest } : newer;
}

function middleOf({ earliest, latest }: Bounds): number {
  return (earliest + latest) / 2;
}

export function createDatabaseClock({
  readTime,
  log,
  machine = MACHINE_CLOCKS,
}: DatabaseClockDeps): DatabaseClock {
  /** The database's time when `uptime` was 0; undefined before the first measurement. */
  let origin: number | undefined;
  let wasRight = true;
  let endWatch = () => {};
  const time = () => (origin === undefined ? machine.now() : origin + machine.uptime());
  const skewMs = () => Math.round(machine.now() - time());
  const isRight = () => Math.abs(skewMs()) <= MOST_SKEW_MS;
  /** The bounds by one read. The database reads its clock between question and answer, and rounds it down to a millisecond. */
  const readOrigin = async (): Promise<Bounds> => {
    const asked = machine.uptime();
    const read = (await readTime()).getTime();
    return { earliest: read - machine.uptime(), latest: read + 1 - asked };
  };
  const measure = async () => {
    let bounds = await readOrigin();
    // An origin that agrees with the read is kept: a slow answer is not exact.
    if (origin === undefined || origin < bounds.earliest || origin > bounds.latest) {
      origin = middleOf(bounds);
      for (let reads = 1; reads < MOST_READS && bounds.latest - bounds.earliest > EXACT_MS; reads += 1) {
        bounds = narrow(bounds, await readOrigin());
        origin = middleOf(bounds);
      }
    }
    wasRight = logSkew(log, skewMs(), wasRight);
  };
  const measureAgain = () => {
    measure().catch((error: unknown) => log.warn({ err: error }, 'clock.not_measured'));
  };
  return {
    now: () => new Date(time()),
    skewMs,
    isRight,
    measure,
    start: () => {
      endWatch = watchClock(WATCH_MS, measureAgain, machine);
    },
    stop: () => endWatch(),
  };
}

/** @returns whether the clock is right */
function logSkew(log: DatabaseClockDeps['log'], skewMs: number, wasRight: boolean): boolean {
  const skew = Math.abs(skewMs);
  if (skew > MOST_SKEW_MS) {
    log.error({ skewMs }, 'clock.wrong');
  } else if (skew > LOGGED_SKEW_MS) {
    log.warn({ skewMs }, 'clock.skewed');
  } else if (!wasRight) {
    log.info({ skewMs }, 'clock.right_again');
  }
  return skew <= MOST_SKEW_MS;
}

/** The clock of a connection's database. */
export function databaseClockOf(connection: Connection, log: DatabaseClockDeps['log']): DatabaseClock {
  return createDatabaseClock({ readTime: () => readDatabaseTime(connection), log });
}

/** The time of day of the server that answers for the database. */
async function readDatabaseTime({ db }: Pick<Connection, 'db'>): Promise<Date> {
  if (!db) {
    throw new Error('The time is read on a connection that is open');
  }
  const { localTime } = await db.command({ hello: 1 });
  if (!(localTime instanceof Date)) {
    throw new Error('The database does not report its time');
  }
  return localTime;
}
