import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type mongo, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './open-database.ts';
import { findPlain } from './plain-reads.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a plain read has the time limit of the connection, as reads by mongoose and no writes have', async () => {
  const { connection } = database;
  const sent: (readonly [command: string, maxTimeMS: unknown])[] = [];
  connection.getClient().on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
    sent.push([commandName, command.maxTimeMS]);
  });
  const schema = new Schema({ _id: { type: String, required: true } });
  const pets = connection.model<{ _id: string }>('Pet', schema, 'pets');
  await pets.create([{ _id: 'a' }]);
  await findPlain(pets, { _id: 'a' }, {});
  connection.set('maxTimeMS', 27_000);
  await findPlain(pets, { _id: 'a' }, {});
  await pets.find({ _id: 'a' }).lean();
  await pets.findOne({ _id: 'a' });
  await pets.aggregate([{ $match: { _id: 'a' } }]);
  await pets.countDocuments({ _id: 'a' });
  await pets.distinct('_id', { _id: 'a' });
  await pets.find({ _id: 'a' }).maxTimeMS(2_000);
  await pets.updateOne({ _id: 'a' }, { $set: { _id: 'a' } });
  expect(sent).toEqual([
    ['insert', undefined],
    ['find', undefined],
    ['find', 27_000],
    ['find', 27_000],
    ['find', 27_000],
    ['aggregate', 27_000],
    ['aggregate', 27_000],
    ['distinct', 27_000],
    ['find', 2_000],
    ['update', undefined],
  ]);
});
