import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Model, mongo, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './open-database.ts';
import type { Write } from './send-writes.ts';
import { createTransactions, isDuplicateKey, type RunTransaction } from './transaction.ts';
import { createUnitOfWork, type UnitOfWork } from './unit-of-work.ts';

interface Account {
  _id: string;
  owner: string;
  balance: number;
  note?: string | undefined;
}

interface Entry {
  of: string;
  by?: string;
}

let database: Database;
let into: { accounts: Model<Account>; entries: Model<Entry> };
beforeAll(async () => {
  database = await openTestDatabase();
  const { connection } = database;
  const account = new Schema<Account>({ _id: String, owner: String, balance: Number, note: String });
  const entry = new Schema<Entry>({ of: String, by: String });
  into = {
    accounts: connection.model<Account>('Account', account, 'accounts'),
    entries: connection.model<Entry>('Entry', entry, 'entries'),
  };
  await into.accounts.createCollection();
  await into.entries.createCollection();
  await accounts().createIndex({ owner: 1 }, { unique: true });
});
afterEach(async () => {
  await accounts().deleteMany({});
  await entries().deleteMany({});
});
afterAll(() => database.close());

const accounts = () => database.connection.collection<Account>('accounts');
const entries = () => database.connection.collection('entries');

class NotThere extends Error {}

const open = (_id: string, owner = _id): Account => ({ _id, owner, balance: 0 });
const add = (_id: string, by: number, balance?: number) => ({
  filter: { _id, ...(balance === undefined ? {} : { balance }) },
  update: { $inc: { balance: by } },
  otherwise: () => new NotThere(`${_id} is not there`),
});

describe.each([
  ['by one command', true],
  ['by one command for each collection', false],
])('writes sent %s', (_how, bulkWrite) => {
  let transaction: RunTransaction;
  beforeAll(() => {
    transaction = createTransactions(database.connection, { bulkWrite });
  });

  test('all happen, in their order, after the reads before them', async () => {
    await transaction(async (unit) => {
      unit.insert(into.accounts, [open('a'), open('b')]);
      unit.insert(into.entries, [{ of: 'a' }, { of: 'b' }]);
      unit.update(into.accounts, add('a', 5, 0));
      unit.update(into.accounts, add('a', 2, 5));
      expect(await accounts().countDocuments({}, { session: unit.session })).toBe(0);
    });
    expect(await accounts().find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', owner: 'a', balance: 7 },
      { _id: 'b', owner: 'b', balance: 0 },
    ]);
    expect(await entries().distinct('of')).toEqual(['a', 'b']);
  });

  test('make a document that is not there yet, and change one that is', async () => {
    const count = (by: number) => ({
      filter: { _id: 'a' },
      update: { $setOnInsert: { owner: 'ana' }, $inc: { balance: by } },
    });
    await transaction((unit) => unit.upsert(into.accounts, count(5)));
    await transaction((unit) => unit.upsert(into.accounts, count(-2)));
    expect(await accounts().find().toArray()).toEqual([{ _id: 'a', owner: 'ana', balance: 3 }]);
  });

  test('leave out undefined fields, and give documents without an id one', async () => {
    await transaction((unit) => {
      unit.insert(into.accounts, [{ ...open('a'), note: undefined }]);
      unit.insert(into.entries, [{ of: 'a', by: undefined }]);
    });
    expect(await accounts().findOne({ _id: 'a' })).toEqual({ _id: 'a', owner: 'a', balance: 0 });
    expect(Object.keys((await entries().findOne({ of: 'a' })) ?? {})).toEqual(['_id', 'of']);
  });

  test('do not happen when a change finds nothing: its own error ends all', async () => {
    await accounts().insertOne(open('a'));
    const failed = transaction((unit) => {
      unit.insert(into.entries, [{ of: 'a' }]);
      unit.update(into.accounts, add('a', 1));
      unit.update(into.accounts, add('nobody', 1));
    });
    await expect(failed).rejects.toThrow(NotThere);
    await expect(failed).rejects.toThrow('nobody is not there');
    expect(await accounts().findOne({ _id: 'a' })).toMatchObject({ balance: 0 });
    expect(await entries().countDocuments()).toBe(0);
  });

  test('to many documents do not happen when there are not as many as expected', async () => {
    const addToAll = (expected: number) =>
      transaction((unit) => {
        unit.updateMany(into.accounts, {
          filter: { _id: { $in: ['a', 'b', 'c'] } },
          update: [{ $set: { balance: { $add: ['$balance', 1] } } }],
          expected,
          otherwise: () => new NotThere('not so many'),
        });
        unit.insert(into.entries, [{ of: String(expected) }]);
      });
    await accounts().insertMany([open('a'), open('b')]);
    await expect(addToAll(3)).rejects.toThrow(NotThere);
    await addToAll(2);
    expect(await accounts().distinct('balance')).toEqual([1]);
    expect(await entries().distinct('of')).toEqual(['2']);
  });

  test('remove a document, so that another may take its key in the same transaction', async () => {
    await accounts().insertMany([open('a'), open('b')]);
    await transaction((unit) => {
      unit.remove(into.accounts, { _id: 'a' });
      unit.remove(into.accounts, { _id: 'nobody' });
      unit.remove(into.accounts, { _id: 'b', owner: 'somebody else' });
      unit.insert(into.accounts, [{ ...open('a', 'ana'), balance: 3 }]);
    });
    expect(await accounts().find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', owner: 'ana', balance: 3 },
      open('b'),
    ]);
  });

  test('may find nothing where that is said to be no matter', async () => {
    await transaction((unit) => {
      const { filter, update } = add('nobody', 1);
      unit.update(into.accounts, { filter, update });
      unit.insert(into.entries, [{ of: 'a' }]);
    });
    expect(await entries().countDocuments()).toBe(1);
  });

  test('find their document by its id before all else: stores differ in what they do with a condition that stands first', async () => {
    const sent: Write[] = [];
    const send = async (writes: readonly Write[]) => void sent.push(...writes);
    const unit = createUnitOfWork({} as mongo.ClientSession, () => undefined, send);
    unit.update(into.accounts, { filter: { owner: 'ana', _id: 'a' }, update: { $inc: { balance: 1 } } });
    await unit.flush();
    expect(sent.map((write) => 'filter' in write && Object.entries(write.filter))).toEqual([
      [
        ['_id', 'a'],
        ['owner', 'ana'],
      ],
    ]);
  });

  test.each([{ balance: 5 }, {}])(
    'fail for a change that says nothing by operators, and would take the place of the document: %j',
    async (update) => {
      await accounts().insertOne(open('a'));
      const failed = transaction((unit) => unit.update(into.accounts, { filter: { _id: 'a' }, update }));
      await expect(failed).rejects.toThrow('operators');
      expect(await accounts().findOne({ _id: 'a' })).toEqual(open('a'));
    },
  );

  test('do not happen when a key is there already', async () => {
    await accounts().insertOne(open('a'));
    const failed = await transaction((unit) => {
      unit.insert(into.entries, [{ of: 'b' }]);
      unit.insert(into.accounts, [open('b'), open('c', 'a')]);
    }).catch((error: unknown) => error);
    expect(isDuplicateKey(failed)).toBe(true);
    expect((failed as Error).message).toContain('accounts');
    expect(await accounts().countDocuments()).toBe(1);
    expect(await entries().countDocuments()).toBe(0);
  });

  test('of many transactions on one document all happen, each once', async () => {
    await accounts().insertOne(open('a'));
    await Promise.all(
      Array.from({ length: 8 }, () =>
        transaction(async (unit) => {
          const found = await accounts().findOne({ _id: 'a' }, { session: unit.session });
          const balance = (found?.balance ?? 0) + 1;
          unit.update(into.accounts, {
            filter: { _id: 'a', balance: balance - 1 },
            update: { $set: { balance } },
            otherwise: () => new NotThere('changed behind the snapshot'),
          });
        }),
      ),
    );
    expect(await accounts().findOne({ _id: 'a' })).toMatchObject({ balance: 8 });
  });

  test('fail by the first of them that fails: a change that finds nothing before a key that is there', async () => {
    await accounts().insertOne(open('a'));
    const failed = transaction((unit) => {
      unit.update(into.accounts, add('nobody', 1));
      unit.insert(into.accounts, [open('a')]);
    });
    await expect(failed).rejects.toThrow(NotThere);
  });

  test('that are flushed can be read, and are still undone with the rest', async () => {
    const failed = transaction(async (unit) => {
      unit.insert(into.accounts, [open('a')]);
      await unit.flush();
      expect(await accounts().countDocuments({}, { session: unit.session })).toBe(1);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await accounts().countDocuments()).toBe(0);
  });

  test('that are decided at the end are added after the rest, in their order, and are undone with it', async () => {
    const order: string[] = [];
    const note = (what: string, unit: UnitOfWork) => async () => {
      order.push(what);
      const count = await accounts().countDocuments({}, { session: unit.session });
      unit.insert(into.accounts, [{ ...open(what), balance: count }]);
    };
    const work = (isGood: boolean) => (unit: UnitOfWork) => {
      unit.beforeEnd(note('a', unit));
      unit.beforeEnd(note('b', unit));
      unit.beforeEnd(async () => {
        if (!isGood) {
          throw new Error('changed my mind');
        }
      });
      order.push('work');
    };
    await expect(transaction(work(false))).rejects.toThrow('changed my mind');
    expect(await accounts().countDocuments()).toBe(0);
    await transaction(work(true));
    expect(order).toEqual(['work', 'a', 'b', 'work', 'a', 'b']);
    expect(await accounts().countDocuments({ balance: 0 })).toBe(2);
  });
});

test('are sent collection by collection, for good, to a server that rejects the one command after all', async () => {
  const { connection } = database;
  const client = connection.getClient();
  let rejected = 0;
  const command = async () => {
    rejected += 1;
    throw new mongo.MongoServerError({ message: 'The command may not be run', code: 115 });
  };
  const rejecting = {
    db: (name: string) => (name === 'admin' ? { command } : client.db(name)),
  } as unknown as mongo.MongoClient;
  const startSession = connection.startSession.bind(connection);
  const rejectingConnection = { startSession, getClient: () => rejecting, name: connection.name };
  const transaction = createTransactions(rejectingConnection, { bulkWrite: true });
  for (const _id of ['a', 'b']) {
    await transaction((unit) => {
      unit.insert(into.accounts, [open(_id)]);
      unit.insert(into.entries, [{ of: _id }]);
    });
  }
  expect(rejected).toBe(1);
  expect(await accounts().distinct('_id')).toEqual(['a', 'b']);
  expect(await entries().distinct('of')).toEqual(['a', 'b']);
});
