import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './open-database.ts';
import { createTransactions, isDuplicateKey, retryOnConflict } from './transaction.ts';
import type { UnitOfWork } from './unit-of-work.ts';

const conflict = () =>
  new mongo.MongoServerError({ message: 'conflict', code: 112, errorLabels: ['TransientTransactionError'] });
const unknownCommit = () =>
  new mongo.MongoServerError({
    message: 'unknown outcome',
    code: 91,
    errorLabels: ['UnknownTransactionCommitResult'],
  });

function noClient(): never {
  throw new Error('These transactions write nothing');
}

/** A connection whose commits fail as often as there are errors. */
function fakeConnection(commitErrors: () => Error | undefined = () => undefined) {
  const counts = { started: 0, committed: 0, aborted: 0, ended: 0 };
  let isOpen = false;
  const session = {
    inTransaction: () => isOpen,
    startTransaction: () => {
      isOpen = true;
      counts.started += 1;
    },
    commitTransaction: async () => {
      isOpen = false;
      counts.committed += 1;
      const error = commitErrors();
      if (error) {
        throw error;
      }
    },
    abortTransaction: async () => {
      isOpen = false;
      counts.aborted += 1;
    },
    endSession: async () => {
      counts.ended += 1;
    },
  };
  const connection = { startSession: async () => session as never, getClient: noClient, name: 'none' };
  return { counts, connection };
}

/** Work that reads, which begins the transaction. */
function reading<T>(work: () => Promise<T>) {
  return ({ session }: UnitOfWork) => {
    expect(session.inTransaction()).toBe(true);
    return work();
  };
}

describe('conflicts without an end', () => {
  test('are retried for a limited time, with pauses, and then thrown', async () => {
    const { connection, counts } = fakeConnection();
    const run = createTransactions(connection, { patienceMs: 1_000 });
    await expect(run(reading(() => Promise.reject(conflict())))).rejects.toThrow('conflict');
    expect(counts.started).toBeGreaterThan(3);
    // Without pauses these would be thousands.
    expect(counts.started).toBeLessThan(100);
    expect(counts).toMatchObject({ aborted: counts.started, committed: 0, ended: 1 });
  });

  test('of a commit with an unknown outcome are retried too, and nothing is done twice', async () => {
    const { connection, counts } = fakeConnection(unknownCommit);
    const run = createTransactions(connection, { patienceMs: 1_000 });
    await expect(run(reading(async () => 1))).rejects.toThrow('unknown outcome');
    expect(counts.committed).toBeGreaterThan(3);
    expect(counts.committed).toBeLessThan(100);
    expect(counts).toMatchObject({ started: 1, ended: 1 });
  });

  test('are not retried for long by a process that stops', async () => {
    const stopping = new AbortController();
    const { connection } = fakeConnection();
    const run = createTransactions(connection, { signal: stopping.signal, patienceMs: 3_600_000 });
    const running = run(reading(() => Promise.reject(conflict())));
    stopping.abort();
    await expect(running).rejects.toThrow('conflict');
  });

  test('are not begun anew by the retry of lost races', async () => {
    const { connection } = fakeConnection();
    const run = createTransactions(connection, { patienceMs: 0 });
    let begun = 0;
    const work = () => {
      begun += 1;
      return run(reading(() => Promise.reject(conflict())));
    };
    await expect(retryOnConflict(work)).rejects.toThrow('conflict');
    expect(begun).toBe(1);
  });
});

test('a transaction goes through after conflicts and commits of unknown outcome', async () => {
  const commits = [unknownCommit(), conflict(), unknownCommit()];
  const { connection, counts } = fakeConnection(() => commits.shift());
  let works = 0;
  const value = await createTransactions(connection)(
    reading(async () => {
      works += 1;
      if (works === 1) {
        throw conflict();
      }
      return works;
    }),
  );
  expect(value).toBe(3);
  expect(counts).toEqual({ started: 3, committed: 4, aborted: 1, ended: 1 });
});

test.each([
  ['an error of the work', new Error('broken')],
  ['a duplicate key', new mongo.MongoServerError({ message: 'broken', code: 11_000 })],
])('%s is thrown at once, and nothing is committed', async (_what, error) => {
  const { connection, counts } = fakeConnection();
  await expect(createTransactions(connection)(reading(() => Promise.reject(error)))).rejects.toBe(error);
  expect(counts).toEqual({ started: 1, committed: 0, aborted: 1, ended: 1 });
});

describe('on a store', () => {
  let store: Database;
  beforeAll(async () => {
    store = await openTestDatabase();
    await store.connection.createCollection('accounts');
  });
  afterEach(() => store.connection.collection('accounts').deleteMany({}));
  afterAll(() => store.close());

  const accounts = () => store.connection.collection<{ _id: string; balance: number }>('accounts');

  test('many at one document all happen, each once', async () => {
    await accounts().insertOne({ _id: 'a', balance: 0 });
    const run = createTransactions(store.connection);
    await Promise.all(
      Array.from({ length: 8 }, () =>
        run(async ({ session }) => {
          const found = await accounts().findOne({ _id: 'a' }, { session });
          const balance = (found?.balance ?? 0) + 1;
          await accounts().updateOne({ _id: 'a' }, { $set: { balance } }, { session });
        }),
      ),
    );
    expect(await accounts().findOne({ _id: 'a' })).toMatchObject({ balance: 8 });
  });

  test('one that fails has written nothing', async () => {
    const run = createTransactions(store.connection);
    await accounts().insertOne({ _id: 'a', balance: 0 });
    const failed = run(async ({ session }) => {
      await accounts().insertOne({ _id: 'b', balance: 0 }, { session });
      await accounts().insertOne({ _id: 'a', balance: 0 }, { session });
    });
    expect(isDuplicateKey(await failed.catch((error: unknown) => error))).toBe(true);
    expect(await accounts().countDocuments()).toBe(1);
  });

  test('one that another keeps from its document gives up', async () => {
    await accounts().insertOne({ _id: 'a', balance: 0 });
    const add = async ({ session }: UnitOfWork) => {
      await accounts().updateOne({ _id: 'a' }, { $inc: { balance: 1 } }, { session });
    };
    let letGo: (() => void) | undefined;
    const holding = createTransactions(store.connection)(async (unit) => {
      await add(unit);
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
    });
    const impatient = createTransactions(store.connection, { patienceMs: 200 });
    while (!letGo) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const error = await impatient(add).catch((thrown: unknown) => thrown);
    letGo();
    await holding;
    expect((error as mongo.MongoError).hasErrorLabel('TransientTransactionError')).toBe(true);
    await impatient(add);
    expect(await accounts().findOne({ _id: 'a' })).toMatchObject({ balance: 2 });
  });
});
