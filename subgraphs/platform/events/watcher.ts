import { mongo } from 'mongoose';
import type { Logger } from '../log/log.ts';
import { backoff } from './loop.ts';

type ChangeStream = Pick<mongo.ChangeStream, 'on' | 'close'>;

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

type Watching = { stopped: boolean; failures: number; stream?: ChangeStream; retry?: NodeJS.Timeout };

export function createWatcher(deps: WatcherDeps): Watcher {
  let watching: Watching | undefined;
  return {
    start: () => {
      if (watching === undefined) {
        watching = { stopped: false, failures: 0 };
        watch(deps, watching);
      }
    },
    stop: async () => {
      const ended = watching;
      watching = undefined;
      if (ended !== undefined) {
        ended.stopped = true;
        clearTimeout(ended.retry);
        await close(deps, ended.stream);
      }
    },
  };
}

function watch(deps: WatcherDeps, watching: Watching): void {
  if (watching.stopped) {
    return;
  }
  const stream = deps.open();
  watching.stream = stream;
  let ended = false;
  // The driver resumes by itself where it can; what ends here is over. Both events may come, in either order.
  const onEnd = (error?: unknown) => {
    if (ended || watching.stopped) {
      return;
    }
    ended = true;
    void close(deps, stream);
    reopen(deps, watching, error);
  };
  stream.on('change', () => {
    watching.failures = 0;
    deps.onChange();
  });
  // The first sign that the server has opened it, also after the driver resumed by itself. Ringing sooner would leave
  // what comes in between unheard. It also comes with every empty answer, about once a second: a turn for nothing.
  stream.on('resumeTokenChanged', () => deps.onChange());
  stream.on('error', onEnd);
  stream.on('close', () => onEnd());
}

function reopen(deps: WatcherDeps, watching: Watching, error: unknown): void {
  if (error instanceof mongo.MongoServerError && UNSUPPORTED_CODES.includes(error.code)) {
    deps.log.info({ err: error }, 'events.watch is not offered by this store; polling only');
    return;
  }
  watching.failures += 1;
  if (watching.failures === 1) {
    deps.log.warn({ err: error }, 'events.watch was interrupted; polling until it is back');
  }
  watching.retry = setTimeout(() => watch(deps, watching), backoff(watching.failures));
}

async function close({ log }: WatcherDeps, stream: ChangeStream | undefined): Promise<void> {
  try {
    await stream?.close();
  } catch (error) {
    // Its server-side cursor ends by itself: nothing is lost where the database could not be reached.
    log.debug({ err: error }, 'events.watch not closed');
  }
}
