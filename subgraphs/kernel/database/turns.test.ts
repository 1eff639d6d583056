import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mongo, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './open-database.ts';
import { createTransactions, type RunTransaction } from './transaction.ts';

const MARK = new Schema<{ mark: string }>({ mark: { type: String, unique: true } });

let store: Database;
let transaction: RunTransaction;
beforeAll(async () => {
  store = await openTestDatabase();
  transaction = createTransactions(store.connection);
  await store.connection.collection('counters').insertOne({ name: 'hot', value: 0 });
});
afterAll(() => store.close());

const counters = () => store.connection.collection('counters');
let runs = 0;
const increase = (turn?: string) =>
  transaction(async (unit) => {
    runs += 1;
    await counters().updateOne({ name: 'hot' }, { $inc: { value: 1 } }, { session: unit.session });
  }, turn);

test('transactions of one turn do not conflict, and each is run once', async () => {
  await Promise.all(Array.from({ length: 12 }, () => increase('hot')));
  expect(runs).toBe(12);
  expect(await counters().findOne({ name: 'hot' })).toMatchObject({ value: 12 });
});

test('one that fails does not stop the next one, and only its own caller gets the error', async () => {
  const order: string[] = [];
  const failing = transaction(async () => {
    order.push('fails');
    throw new Error('no');
  }, 'a');
  const next = transaction(async () => {
    order.push('next');
    return 'done';
  }, 'a');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(order).toEqual(['fails', 'next']);
});

test('other turns, and transactions without one, do not wait', async () => {
  let release: () => void = () => undefined;
  const held = transaction(() => new Promise<void>((resolve) => (release = resolve)), 'a');
  expect(await transaction(async () => 'b', 'b')).toBe('b');
  expect(await transaction(async () => 'none')).toBe('none');
  release();
  await held;
});

describe('work that shares', () => {
  /** Holds the turn `a` until it is released; what is begun meanwhile waits together. */
  function hold() {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = transaction(() => gate, 'a');
    return async () => {
      release();
      await held;
    };
  }

  const sessions: unknown[] = [];
  const writeMark = (mark: string) =>
    transaction(
      (unit) => {
        sessions.push(unit);
        unit.insert(marks(), [{ mark }]);
        return mark;
      },
      'a',
      'shared',
    );
  const marks = () => store.connection.models.Mark ?? store.connection.model<{ mark: string }>('Mark', MARK);
  const stored = async () =>
    (await marks().find().sort({ _id: 1 }).lean()).map(({ mark }: { mark: string }) => mark);

  beforeAll(() => marks().createIndexes());
  beforeEach(async () => {
    sessions.length = 0;
    await marks().deleteMany({});
  });

  test('is written in one transaction when it waits at the same time, and each caller gets its own value', async () => {
    const release = hold();
    const written = Promise.all(['one', 'two', 'three'].map(writeMark));
    await release();
    expect(await written).toEqual(['one', 'two', 'three']);
    expect(await stored()).toEqual(['one', 'two', 'three']);
    expect(new Set(sessions).size).toBe(1);
  });

  test('is written together on a server without the command for all collections, too', async () => {
    const usual = transaction;
    transaction = createTransactions(store.connection, { bulkWrite: false });
    try {
      await writeMark('taken');
      const release = hold();
      const written = Promise.allSettled(['one', 'taken', 'three'].map(writeMark));
      await release();
      expect((await written).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await stored()).toSorted()).toEqual(['one', 'taken', 'three']);
    } finally {
      transaction = usual;
    }
  });

  test('is written alone, without waiting, when nothing of its turn runs', async () => {
    expect([await writeMark('one'), await writeMark('two')]).toEqual(['one', 'two']);
    expect(new Set(sessions).size).toBe(2);
  });

  test('does not fail for the reason of another: then each has a transaction of its own', async () => {
    await writeMark('taken');
    const release = hold();
    const written = Promise.allSettled(['one', 'taken', 'three'].map(writeMark));
    await release();
    const [one, taken, three] = await written;
    expect([one, three]).toEqual([
      { status: 'fulfilled', value: 'one' },
      { status: 'fulfilled', value: 'three' },
    ]);
    expect(taken).toMatchObject({ status: 'rejected', reason: { code: 11_000 } });
    expect((await stored()).toSorted()).toEqual(['one', 'taken', 'three']);
  });

  test('keeps its own context: what it stores belongs to its own trace', async () => {
    const traces = new AsyncLocalStorage<string>();
    const release = hold();
    const note = async () => {
      const [before, after] = [traces.getStore(), await Promise.resolve().then(() => traces.getStore())];
      return [before, after];
    };
    const noted = Promise.all(
      ['a', 'b', 'c'].map((id) => traces.run(id, () => transaction(note, 'a', 'shared'))),
    );
    await release();
    expect(await noted).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['c', 'c'],
    ]);
  });

  test('keeps its place among turns that do not share', async () => {
    const order: string[] = [];
    const note = (name: string, sharing?: 'shared') => transaction(() => void order.push(name), 'a', sharing);
    const release = hold();
    const all = [note('1', 'shared'), note('2', 'shared'), note('3'), note('4', 'shared')];
    await release();
    await Promise.all(all);
    expect(order).toEqual(['1', '2', '3', '4']);
  });

  test('fails as a whole when the outcome of the commit is unknown', async () => {
    const release = hold();
    const lost = new mongo.MongoServerError({
      message: 'lost',
      errorLabels: ['UnknownTransactionCommitResult'],
      code: 50,
    });
    let runs = 0;
    const failing = transaction(
      () => {
        runs += 1;
        throw lost;
      },
      'a',
      'shared',
    );
    const other = writeMark('other');
    const settled = Promise.allSettled([other, failing]);
    await release();
    expect(await settled).toEqual([
      { status: 'rejected', reason: lost },
      { status: 'rejected', reason: lost },
    ]);
    expect(runs).toBe(1);
    expect(await stored()).toEqual([]);
  });

  test('does not wait for the database once more for each, when it goes away after one has failed', async () => {
    await writeMark('taken');
    const release = hold();
    const away = new mongo.MongoNetworkError('no server');
    const first = writeMark('taken');
    let runs = 0;
    const goesAway = transaction(
      (unit) => {
        if (!sessions.includes(unit)) {
          runs += 1;
          throw away;
        }
        unit.insert(marks(), [{ mark: 'two' }]);
      },
      'a',
      'shared',
    );
    const settled = Promise.allSettled([first, goesAway, writeMark('three')]);
    await release();
    const [taken, ...rest] = await settled;
    expect(taken).toMatchObject({ status: 'rejected', reason: { code: 11_000 } });
    expect(rest).toEqual([
      { status: 'rejected', reason: away },
      { status: 'rejected', reason: away },
    ]);
    expect(runs).toBe(1);
    expect(await stored()).toEqual(['taken']);
  });

  test('waits for the next transaction when one has as many as it takes', async () => {
    const release = hold();
    const names = Array.from({ length: 20 }, (_, index) => `mark ${String(index).padStart(2, '0')}`);
    const written = Promise.all(names.map(writeMark));
    await release();
    expect(await written).toEqual(names);
    expect(await stored()).toEqual(names);
    expect(new Set(sessions).size).toBe(2);
  });
});
