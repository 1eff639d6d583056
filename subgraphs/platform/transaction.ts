import { type ClientSession, type Connection, mongo } from 'mongoose';

const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;
/** How often work is done again that others were quicker with. */
const RACES = 5;

/**
 * Runs a piece of work in one transaction: all of its writes happen or none.
 * @param turn names what it writes that others write too, such as a user. Transactions of this process with the same turn
 * run one after the other: at once they would only conflict, and be repeated with growing pauses
 */
export type RunTransaction = <T>(work: (session: ClientSession) => Promise<T>, turn?: string) => Promise<T>;

/**
 * Transactions on the store. The work may run more than once (the driver repeats it on write conflicts), so it does
 * nothing but reads and writes with the session that it is given: never HTTP inside.
 */
export function createTransactions(connection: Connection): RunTransaction {
  const inTurn = createTurns();
  return (work, turn) => {
    const transact = () => run(connection, work);
    return turn === undefined ? transact() : inTurn(turn, transact);
  };
}

async function run<T>(connection: Connection, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = await connection.startSession();
  try {
    return await session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
    });
  } finally {
    await session.endSession();
  }
}

/** Work of the same turn, one after the other in the order of the calls, whatever comes of each. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(turn: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(turn);
    const mine = before ? before.then(work, work) : work();
    last.set(turn, mine);
    try {
      return await mine;
    } finally {
      if (last.get(turn) === mine) {
        last.delete(turn);
      }
    }
  };
}

/** The turn of transactions that hold a user of a tenant, known by whichever of its ids. */
export function turnOf(tenantId: string, user: { userId: string } | { referenceId: string }): string {
  return 'userId' in user ? `user|${tenantId}|${user.userId}` : `reference|${tenantId}|${user.referenceId}`;
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
