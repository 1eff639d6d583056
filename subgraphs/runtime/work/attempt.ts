import type { Unaborted } from '../../kernel/abort.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { recordOf } from '../../kernel/objects.ts';
import type { Cause, SpanAttributes, SpanEnd, Tracing } from '../../kernel/tracing/tracing.ts';
import { type Claimable, type Claimed, type Claims, LeaseLostError } from './claim.ts';

/** Outcomes that attempts of every kind have, by their names in metrics. */
type KernelOutcome =
  /** The document was crash-looping, and was dead-lettered for it. */
  | 'crashLooping'
  /** The document was given back, untried or unfinished. */
  | 'released'
  /** Nothing was written, because the lease was lost. */
  | 'stale'
  /** The attempt ended without a committed outcome: the lease runs out, and the attempt is made again. */
  | 'unrecorded';

/** Counts of attempts by outcome since the process started. */
export type AttemptCounts<Outcome extends string> = Record<Outcome | KernelOutcome, number>;

/** The result of an attempt that was recorded. */
export interface Committed<Document extends Claimable, Outcome extends string> {
  /** The counters to increase. */
  readonly outcomes: readonly [Outcome | KernelOutcome, ...(Outcome | KernelOutcome)[]];
  readonly line: LogLine;
  /** The class or code of the failure, for the attempt's span. */
  readonly errorType?: string | undefined;
  /** The document with a renewed lease, when its next step begins at once. */
  readonly next?: Claimed<Document> | undefined;
}

/** The one log line of an attempt; the kernel adds what identifies the document, and `ms` where the fields have none. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  /** The end of its name, after the job's name, such as `attempt`. */
  readonly event: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** An attempt before its span. */
export interface TracedAttempt {
  /** Such as `webhook.attempt`. */
  readonly name: string;
  readonly attributes: SpanAttributes;
  readonly cause: Cause;
}

/**
 * One kind of work. A slice defines here what to do with a claimed document and how to write the outcome; the kernel does
 * everything else (claims, leases, crash loops, giving back, counters, log lines).
 */
export interface Job<Document extends Claimable, Performed, Outcome extends string> {
  /** The prefix of log line names, such as `webhook`. */
  readonly name: string;
  /** The outcomes of its attempts besides {@link KernelOutcome}. */
  readonly outcomes: readonly Outcome[];
  /** After so many claims without a committed outcome, a document counts as crash-looping. */
  readonly maxClaims: number;
  /** How much of the lease must be left to begin, milliseconds: the longest time of `perform`. */
  readonly performMs: number;
  /** Fields that identify a document in log lines: ids, nothing personal. */
  identify(document: Document): Readonly<Record<string, unknown>>;
  /** The attempt's span: its name, its attributes (ids, nothing personal), and what caused the work. */
  trace(document: Document): TracedAttempt;
  /** Does the work, outside of any transaction. When it ends by `signal`, the document is given back. */
  perform(claimed: Claimed<Document>, signal: AbortSignal): Promise<Unaborted<Performed>>;
  /** Writes the outcome in one transaction. @throws LeaseLostError when the document has another lease token */
  commit(claimed: Claimed<Document>, performed: Performed): Promise<Committed<Document, Outcome>>;
  /** Ends a document that is crash-looping. @throws LeaseLostError likewise */
  deadLetter(claimed: Claimed<Document>): Promise<Committed<Document, Outcome>>;
  /**
   * Records an error as the failure of the attempt. Without this function the document keeps its lease and counts as
   * unrecorded. @throws LeaseLostError likewise
   */
  recover?(claimed: Claimed<Document>, error: unknown): Promise<Committed<Document, Outcome>>;
  /** Marks of work that a document has no more when it is given back before this work began. */
  unbegun?(document: Document): readonly (keyof Document & string)[];
  /** The log line of a document that was given back. */
  released(document: Document): LogLine;
}

/**
 * After so many claims without an outcome, a document counts as the one that kills its workers. A crash takes everything that
 * a worker has claimed, even documents that it was not working at: a version that crashes by itself for half an hour must not
 * end documents that would be fine after it. So the number is large. The document that is at fault delays the others until
 * then, and loses none of them.
 */
export const CRASH_LOOP_CLAIMS = 100;

interface Attempts<Document extends Claimable, Outcome extends string> {
  /** Makes an attempt, and the steps that follow at once. Never throws. */
  run(claimed: Claimed<Document>, signal: AbortSignal): Promise<void>;
  readonly counts: Readonly<AttemptCounts<Outcome>>;
}

interface AttemptDeps<Document extends Claimable> {
  readonly claims: Pick<Claims<Document>, 'release'>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly clock: () => Date;
  /** Whether the machine's clock is right. While it is not, no attempt begins. */
  readonly isClockRight: () => boolean;
  readonly tracing: Tracing;
}

const KERNEL_OUTCOMES: readonly KernelOutcome[] = ['crashLooping', 'released', 'stale', 'unrecorded'];

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

/** Makes one attempt, with its counters and log line. Returns the document when its next step begins at once. */
async function attempt<Document extends Claimable, Performed, Outcome extends string>(
  job: Job<Document, Performed, Outcome>,
  deps: AttemptDeps<Document>,
  counts: AttemptCounts<Outcome>,
  claimed: Claimed<Document>,
  signal: AbortSignal,
): Promise<Claimed<Document> | undefined> {
  const { log, tracing } = deps;
  const ids = job.identify(claimed.document);
  const started = performance.now();
  try {
    const { outcomes, line, next } = await tracing.span(
      { kind: 'consumer', ...job.trace(claimed.document) },
      () => settle(job, deps, claimed, signal),
      toSpanEnd,
    );
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

function toSpanEnd({ outcomes, errorType }: Committed<Claimable, string>): SpanEnd {
  return { attributes: { 'remitgraph.attempt.outcome': outcomes[0] }, errorType };
}

async function settle<Document extends Claimable, Performed, Outcome extends string>(
  job: Job<Document, Performed, Outcome>,
  deps: AttemptDeps<Document>,
  claimed: Claimed<Document>,
  signal: AbortSignal,
): Promise<Committed<Document, Outcome>> {
  let hasBegun = false;
  try {
    if (claimed.document.claims > job.maxClaims) {
      return await job.deadLetter(claimed);
    }
    // A process that was suspended since the claim must not begin beside the next claimer.
    const isShort = deps.clock().getTime() + job.performMs > claimed.leaseUntil.getTime();
    hasBegun = !(signal.aborted || isShort) && deps.isClockRight();
    const performed: Unaborted<Performed> = !hasBegun
      ? { aborted: true }
      : await job.perform(claimed, signal);
    if (!performed.aborted) {
      return await job.commit(claimed, performed.value);
    }
  } catch (error) {
    if (error instanceof LeaseLostError || !job.recover) {
      throw error;
    }
    return job.recover(claimed, error);
  }
  // When this fails, nothing recovers it: nothing was tried that could count as a failed attempt. The lease runs out then.
  return giveBack(job, deps, claimed, hasBegun);
}

async function giveBack<Document extends Claimable, Performed, Outcome extends string>(
  job: Job<Document, Performed, Outcome>,
  { claims }: AttemptDeps<Document>,
  claimed: Claimed<Document>,
  hasBegun: boolean,
): Promise<Committed<Document, Outcome>> {
  await claims.release(claimed, hasBegun ? [] : job.unbegun?.(claimed.document));
  return { outcomes: ['released'], line: job.released(claimed.document) };
}
