import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { keepRecent } from '../../kernel/recent.ts';
import type { ProcessDocument } from './model.ts';

/** Keeps on record that this process runs, beside its work: no start and no call waits for it, and it never fails one. */
export interface ProcessRecorder {
  /** Says it now, and every 30 s. */
  start(): void;
  /** Says it now, at most once in 5 s. @throws when the database does not take the write, such as when its disk is full */
  prove(): Promise<void>;
  /** Takes the record away, as far as the database lets it in time. Without this it goes by itself. */
  stop(): Promise<void>;
}

interface RecorderDeps {
  /** Stores what the process is, and when it was last seen; again and again. */
  save(process: ProcessDocument): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  /** Checks, after each record, that this process may go on. @throws OperatorError, with what to do, when it may not */
  check(): Promise<void>;
  /** Called once when it may not go on: the process has to end. */
  onRefused(error: OperatorError): void;
  /** The kind of this process. */
  readonly self: Omit<ProcessDocument, 'seenAt'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: () => Date;
  /** 0 to 1: processes that start together do not write together. */
  readonly random?: () => number;
  /** How long a stop waits for the database, milliseconds; default 2,000. */
  readonly stopMs?: number;
  /** Called once when three writes in a row have failed. */
  readonly onUnwritable?: () => void;
}

/** How often a process says that it runs, milliseconds: up to a tenth more or less. */
export const SEEN_EVERY_MS = 30_000;
/** A process that has said nothing for this long is silent, milliseconds: it has missed at least two times. */
export const SILENT_AFTER_MS = 3 * SEEN_EVERY_MS;
const STOP_MS = 2_000;
/** How long a write counts as proof that the database takes more, milliseconds. */
const PROVED_MS = 5_000;
const UNWRITABLE_AFTER = 3;

export function createProcessRecorder(deps: RecorderDeps): ProcessRecorder {
  const { save, check, remove, self, log, clock, random = Math.random, stopMs = STOP_MS } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  let failures = 0;
  const write = () => save({ ...self, seenAt: clock() });
  const prove = keepRecent(PROVED_MS, write);
  const record = async () => {
    try {
      await write();
      failures = 0;
      await check();
    } catch (error) {
      if (error instanceof OperatorError) {
        deps.onRefused(error);
        return;
      }
      failures += 1;
      if (failures === UNWRITABLE_AFTER) {
        deps.onUnwritable?.();
      }
      // It comes back with the next time.
      log.warn({ err: error }, 'process.not_recorded');
    }
    if (!isStopped) {
      const waitMs = SEEN_EVERY_MS * (0.9 + 0.2 * random());
      timer = setTimeout(() => begin(), waitMs).unref();
    }
  };
  const begin = () => {
    running = record();
  };
  const takeAway = async () => {
    // Otherwise a write that is under way would bring it back.
    await running;
    await remove(self._id);
  };
  return {
    start: begin,
    prove: async () => {
      // A stopped process must not come back on record.
      if (!isStopped) {
        await prove();
      }
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      try {
        await Promise.race([takeAway(), delay(stopMs, undefined, { ref: false })]);
      } catch (error) {
        log.warn({ err: error }, 'process.record_not_removed');
      }
    },
  };
}
