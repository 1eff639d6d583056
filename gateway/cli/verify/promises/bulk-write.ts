import { mongo } from 'mongoose';
import { askForBulkWrite, createSendWrites } from '../../../../subgraphs/kernel/database/send-writes.ts';
import {
  createTransactions,
  isDuplicateKey,
  type RunTransaction,
} from '../../../../subgraphs/kernel/database/transaction.ts';
import { type Check, Difference, errorOf, expectEqual, expectThat, NotTried } from '../check.ts';
import type { Scratch } from '../scratch.ts';
import { writerOf } from '../writer.ts';

class NothingFound extends Error {}

/** The writes of a unit of work: in one command over all collections, or in one for each. */
export const bulkWriteChecks: readonly Check[] = [
  {
    name: 'bulkWrite: several collections in one command',
    run: async (scratch) => {
      await requireCommand(scratch);
      return checkWrites(scratch, true);
    },
  },
  { name: 'bulkWrite: one command for each collection', run: (scratch) => checkWrites(scratch, false) },
];

async function requireCommand(scratch: Scratch): Promise<void> {
  if (!(await askForBulkWrite(scratch.connection))) {
    throw new NotTried('The server is older than 8.0: the product sends one command for each collection');
  }
  const collection = await scratch.collection('probe');
  const session = scratch.connection.getClient().startSession();
  try {
    const insert = { kind: 'insert', collection, document: { _id: 'a' } } as const;
    session.startTransaction();
    await createSendWrites(scratch.connection, { bulkWrite: true })([insert], session);
    await session.abortTransaction();
  } catch (error) {
    throw new Difference(
      `The server is 8.0 or newer, and rejects the command: ${error}. See its feature compatibility version`,
    );
  } finally {
    await session.endSession();
  }
}

async function checkWrites(scratch: Scratch, bulkWrite: boolean): Promise<string> {
  const one = await scratch.collection('bulk', [[{ key: 1 }, { unique: true }]]);
  const two = await scratch.collection('bulk_other');
  const transact = createTransactions(scratch.connection, { bulkWrite });
  await transact((unit) => {
    unit.insert(writerOf(one), [
      { _id: 'a', key: 1 },
      { _id: 'b', key: 2 },
    ]);
    unit.insert(writerOf(two), [{ _id: 'a', n: 1, gone: true }]);
    unit.update(writerOf(two), { filter: { _id: 'a' }, update: { $inc: { n: 2 }, $unset: { gone: '' } } });
    unit.updateMany(writerOf(one), {
      filter: { _id: { $in: ['a', 'b'] } },
      update: { $set: { seen: true } },
      expected: 2,
      otherwise: () => new NothingFound(),
    });
  });
  expectEqual('The changed document', await two.findOne({ _id: 'a' }), { _id: 'a', n: 3 });
  expectEqual('Documents changed by updateMany', await one.countDocuments({ seen: true }), 2);
  await checkUpserts(scratch, transact);
  const missing = transact((unit) => {
    unit.insert(writerOf(two), [{ _id: 'b' }]);
    unit.update(writerOf(one), {
      filter: { _id: 'none' },
      update: { $set: { n: 1 } },
      otherwise: () => new NothingFound(),
    });
  });
  expectThat(
    (await errorOf('A change without its document', missing)) instanceof NothingFound,
    'Another error',
  );
  const duplicate = transact((unit) => {
    unit.insert(writerOf(two), [{ _id: 'b' }]);
    unit.insert(writerOf(one), [{ _id: 'c', key: 1 }]);
  });
  expectThat(
    isDuplicateKey(await errorOf('A duplicate key', duplicate)),
    'A duplicate key has another error',
  );
  expectEqual('Documents of ended transactions', await two.countDocuments({ _id: 'b' }), 0);
  return 'inserts and changes, upserts with exact sums, counts of matches, errors of single writes';
}

/** As figures are kept: counters and sums below names that may be new. */
async function checkUpserts(scratch: Scratch, transact: RunTransaction): Promise<void> {
  const sums = await scratch.collection('bulk_sums');
  for (const amount of ['0.10', '9007199254740993.01']) {
    const $inc = { 'counts.13.n': 1, 'counts.13.sum': mongo.Decimal128.fromString(amount) };
    await transact((unit) =>
      unit.upsert(writerOf(sums), { filter: { _id: 'a|b' }, update: { $setOnInsert: { by: 'x' }, $inc } }),
    );
  }
  const stored = await sums.findOne({ _id: 'a|b' });
  const { n, sum } = stored?.counts?.[13] ?? {};
  const found = { by: stored?.by, n, sum: String(sum) };
  expectEqual('The document of two upserts', found, { by: 'x', n: 2, sum: '9007199254740993.11' });
}
