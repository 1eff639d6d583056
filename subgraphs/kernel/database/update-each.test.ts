import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Model, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './open-database.ts';
import { updateEach } from './update-each.ts';

interface Place {
  _id: string;
  isFree: boolean;
  visits: number;
}

let database: Database;
let places: Model<Place>;
beforeAll(async () => {
  database = await openTestDatabase();
  const schema = new Schema<Place>({ _id: String, isFree: Boolean, visits: Number });
  places = database.connection.model<Place>('Place', schema, 'places');
  await places.createCollection();
});
beforeEach(async () => {
  await places.deleteMany({});
  await places.insertMany(['a', 'b', 'c', 'd'].map((_id) => ({ _id, isFree: _id !== 'b', visits: 0 })));
});
afterAll(() => database.close());

const idsOf = (ids: readonly string[]) => ids.map((_id) => ({ _id }));
const take = (...ids: string[]) =>
  updateEach(places, idsOf(ids), { isFree: true }, { $set: { isFree: false }, $inc: { visits: 1 } });
const visits = async () => {
  const stored = await places.find().sort({ _id: 1 }).lean();
  return stored.map((place) => place.visits);
};

test('updates those that meet the condition, and says how many', async () => {
  expect(await take('a', 'b', 'c', 'unknown')).toBe(2);
  expect(await visits()).toEqual([1, 0, 1, 0]);
});

test('finds each document by its id before all else: stores differ in what they do with a condition that stands first', async () => {
  const filters: object[] = [];
  const bulkWrite = async (updates: { updateOne: { filter: object } }[]) => {
    filters.push(...updates.map(({ updateOne }) => updateOne.filter));
    return { modifiedCount: updates.length };
  };
  const model = { collection: { bulkWrite } } as unknown as Model<Place>;
  await updateEach(
    model,
    [{ visits: 0, _id: 'a' }, { _id: 'b' }],
    { isFree: true },
    { $set: { isFree: false } },
  );
  expect(filters.map((filter) => Object.keys(filter))).toEqual([
    ['_id', 'visits', 'isFree'],
    ['_id', 'isFree'],
  ]);
});

test('sends no command when there is nothing to update', async () => {
  expect(await take()).toBe(0);
  expect(await visits()).toEqual([0, 0, 0, 0]);
});

test('when two run at once, one updates a document', async () => {
  const taken = await Promise.all([take('a', 'c', 'd'), take('d', 'c', 'a')]);
  expect(taken.reduce((sum, count) => sum + count)).toBe(3);
  expect(await visits()).toEqual([1, 0, 1, 1]);
});

test('waits for a transaction that has a document open, and the transaction can go on', async () => {
  const session = await database.connection.startSession();
  const move = (_id: string) => places.updateOne({ _id }, { $inc: { visits: 10 } }, { session });
  session.startTransaction();
  await move('a');
  const taking = take('a', 'c');
  await move('b');
  await places.findOne({ _id: 'c' }, null, { session }).lean();
  await session.commitTransaction();
  await session.endSession();
  expect(await taking).toBe(2);
  expect(await visits()).toEqual([11, 10, 1, 0]);
});
