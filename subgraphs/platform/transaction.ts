import { type ClientSession, type Connection, mongo } from 'mongoose';

const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;
/** How often work is done again that others were quicker with. */
const RACES = 5;

/** Runs a piece of work in one transaction: all of its writes happen or none. */
export type RunTransaction = <T>(work: (session: ClientSession) => Promise<T>) => Promise<T>;

/**
 * Transactions on the store. The work may run more than once (the driver repeats it on write conflicts), so it does
 * nothing but reads and writes with the session that it is given: never HTTP inside.
 */
export function createTransactions(connection: Connection): RunTransaction {
  return async (work) => {
    const session = await connection.startSession();
    try {
      return await session.withTransaction(() => work(session), {
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority' },
      });
    } finally {
      await session.endSession();
    }
  };
}

/** Whether the store refused a write because a unique index has its key already. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Does work that may lose a race for a unique key, or for a document outside a transaction, and does it again when it has:
 * then it finds what the winner has left.
 */
export async function retryLostRace<T>(work: () => Promise<T>): Promise<T> {
  for (let race = 1; ; race += 1) {
    try {
      return await work();
    } catch (error) {
      if (!lostRace(error) || race === RACES) {
        throw error;
      }
    }
  }
}

function lostRace(error: unknown): boolean {
  return isDuplicateKey(error) || (error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT);
}
