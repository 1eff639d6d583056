import { AsyncResource } from 'node:async_hooks';
import { mongo } from 'mongoose';
import type { UnitOfWork } from './unit-of-work.ts';

type Work<T> = (unit: UnitOfWork) => Promise<T> | T;
type RunOne = <T>(work: Work<T>) => Promise<T>;

/** Most pieces of work in one transaction: it should be short, and a failure has each of them written again on its own. */
const MOST_SHARED = 16;

/** Work whose caller waits for its turn. */
interface Waiting {
  readonly work: Work<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The last of a turn. */
interface Tail {
  /** When it is over, whether or not it succeeded. */
  readonly ended: Promise<unknown>;
  /** Work that shares its transaction, as long as that has not begun and has room. */
  group: Waiting[] | undefined;
}

/** How work is run in its turn. */
interface Turns {
  /** Runs work of the same turn one after the other, in the order of the calls, whether or not it succeeds. */
  alone<T>(turn: string, work: Work<T>): Promise<T>;
  /**
   * As `alone`, but what waits for its turn at the same time shares a transaction: all of it is written, or none. When that
   * fails because of one of them, each is run alone, so that none fails for another's reason.
   */
  shared<T>(turn: string, work: Work<T>): Promise<T>;
}

/** @param run runs a piece of work in a transaction */
export function createTurns(run: RunOne): Turns {
  const tails = new Map<string, Tail>();

  function append(turn: string, ended: Promise<unknown>, group?: Waiting[]): Tail {
    const tail: Tail = { ended, group };
    tails.set(turn, tail);
    const forget = () => {
      if (tails.get(turn) === tail) {
        tails.delete(turn);
      }
    };
    ended.then(forget, forget);
    return tail;
  }

  function alone<T>(turn: string, work: Work<T>): Promise<T> {
    const before = tails.get(turn)?.ended;
    const begin = () => run(work);
    const mine = before ? before.then(begin, begin) : begin();
    append(turn, mine);
    return mine;
  }

  function join(tail: Tail, one: Waiting): void {
    tail.group?.push(one);
    if (tail.group?.length === MOST_SHARED) {
      tail.group = undefined;
    }
  }

  function openGroup(turn: string, before: Promise<unknown>): Tail {
    const group: Waiting[] = [];
    const begin = () => {
      tail.group = undefined;
      return runTogether(run, group);
    };
    const tail = append(turn, before.then(begin, begin), group);
    return tail;
  }

  return {
    alone,
    shared: <T>(turn: string, work: Work<T>) => {
      const last = tails.get(turn);
      if (last === undefined) {
        return alone(turn, work);
      }
      const tail = last.group ? last : openGroup(turn, last.ended);
      return new Promise<T>((resolve, reject) => {
        join(tail, {
          // The first caller begins for all: each keeps its own context, such as its trace.
          work: AsyncResource.bind(work),
          // The cast: the value is that of this work.
          resolve: (value) => resolve(value as T),
          reject,
        });
      });
    },
  };
}

/** Runs work in one transaction, and settles its callers. It does not reject. */
async function runTogether(run: RunOne, group: readonly Waiting[]): Promise<void> {
  if (group.length === 1) {
    await runInTurn(run, group);
    return;
  }
  try {
    const values = await run((unit) => doAll(group, unit));
    group.forEach(({ resolve }, index) => {
      resolve(values[index]);
    });
  } catch (error) {
    if (concernsAll(error)) {
      rejectAll(group, error);
    } else {
      await runInTurn(run, group);
    }
  }
}

async function doAll(group: readonly Waiting[], unit: UnitOfWork): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const { work } of group) {
    values.push(await work(unit));
  }
  return values;
}

/** Runs each in a transaction of its own. The rest does not wait for a database that is away: nobody waits longer than one. */
async function runInTurn(run: RunOne, group: readonly Waiting[]): Promise<void> {
  for (const [index, { work, resolve, reject }] of group.entries()) {
    try {
      resolve(await run(work));
    } catch (error) {
      reject(error);
      if (concernsAll(error)) {
        rejectAll(group.slice(index + 1), error);
        return;
      }
    }
  }
}

function rejectAll(group: readonly Waiting[], error: unknown): void {
  for (const { reject } of group) {
    reject(error);
  }
}

/** Whether each piece of work alone would meet the same: the database is away, or nobody knows what became of the commit. */
function concernsAll(error: unknown): boolean {
  if (!(error instanceof mongo.MongoError)) {
    return false;
  }
  const isFinal =
    error.hasErrorLabel('TransientTransactionError') || error.hasErrorLabel('UnknownTransactionCommitResult');
  return isFinal || !(error instanceof mongo.MongoServerError);
}
