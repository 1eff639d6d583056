import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type mongo, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { limitReads } from './limit-reads.ts';
import type { Database } from './open-database.ts';

let database: Database;
const limits: (readonly [command: string, maxTimeMS: unknown])[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  database.connection
    .getClient()
    .on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
      limits.push([commandName, command.maxTimeMS]);
    });
});
afterAll(() => database.close());

test('every read has nine tenths of the time of an operation, unless it says another limit; writes have none', async () => {
  const { connection } = database;
  const schema = new Schema<{ _id: string; name: string }>({ _id: String, name: String });
  const before = connection.model('Pet', schema, 'pets');
  limitReads(connection, 30_000);
  const after = connection.model('Shop', schema, 'shops');
  for (const model of [before, after]) {
    limits.length = 0;
    await model.create([{ _id: 'a', name: 'Rex' }]);
    await model.find({ name: 'Rex' }).sort({ _id: 1 }).limit(1).lean();
    await model.findOne({ _id: 'a' });
    await model.aggregate([{ $match: { name: 'Rex' } }]);
    await model.countDocuments({ name: 'Rex' });
    await model.distinct('name', { _id: 'a' });
    await model.collection.find({ name: 'Rex' }).toArray();
    await connection.collection<{ _id: string }>(model.collection.name).findOne({ _id: 'a' });
    await model.find({ name: 'Rex' }).maxTimeMS(2_000);
    await model.updateOne({ _id: 'a' }, { $set: { name: 'Max' } });
    expect(limits).toEqual([
      ['insert', undefined],
      ['find', 27_000],
      ['find', 27_000],
      ['aggregate', 27_000],
      ['aggregate', 27_000],
      ['distinct', 27_000],
      ['find', 27_000],
      ['find', 27_000],
      ['find', 2_000],
      ['update', undefined],
    ]);
  }
});
