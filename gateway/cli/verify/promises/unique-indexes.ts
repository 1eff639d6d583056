import type { mongo } from 'mongoose';
import { isDuplicateKey } from '../../../../subgraphs/kernel/database/transaction.ts';
import { type Check, errorOf, expectThat } from '../check.ts';
import type { Sample, Scratch } from '../scratch.ts';

/** Unique indexes over a part of the documents, and values that become free again. */
export const uniqueIndexChecks: readonly Check[] = [
  {
    name: 'partial unique indexes: only documents with the value',
    run: async (scratch) => {
      const collection = await partial(scratch);
      await collection.insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c', key: 'k' }]);
      await expectTaken(collection, 'd', 'k');
      return 'two without it, one with it';
    },
  },
  {
    name: 'partial unique indexes: a value removed is free',
    run: async (scratch) => {
      const collection = await partial(scratch);
      await collection.insertOne({ _id: 'a', key: 'k' });
      await collection.updateOne({ _id: 'a' }, { $unset: { key: '' } });
      await expectFree(collection, 'k');
      return 'after $unset';
    },
  },
  {
    name: 'partial unique indexes: a value changed is free',
    run: async (scratch) => checkChanged(await partial(scratch)),
  },
  {
    name: 'unique indexes: a value changed is free',
    run: async (scratch) =>
      checkChanged(await scratch.collection('unique_changed', [[{ key: 1 }, { unique: true }]])),
  },
  {
    name: 'unique indexes: the value of a deleted document is free',
    run: async (scratch) => {
      const collection = await partial(scratch);
      await collection.insertOne({ _id: 'a', key: 'k' });
      await collection.deleteOne({ _id: 'a' });
      await expectFree(collection, 'k');
      return 'after deleteOne';
    },
  },
];

function partial(scratch: Scratch): Promise<mongo.Collection<Sample>> {
  const options = { unique: true, partialFilterExpression: { key: { $exists: true } } };
  return scratch.collection('partial', [[{ key: 1 }, options]]);
}

async function checkChanged(collection: mongo.Collection<Sample>): Promise<string> {
  await collection.insertOne({ _id: 'a', key: 'k' });
  await collection.updateOne({ _id: 'a' }, { $set: { key: 'l' } });
  await expectTaken(collection, 'b', 'l');
  await expectFree(collection, 'k');
  return 'after $set';
}

async function expectTaken(collection: mongo.Collection<Sample>, _id: string, key: string): Promise<void> {
  const error = await errorOf(`A second "${key}"`, collection.insertOne({ _id, key }));
  expectThat(isDuplicateKey(error), `Another error: ${error}`);
}

async function expectFree(collection: mongo.Collection<Sample>, key: string): Promise<void> {
  const error = await collection.insertOne({ _id: 'next', key }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expectThat(error === undefined, `"${key}" is still taken: ${error}`);
}
