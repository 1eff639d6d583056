import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId } from '../../kernel/account.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { RequestDocument } from './model.ts';

/** Counts of this process since its start. */
interface RequestLogCounts {
  readonly written: number;
  /** Requests that the log lacks, because too many waited or the database did not take them. */
  readonly dropped: number;
}

/** Writes requests to the log, beside them: no request waits for it, and it never fails one. */
export interface RequestRecorder {
  record(request: RequestDocument): void;
  counts(): RequestLogCounts;
  /** Writes what waits, as far as the database takes it in time. Later requests are dropped. */
  close(): Promise<void>;
}

interface RecorderDeps {
  /** Stores documents, in any order. */
  insert(documents: readonly RequestDocument[]): Promise<unknown>;
  readonly log: Pick<Logger, 'warn'>;
  /** How long a request waits for others to be written with it, milliseconds; default 500. */
  readonly everyMs?: number;
  /** How long a close waits for the database, milliseconds; default 2,000. */
  readonly closeMs?: number;
}

/** Half a second: a person who looks for a request finds it at once. */
const EVERY_MS = 500;
/** Most requests in one command. */
const BATCH = 500;
/** Most requests that wait in memory, about 1 kB each. More come only while the database is away, or too slow. */
const MOST_WAITING = 5_000;
/** Of them, those of one partner: a program that fails without end must not push out what others look for. */
const MOST_WAITING_OF_ONE = 500;
const CLOSE_MS = 2_000;

/** One command at a time: the log takes no more of a busy database than that. */
export function createRequestRecorder(deps: RecorderDeps): RequestRecorder {
  const { insert, log, everyMs = EVERY_MS, closeMs = CLOSE_MS } = deps;
  const counts = { written: 0, dropped: 0 };
  let waiting: RequestDocument[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;
  /** How many wait, by account. */
  const shares = new Map<string, number>();
  const changeShare = (accountId: AccountId, by: 1 | -1) => {
    const share = (shares.get(accountId) ?? 0) + by;
    if (share === 0) {
      shares.delete(accountId);
    } else {
      shares.set(accountId, share);
    }
  };
  const writeBatch = async () => {
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    for (const { accountId } of batch) {
      changeShare(accountId, -1);
    }
    try {
      await insert(batch);
      counts.written += batch.length;
    } catch (error) {
      counts.dropped += batch.length;
      log.warn({ err: error, requests: batch.length }, 'request_log.not_stored');
    }
  };
  const writeAll = async () => {
    while (waiting.length > 0) {
      await writeBatch();
    }
  };
  const start = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running ??= writeAll().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    record: (request) => {
      const isFull =
        waiting.length >= MOST_WAITING || (shares.get(request.accountId) ?? 0) >= MOST_WAITING_OF_ONE;
      if (isClosed || isFull) {
        counts.dropped += 1;
        return;
      }
      waiting.push(request);
      changeShare(request.accountId, 1);
      timer ??= setTimeout(() => void start(), everyMs).unref();
    },
    counts: () => ({ ...counts }),
    close: async () => {
      isClosed = true;
      await Promise.race([start(), delay(closeMs, undefined, { ref: false })]);
      counts.dropped += waiting.length;
      waiting = [];
    },
  };
}
