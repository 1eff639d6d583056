import { mongo } from 'mongoose';
import type { Logger } from '../log/log.ts';
import { backoff, pause, SPACING_MS } from './loop.ts';

type ChangeStream = Pick<mongo.ChangeStream, 'once' | 'tryNext' | 'bufferedCount' | 'close'>;

/** A change stream as a wake signal: it says that something changed, never what. Without it polling does the work, later. */
export interface Watcher {
  /** Does nothing when it watches already. */
  start(): void;
  stop(): Promise<void>;
}

interface WatcherDeps {
  open(): ChangeStream;
  /** Called on each change, and after each opening because of what may have changed before. */
  onChange(): void;
  log: Logger;
}

/** CommandNotSupported, CommandNotFound, and "only supported on replica sets". */
const UNSUPPORTED_CODES: readonly unknown[] = [115, 59, 40_573];

type Watching = { readonly over: AbortController; failures: number; stream?: ChangeStream };

export function createWatcher(deps: WatcherDeps): Watcher {
  let watching: Watching | undefined;
  return {
    start: () => {
      if (watching === undefined) {
        watching = { over: new AbortController(), failures: 0 };
        void watch(deps, watching);
      }
    },
    stop: async () => {
      const ended = watching;
      watching = undefined;
      if (ended !== undefined) {
        ended.over.abort();
        await close(deps, ended.stream);
      }
    },
  };
}

/** Opens the stream, and opens it again whenever it ends, until it is stopped. */
async function watch(deps: WatcherDeps, watching: Watching): Promise<void> {
  const { signal } = watching.over;
  while (!signal.aborted) {
    try {
      watching.stream = deps.open();
      await listen(deps, watching, watching.stream);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      void close(deps, watching.stream);
      if (!offersStreams(deps, error)) {
        return;
      }
      noteFailure(deps, watching, error);
      await pause(backoff(watching.failures), signal);
    }
  }
}

/** @throws when the stream ends. The driver resumes by itself where it can, from where it was: what ends here is over. */
async function listen(deps: WatcherDeps, watching: Watching, stream: ChangeStream): Promise<void> {
  const { signal } = watching.over;
  // The first sign that the server has opened it. A wake signal sooner would leave what comes in between unheard.
  stream.once('resumeTokenChanged', () => deps.onChange());
  while (!signal.aborted) {
    const change = await stream.tryNext();
    watching.failures = 0;
    if (change !== null) {
      deps.onChange();
    }
    // What is woken takes no step sooner either, and a burst of changes is a few answers. SecantusDB answers each open
    // stream after every write, whatever was written and where.
    if (stream.bufferedCount() === 0) {
      await pause(SPACING_MS, signal);
    }
  }
}

function offersStreams({ log }: WatcherDeps, error: unknown): boolean {
  if (error instanceof mongo.MongoServerError && UNSUPPORTED_CODES.includes(error.code)) {
    log.info({ err: error }, 'events.watch is not offered by this store; polling only');
    return false;
  }
  return true;
}

function noteFailure({ log }: WatcherDeps, watching: Watching, error: unknown): void {
  watching.failures += 1;
  if (watching.failures === 1) {
    log.warn({ err: error }, 'events.watch was interrupted; polling until it is back');
  }
}

async function close({ log }: WatcherDeps, stream: ChangeStream | undefined): Promise<void> {
  try {
    await stream?.close();
  } catch (error) {
    // Its server-side cursor ends by itself: nothing is lost where the database could not be reached.
    log.debug({ err: error }, 'events.watch not closed');
  }
}
