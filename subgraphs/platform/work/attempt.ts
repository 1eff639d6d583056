import type { Unaborted } from '../abort.ts';
import type { Logger } from '../log/log.ts';
import { recordOf } from '../objects.ts';
import { type Claimable, type Claimed, type Claims, LeaseLostError } from './claim.ts';

/** What attempts of every kind may come to, as the metrics call it. */
export type KernelOutcome =
  /** The document was crash-looping, and was dead-lettered for it. */
  | 'poisoned'
  /** Given back untried or unfinished. */
  | 'released'
  /** Nothing was written, for the lease had been lost. */
  | 'stale'
  /** Ended without a committed outcome: the lease runs out, and the attempt is made again. */
  | 'unrecorded';

/** What attempts have come to since the process started. */
export type AttemptCounts<Outcome extends string> = Record<Outcome | KernelOutcome, number>;

/** An attempt that is written down. */
export interface Committed<Document extends Claimable, Outcome extends string> {
  /** The counters that go up. */
  readonly outcomes: readonly (Outcome | KernelOutcome)[];
  readonly line: LogLine;
  /** The document with its lease renewed, when its next step begins at once. */
  readonly next?: Claimed<Document> | undefined;
}

/** The one log line of an attempt; the kernel adds what identifies the document, and `ms` where the fields have none. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  /** Its name behind the job's, such as `attempt`. */
  readonly event: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * One kind of work. A slice says here what to do with a claimed document and how to write what came of it; everything
 * else (claims, leases, crash loops, giving back, counters, log lines) is the kernel's.
 */
export interface Job<Document extends Claimable, Performed, Outcome extends string> {
  /** Begins the names of log lines, such as `webhook`. */
  readonly name: string;
  /** What its attempts may come to besides {@link KernelOutcome}. */
  readonly outcomes: readonly Outcome[];
  /** Claims without a committed outcome behind which a document is taken to be what kills its workers. */
  readonly maxClaims: number;
  /** How much of the lease must be left to begin, milliseconds: what `perform` may take at most. */
  readonly performMs: number;
  /** What identifies a document in log lines: ids, nothing personal. */
  identify(document: Document): Readonly<Record<string, unknown>>;
  /** Does the work, outside of any transaction. Where it ends by `signal`, the document is given back. */
  perform(claimed: Claimed<Document>, signal: AbortSignal): Promise<Unaborted<Performed>>;
  /** Writes what came of it, all in one transaction. @throws LeaseLostError when the lease token is not the document's */
  commit(claimed: Claimed<Document>, performed: Performed): Promise<Committed<Document, Outcome>>;
  /** Ends a document that is crash-looping. @throws LeaseLostError likewise */
  deadLetter(claimed: Claimed<Document>): Promise<Committed<Document, Outcome>>;
  /**
   * Writes that the attempt failed by an error. Without it the document is left to its lease and counts as unrecorded.
   * @throws LeaseLostError likewise
   */
  recover?(claimed: Claimed<Document>, error: unknown): Promise<Committed<Document, Outcome>>;
  /** The log line of a document that was given back. */
  released(document: Document): LogLine;
}

/**
 * Claims without an outcome after which a document is taken to be what kills its workers. A crash takes all along that a worker
 * has claimed, also what it was not at: a version that crashes by itself for half an hour must not end documents that would
 * have been fine after it. So the number is large; who is really at fault delays others until then, and loses none of them.
 */
export const CRASH_LOOP_CLAIMS = 100;

export interface Attempts<Document extends Claimable, Outcome extends string> {
  /** Makes an attempt, and those that follow at once. Never throws. */
  run(claimed: Claimed<Document>, signal: AbortSignal): Promise<void>;
  readonly counts: Readonly<AttemptCounts<Outcome>>;
}

interface AttemptDeps<Document extends Claimable> {
  readonly claims: Pick<Claims<Document>, 'release'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly clock: () => Date;
}

const KERNEL_OUTCOMES: readonly KernelOutcome[] = ['poisoned', 'released', 'stale', 'unrecorded'];

/**
 * Makes attempts at claimed documents. At least once: a process that dies between `perform` and the end of `commit` leaves
 * a lease that runs out, and the attempt is made again.
 */
export function createAttempts<Document extends Claimable, Performed, Outcome extends string>(
  job: Job<Document, Performed, Outcome>,
  deps: AttemptDeps<Document>,
): Attempts<Document, Outcome> {
  const names = [...job.outcomes, ...KERNEL_OUTCOMES];
  const counts: AttemptCounts<Outcome> = recordOf(names, () => 0);
  return {
    counts,
    run: async (claimed, signal) => {
      let held: Claimed<Document> | undefined = claimed;
      while (held) {
        held = await attempt(job, deps, counts, held, signal);
      }
    },
  };
}

/** One attempt, its counters and its log line; the document when its next step begins at once. */
async function attempt<Document extends Claimable, Performed, Outcome extends string>(
  job: Job<Document, Performed, Outcome>,
  deps: AttemptDeps<Document>,
  counts: AttemptCounts<Outcome>,
  claimed: Claimed<Document>,
  signal: AbortSignal,
): Promise<Claimed<Document> | undefined> {
  const { log } = deps;
  const ids = job.identify(claimed.document);
  const started = performance.now();
  try {
    const { outcomes, line, next } = await settle(job, deps, claimed, signal);
    for (const outcome of outcomes) {
      counts[outcome] += 1;
    }
    const ms = Math.round(performance.now() - started);
    log[line.level]({ ...ids, ms, ...line.fields }, `${job.name}.${line.event}`);
    return next;
  } catch (error) {
    if (error instanceof LeaseLostError) {
      counts.stale += 1;
      log.warn(ids, `${job.name}.lease_lost`);
    } else {
      counts.unrecorded += 1;
      log.error({ ...ids, err: error }, `${job.name}.unrecorded`);
    }
    return undefined;
  }
}

async function settle<Document extends Claimable, Performed, Outcome extends string>(
  job: Job<Document, Performed, Outcome>,
  deps: AttemptDeps<Document>,
  claimed: Claimed<Document>,
  signal: AbortSignal,
): Promise<Committed<Document, Outcome>> {
  try {
    if (claimed.document.claims > job.maxClaims) {
      return await job.deadLetter(claimed);
    }
    // A process that stood still since the claim (suspended, starved) must not begin beside the next claimer.
    const isShort = deps.clock().getTime() + job.performMs > claimed.leaseUntil.getTime();
    const performed: Unaborted<Performed> =
      signal.aborted || isShort ? { aborted: true } : await job.perform(claimed, signal);
    if (!performed.aborted) {
      return await job.commit(claimed, performed.value);
    }
  } catch (error) {
    if (error instanceof LeaseLostError || !job.recover) {
      throw error;
    }
    return job.recover(claimed, error);
  }
  // Not recovered where it fails: nothing was tried that could count as a failed attempt. The lease runs out then.
  return giveBack(job, deps, claimed);
}

async function giveBack<Document extends Claimable, Performed, Outcome extends string>(
  job: Job<Document, Performed, Outcome>,
  { claims }: AttemptDeps<Document>,
  claimed: Claimed<Document>,
): Promise<Committed<Document, Outcome>> {
  await claims.release(claimed);
  return { outcomes: ['released'], line: job.released(claimed.document) };
}
