import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';

/** A present or former status of a money request. */
export interface StatusChange {
  /** Such as `PENDING`. */
  readonly status: string;
  readonly statusDetails: string;
  /** Time of the status, ISO 8601. */
  readonly at: string;
  /** The place in the event log; later changes come after it. */
  readonly cursor: string;
}

/** The part of the graph that a watch reads. Problems that only the operator can fix are OperatorErrors. */
export interface WatchedGraph {
  /** @throws OperatorError for an unknown money request */
  find(reference: string): Promise<StatusChange>;
  /**
   * The changes after a cursor; ends or throws when the server goes away. @throws CursorGoneError for a cursor that is older
   * than the log
   */
  follow(reference: string, after: string): AsyncIterable<StatusChange>;
}

/** The log no longer has the events after a cursor. */
export class CursorGoneError extends Error {
  override readonly name = 'CursorGoneError';
}

interface WatchDeps {
  readonly graph: WatchedGraph;
  readonly reference: string;
  /** Gets each status once. */
  show(change: StatusChange): void;
  /** Reports progress to the user. */
  say(line: string): void;
  /** Waits before the next attempt; rejects if the watch stops. */
  pause(ms: number): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const FINAL: ReadonlySet<string> = new Set(['COMPLETED', 'REJECTED', 'CANCELLED']);

interface Progress {
  /** The last printed status. */
  last?: StatusChange;
  /** Whether to read the present status: at the beginning, and when the log does not go back to the last event. */
  isFresh: boolean;
  /** The number of outages since the last change that was printed. */
  tries: number;
}

/**
 * Prints each status of a money request until its last, which it returns. After an outage of the server it continues after
 * the last event: no status is missing or printed twice. @throws OperatorError
 */
export async function watch(deps: WatchDeps): Promise<string> {
  const progress: Progress = { isFresh: true, tries: 0 };
  for (;;) {
    const final = await sayChanges(deps, progress);
    if (final !== undefined) {
      return final;
    }
    if (progress.tries === 0) {
      deps.say('The server is away. Trying again …');
    }
    await deps.pause(pauseOf(progress.tries, deps.random()));
    progress.tries += 1;
  }
}

/** Prints changes until the connection ends, or until the last status, which it returns. */
async function sayChanges(
  { graph, reference, show }: WatchDeps,
  progress: Progress,
): Promise<string | undefined> {
  try {
    for await (const change of changes(graph, reference, progress)) {
      if (progress.last === undefined || isDifferent(progress.last, change)) {
        show(change);
      }
      // A server that answers but ends each stream is tried less and less often, too.
      const tries = progress.isFresh ? progress.tries : 0;
      Object.assign(progress, { last: change, isFresh: false, tries });
      if (FINAL.has(change.status)) {
        return change.status;
      }
    }
  } catch (error) {
    if (error instanceof OperatorError) {
      throw error;
    }
    progress.isFresh ||= error instanceof CursorGoneError;
  }
  return undefined;
}

/** Prints the present status, unless it is known, and then later changes. */
async function* changes(
  graph: WatchedGraph,
  reference: string,
  { isFresh, last }: Progress,
): AsyncGenerator<StatusChange> {
  let cursor = isFresh ? undefined : last?.cursor;
  if (cursor === undefined) {
    const present = await graph.find(reference);
    yield present;
    cursor = present.cursor;
  }
  yield* graph.follow(reference, cursor);
}

/** A status that is read again because its cursor expired may have been printed already. */
function isDifferent(one: StatusChange, other: StatusChange): boolean {
  return one.status !== other.status || one.statusDetails !== other.statusDetails || one.at !== other.at;
}

/** Doubles up to 10 s. Half of it is random, so that watches of one server do not all reconnect at once. */
function pauseOf(tries: number, chance: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(tries, 10));
  return longest / 2 + (longest / 2) * chance;
}
