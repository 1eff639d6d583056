import { mongo } from 'mongoose';
import { pause } from '../../kernel/abort.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { outsideCalls } from '../../kernel/outside-calls.ts';
import { backoff } from './loop.ts';
import { createPacing, type Pacing } from './pacing.ts';

/** The part of a change stream that is read here. */
export interface ChangeStream<Change> {
  tryNext(): Promise<Change | null>;
  bufferedCount(): number;
  readonly closed: boolean;
  once(event: 'resumeTokenChanged', listener: () => void): unknown;
  close(): Promise<void>;
}

/** A change stream as a wake signal. Without it polling does the work, later. */
export interface Watcher {
  /** Does nothing when it watches already. */
  start(): void;
  stop(): Promise<void>;
  /**
   * Whether it reports changes within milliseconds: the change stream is open, as far as the watcher knows, and not one of a
   * mongos. That one holds changes back until every shard has written something, on an idle one after up to 10 s
   * (`periodicNoopIntervalSecs`).
   */
  isPrompt(): boolean;
}

export interface WatcherDeps<Change> {
  open(): ChangeStream<Change>;
  /** Whether it is opened on a mongos. Default: no. */
  readonly isOfMongos?: boolean;
  /** How often the server is queried at most. Default: as often as the sequencer takes turns. */
  pacing?(): Pacing;
  /** Called after each opening: something may have changed before. */
  onOpen(): void;
  /** Called with changes that came together. */
  onChanges(changes: readonly Change[]): void;
  log: Logger;
}

/** CommandNotSupported, CommandNotFound, and "only supported on replica sets". */
const UNSUPPORTED_CODES: readonly unknown[] = [115, 59, 40_573];

interface Watching<Change> {
  readonly ending: AbortController;
  stream?: ChangeStream<Change>;
  isOpen: boolean;
}

export function createWatcher<Change>(deps: WatcherDeps<Change>): Watcher {
  let watching: Watching<Change> | undefined;
  return {
    start: () => {
      if (watching === undefined) {
        const begun: Watching<Change> = { ending: new AbortController(), isOpen: false };
        watching = begun;
        void outsideCalls(() => watch(deps, begun));
      }
    },
    stop: async () => {
      const ended = watching;
      watching = undefined;
      if (ended !== undefined) {
        ended.ending.abort();
        await close(deps, ended.stream);
      }
    },
    isPrompt: () => watching?.isOpen === true && !deps.isOfMongos,
  };
}

/** Never throws. */
async function watch<Change>(deps: WatcherDeps<Change>, watching: Watching<Change>): Promise<void> {
  const { signal } = watching.ending;
  let failures = 0;
  const onAnswer = () => {
    failures = 0;
  };
  while (!signal.aborted) {
    const error = await follow(deps, watching, onAnswer);
    watching.isOpen = false;
    if (signal.aborted) {
      return;
    }
    await close(deps, watching.stream);
    if (error instanceof mongo.MongoServerError && UNSUPPORTED_CODES.includes(error.code)) {
      deps.log.info({ err: error }, 'events.watch_unavailable');
      return;
    }
    failures += 1;
    if (failures === 1) {
      deps.log.warn({ err: error }, 'events.watch_interrupted');
    }
    await pause(backoff(failures), signal);
  }
}

/**
 * Reads a stream until it ends. After what it hands over it is left alone for a while: it would hand over each commit by
 * itself, and each of these answers is a command. SecantusDB answers each open stream after every write, whatever was
 * written and where.
 * @returns the error that has ended it. The driver resumes by itself where it can; what ends here is over
 */
async function follow<Change>(
  { open, onOpen, onChanges, pacing: newPacing = createPacing }: WatcherDeps<Change>,
  watching: Watching<Change>,
  onAnswer: () => void,
): Promise<unknown> {
  const { signal } = watching.ending;
  const pacing = newPacing();
  try {
    const stream = open();
    watching.stream = stream;
    // The first sign that the server has opened the stream. Waking earlier would miss what comes in between.
    stream.once('resumeTokenChanged', () => {
      watching.isOpen = true;
      onOpen();
    });
    while (!signal.aborted && !stream.closed) {
      const asked = performance.now();
      const changes = await nextChanges(stream);
      const answered = performance.now();
      onAnswer();
      if (changes.length > 0) {
        onChanges(changes);
      }
      // An answer without changes has kept the server waiting: all of that time counts, and mostly it is enough.
      const from = changes.length > 0 ? answered : asked;
      const restMs = from + pacing.count() - performance.now();
      if (restMs > 0) {
        await pause(restMs, signal);
      }
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The changes in the next answer; about once a second it has none. */
async function nextChanges<Change>(stream: ChangeStream<Change>): Promise<Change[]> {
  const changes: Change[] = [];
  do {
    const change = await stream.tryNext();
    if (change !== null) {
      changes.push(change);
    }
  } while (stream.bufferedCount() > 0);
  return changes;
}

async function close<Change>(
  { log }: WatcherDeps<Change>,
  stream: ChangeStream<Change> | undefined,
): Promise<void> {
  try {
    await stream?.close();
  } catch (error) {
    // Its server-side cursor ends by itself: nothing is lost where the database could not be reached.
    log.debug({ err: error }, 'events.watch_not_closed');
  }
}
