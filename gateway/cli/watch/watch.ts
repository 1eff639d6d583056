import { OperatorError } from '../../../subgraphs/platform/errors/operator-error.ts';

/** A status that a money request has, or has come to. */
export interface StatusChange {
  /** Such as `PENDING`. */
  readonly status: string;
  readonly statusDetails: string;
  /** When it came there, ISO 8601. */
  readonly at: string;
  /** The place in the event log; behind it comes what happens later. */
  readonly cursor: string;
}

/** The part of the graph that a watch reads. What can be mended only by the operator is an OperatorError. */
export interface WatchedGraph {
  /** @throws OperatorError where there is no such money request */
  find(reference: string): Promise<StatusChange>;
  /**
   * What happens behind a cursor; ends or throws when the server goes.
   * @throws CursorGoneError for a cursor that the log goes back to no more
   */
  follow(reference: string, after: string): AsyncIterable<StatusChange>;
}

/** The log no longer has what came behind a cursor. */
export class CursorGoneError extends Error {
  override readonly name = 'CursorGoneError';
}

interface WatchDeps {
  readonly graph: WatchedGraph;
  readonly reference: string;
  say(line: string): void;
  /** Waits before the next try; rejects when the watch is to stop. */
  pause(ms: number): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const FINAL: ReadonlySet<string> = new Set(['COMPLETED', 'REJECTED', 'CANCELLED']);

/** How far a watch has come. */
interface Progress {
  /** What was said last. */
  last?: StatusChange;
  /** Whether the present status is to be read: at the beginning, and when the log does not go back to the last event. */
  isFresh: boolean;
  /** How often the server was away since the last event. */
  tries: number;
}

/**
 * Says each status of a money request until its last, which it returns. It goes on behind the last event when the server
 * was away: no status is left out or said twice.
 * @throws OperatorError
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

/** Says what comes until the server goes, or until the last status, which it returns. */
async function sayChanges(
  { graph, reference, say }: WatchDeps,
  progress: Progress,
): Promise<string | undefined> {
  try {
    for await (const change of changes(graph, reference, progress)) {
      if (progress.last === undefined || isDifferent(progress.last, change)) {
        say(`${change.at}  ${change.status}  ${change.statusDetails}`);
      }
      Object.assign(progress, { last: change, isFresh: false, tries: 0 });
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

/** The present status, unless it is known, and then what happens. */
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

/** What is read anew after a cursor has gone may be what was said already. */
function isDifferent(one: StatusChange, other: StatusChange): boolean {
  return one.status !== other.status || one.statusDetails !== other.statusDetails || one.at !== other.at;
}

/** Doubles up to 10 s; half of it is chance, so that watches of one server do not come back all at once. */
function pauseOf(tries: number, chance: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(tries, 10));
  return longest / 2 + (longest / 2) * chance;
}
