import { setTimeout as delay } from 'node:timers/promises';
import { type ClientSession, type Connection, mongo } from 'mongoose';
import type { AccountId } from '../account.ts';
import { createSendWrites, type SendWrites } from './send-writes.ts';
import { createTurns } from './turns.ts';
import { type Begin, createUnitOfWork, type OpenUnitOfWork, type UnitOfWork } from './unit-of-work.ts';

const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;
const MAX_TIME_EXPIRED = 50;
/** How often work is repeated after others were faster. */
const RACES = 5;
const FIRST_BACKOFF_MS = 5;
const BACKOFF_GROWTH = 1.5;
const LONGEST_BACKOFF_MS = 500;
const PATIENCE_MS = 30_000;
const STOP_PATIENCE_MS = 2_000;
/** Journalled, even on a replica set whose `writeConcernMajorityJournalDefault` is off. */
const MAJORITY = { writeConcern: { w: 'majority', journal: true } } as const;
const SNAPSHOT = { ...MAJORITY, readConcern: { level: 'snapshot' } } as const;

/**
 * Runs a piece of work in one transaction: all of its writes happen or none. They are sent when the work is done.
 * @param turn names what it writes that others write too, such as a user. Transactions of this process with the same turn
 * run one after the other: at once they would only conflict, and be repeated with growing pauses
 * @param sharing `shared` for work that reads nothing in the transaction: what waits for the same turn is written in one
 * transaction, see {@link Turns}
 */
export type RunTransaction = <T>(
  work: (unit: UnitOfWork) => Promise<T> | T,
  turn?: string,
  sharing?: 'shared',
) => Promise<T>;

/** The parts of a connection that transactions use. */
type TransactionalConnection = Pick<Connection, 'startSession' | 'getClient' | 'name'>;

interface TransactionOptions {
  /** Aborted when the process stops: a transaction that meets conflicts from then on is given up after 2 s. */
  readonly signal?: AbortSignal;
  /** How long a transaction that meets conflicts is begun again, in milliseconds. Default 30,000. */
  readonly patienceMs?: number;
  /** Whether the server knows the command `bulkWrite`. By default the server is called to find out. */
  readonly bulkWrite?: boolean;
}

/**
 * Transactions on the database. The work may run more than once (it is repeated after a write conflict), so it does nothing
 * but read and write through the unit of work that it is given: never HTTP inside.
 *
 * Not the driver's `withTransaction`: that repeats for 120 s, even if no caller waits any more and although the process is to stop,
 * and a commit whose outcome is unknown without any pause, which keeps both the process and the database busy.
 * @throws any error of the work and its writes; when the patience is over, the last conflict, with its label `TransientTransactionError`
 *   (nothing was written), or `UnknownTransactionCommitResult` (it may have been)
 */
export function createTransactions(
  connection: TransactionalConnection,
  options: TransactionOptions = {},
): RunTransaction {
  const runner: Runner = { connection, send: createSendWrites(connection, options), options };
  const turns = createTurns((work) => run(runner, work));
  return (work, turn, sharing) => {
    if (turn === undefined) {
      return run(runner, work);
    }
    return sharing === 'shared' ? turns.shared(turn, work) : turns.alone(turn, work);
  };
}

/** The options of transactions. */
interface Runner {
  readonly connection: TransactionalConnection;
  readonly send: SendWrites;
  readonly options: TransactionOptions;
}

async function run<T>(
  { connection, send, options }: Runner,
  work: (unit: UnitOfWork) => Promise<T> | T,
): Promise<T> {
  // Without causal consistency, which would give a transaction that only writes a read concern: not every server takes one there.
  const session = await connection.startSession({ causalConsistency: false });
  const patience = startPatience(options);
  try {
    while (true) {
      try {
        return await attempt(session, send, work, patience);
      } catch (error) {
        if (!isTransient(error) || !(await patience.wait())) {
          throw error;
        }
      }
    }
  } finally {
    await session.endSession();
  }
}

/** The turn of transactions that hold a user of an account, by any of the user's ids. */
export function queueKey(accountId: AccountId, user: { userId: string } | { referenceId: string }): string {
  return 'userId' in user ? `user|${accountId}|${user.userId}` : `reference|${accountId}|${user.referenceId}`;
}

async function attempt<T>(
  session: ClientSession,
  send: SendWrites,
  work: (unit: UnitOfWork) => Promise<T> | T,
  patience: Patience,
): Promise<T> {
  const begin: Begin = (kind) => {
    if (!session.inTransaction()) {
      session.startTransaction(kind === 'reading' ? SNAPSHOT : MAJORITY);
    }
  };
  const unit = createUnitOfWork(session, begin, send);
  let committed = false;
  try {
    const value = await workAndSend(session, unit, work);
    if (session.inTransaction()) {
      await commit(session, patience);
    }
    committed = true;
    return value;
  } finally {
    unit.end(committed);
  }
}

async function workAndSend<T>(
  session: ClientSession,
  unit: OpenUnitOfWork,
  work: (unit: UnitOfWork) => Promise<T> | T,
): Promise<T> {
  try {
    const value = await work(unit);
    await unit.finish();
    return value;
  } catch (error) {
    if (session.inTransaction()) {
      // The driver hides errors here: the database itself ends a transaction that nobody ends.
      await session.abortTransaction();
    }
    throw error;
  }
}

async function commit(session: ClientSession, patience: Patience): Promise<void> {
  while (true) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!isUnknownCommit(error) || !(await patience.wait())) {
        throw error;
      }
    }
  }
}

/** How long a transaction is tried again. */
interface Patience {
  /** Waits before the next try, each time a little longer. @returns false at once when there must be no other try */
  wait(): Promise<boolean>;
}

function startPatience({ signal, patienceMs = PATIENCE_MS }: TransactionOptions): Patience {
  let deadline = performance.now() + patienceMs;
  let tries = 0;
  let isStopping = false;
  return {
    wait: async () => {
      if (signal?.aborted && !isStopping) {
        isStopping = true;
        deadline = Math.min(deadline, performance.now() + STOP_PATIENCE_MS);
      }
      const ms = jittered(tries);
      tries += 1;
      if (performance.now() + ms >= deadline) {
        return false;
      }
      await delay(ms);
      return true;
    },
  };
}

/** Random, so that transactions that met do not meet again. */
function jittered(tries: number): number {
  return Math.random() * Math.min(FIRST_BACKOFF_MS * BACKOFF_GROWTH ** tries, LONGEST_BACKOFF_MS);
}

/** Nothing was written, and the same transaction may succeed next time. */
function isTransient(error: unknown): boolean {
  return error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
}

/** Nobody knows whether it was committed; a commit may be sent again. Not when the database took too long for it. */
function isUnknownCommit(error: unknown): boolean {
  return (
    error instanceof mongo.MongoError &&
    error.hasErrorLabel('UnknownTransactionCommitResult') &&
    !(error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED)
  );
}

/** Whether the database rejected a write because a unique index has its key already. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Does work that may lose a race for a unique key, or for a document outside a transaction, and repeats it after a loss; then
 * it finds what the winner has left. It does not repeat a transaction that has used up its time.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let race = 1; ; race += 1) {
    try {
      return await work();
    } catch (error) {
      if (!lostRace(error) || race === RACES) {
        throw error;
      }
      await delay(jittered(race));
    }
  }
}

function lostRace(error: unknown): boolean {
  return isDuplicateKey(error) || (isWriteConflict(error) && !isTransient(error));
}

function isWriteConflict(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT;
}
