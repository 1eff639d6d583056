import { mongo } from 'mongoose';
import { createTransactions, isDuplicateKey } from '../../../../subgraphs/kernel/database/transaction.ts';
import { type Check, errorOf, expectEqual, expectThat } from '../check.ts';
import { writerOf } from '../writer.ts';

const RACES = 10;

/** Unique keys: the error that says that one is taken, and its effect on a transaction. */
export const duplicateKeyChecks: readonly Check[] = [
  {
    name: 'duplicate keys: error 11000',
    run: async (scratch) => {
      const collection = await scratch.collection('unique', [[{ account: 1, key: 1 }, { unique: true }]]);
      await collection.insertOne({ _id: 'a', account: 'x', key: 'k' });
      const error = await errorOf(
        'A second insert',
        collection.insertOne({ _id: 'b', account: 'x', key: 'k' }),
      );
      expectThat(isDuplicateKey(error), `Another error: ${error}`);
      return 'by index and by _id';
    },
  },
  {
    name: 'duplicate keys: end a transaction',
    run: async (scratch) => {
      const collection = await scratch.collection('ended', [[{ key: 1 }, { unique: true }]]);
      const other = await scratch.collection('ended_other');
      await collection.insertOne({ _id: 'a', key: 'k' });
      const transact = createTransactions(scratch.connection);
      const work = transact((unit) => {
        unit.insert(writerOf(other), [{ _id: 'b' }]);
        unit.insert(writerOf(collection), [{ _id: 'b', key: 'k' }]);
      });
      const error = await errorOf('A transaction with a duplicate key', work);
      expectThat(isDuplicateKey(error), `Another error: ${error}`);
      const labelled = error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
      expectThat(!labelled, 'The error has the label of a conflict, so it would be repeated');
      expectEqual('Documents of the ended transaction', await other.countDocuments(), 0);
      return '11000 without a label; nothing was written';
    },
  },
  {
    name: 'duplicate keys: one of two transactions at once',
    run: async (scratch) => {
      const collection = await scratch.collection('raced', [[{ key: 1 }, { unique: true }]]);
      const both = [createTransactions(scratch.connection), createTransactions(await scratch.another())];
      for (let race = 0; race < RACES; race += 1) {
        const key = `k${race}`;
        const settled = await Promise.allSettled(
          both.map((transact, index) =>
            transact((unit) => unit.insert(writerOf(collection), [{ _id: `${key}-${index}`, key }])),
          ),
        );
        const lost = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        expectEqual('Transactions that lost', lost.length, 1);
        expectThat(isDuplicateKey(lost[0]), `Another error than 11000: ${lost[0]}`);
      }
      expectEqual('Documents', await collection.countDocuments(), RACES);
      return `${RACES} races, one winner each`;
    },
  },
];
