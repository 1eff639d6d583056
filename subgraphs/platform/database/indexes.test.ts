import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Connection, Schema } from 'mongoose';
import { countCommands } from '../../../test/support/count-commands.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { dropFormerIndexes, findFormerIndexes, makeIndexes, setFormerIndexes } from './indexes.ts';
import type { Database } from './open-database.ts';

let database: Database;
let pets: ReturnType<Connection['collection']>;

beforeAll(async () => {
  database = await openTestDatabase(process.env, { monitorCommands: true });
  const { connection } = database;
  const pet = new Schema({ name: String, owner: String, diedAt: Date });
  pet.index({ owner: 1, name: -1 }, { unique: true, partialFilterExpression: { owner: { $exists: true } } });
  pet.index({ diedAt: 1 }, { expireAfterSeconds: 60 });
  setFormerIndexes(pet, ['bornAt_1', 'shard_1_bornAt_1']);
  pets = connection.model('Pet', pet, 'pets').collection;
  connection.model('Plain', new Schema({ name: String }), 'plain');
});
beforeEach(() => makeIndexes(database.connection));
afterAll(() => database.close());

const indexNames = async () => (await pets.indexes()).map(({ name }) => name).sort();
const ALL = ['_id_', 'diedAt_1', 'owner_1_name_-1'];

test('should read once the collections, and send the indexes of each in one command', async () => {
  const counts = await countCommands(database.connection, () => makeIndexes(database.connection));
  expect(counts).toEqual({ listCollections: 1, 'createIndexes pets': 1 });
});

test('should make a collection and all of its indexes by one command', async () => {
  await pets.drop();
  const counts = await countCommands(database.connection, () => makeIndexes(database.connection));
  expect(counts).toEqual({ listCollections: 1, 'createIndexes pets': 1 });
  expect(await indexNames()).toEqual(ALL);
});

const makeFormer = async () => {
  await pets.createIndex({ bornAt: 1 }, { expireAfterSeconds: 60 });
  await pets.createIndex({ shard: 1, bornAt: 1 }, { partialFilterExpression: { status: 'PENDING' } });
  await pets.createIndex({ color: 1 });
};

test('should leave the indexes of former versions, and tell them', async () => {
  await makeFormer();
  await makeIndexes(database.connection);
  expect(await indexNames()).toEqual(expect.arrayContaining(['bornAt_1', 'shard_1_bornAt_1']));
  expect(await findFormerIndexes(database.connection)).toEqual(['pets: bornAt_1', 'pets: shard_1_bornAt_1']);
});

test('should drop the indexes of former versions on demand, and no others', async () => {
  await makeFormer();
  await dropFormerIndexes(database.connection);
  expect(await findFormerIndexes(database.connection)).toEqual([]);
  expect(await indexNames()).toEqual(['_id_', 'color_1', 'diedAt_1', 'owner_1_name_-1']);
  await pets.dropIndex('color_1');
});

test('should drop them when several processes do at once', async () => {
  await makeFormer();
  await Promise.all([1, 2, 3].map(() => dropFormerIndexes(database.connection)));
  expect(await indexNames()).toEqual(['_id_', 'color_1', 'diedAt_1', 'owner_1_name_-1']);
  await pets.dropIndex('color_1');
});

test('should drop them while others read and write', async () => {
  await makeFormer();
  await pets.insertMany([{ name: 'Rex', shard: 1, bornAt: new Date(), status: 'PENDING' }]);
  const claim = () =>
    pets.findOneAndUpdate(
      { shard: 1, status: 'PENDING', bornAt: { $lte: new Date() } },
      { $inc: { claims: 1 } },
      { sort: { bornAt: 1 } },
    );
  const claims = Array.from({ length: 20 }, claim);
  await dropFormerIndexes(database.connection);
  await Promise.all(claims);
  await claim();
  expect(await pets.findOne({ name: 'Rex' })).toMatchObject({ claims: 21 });
  expect(await indexNames()).not.toContain('shard_1_bornAt_1');
  await pets.drop();
});

test('should make an index again that was dropped', async () => {
  expect(await indexNames()).toEqual(ALL);
  await pets.dropIndex('owner_1_name_-1');
  await makeIndexes(database.connection);
  expect(await indexNames()).toEqual(ALL);
  const [owner] = (await pets.indexes()).filter(({ name }) => name === 'owner_1_name_-1');
  expect(owner).toMatchObject({ unique: true, partialFilterExpression: { owner: { $exists: true } } });
});

test('should make a collection again that was dropped, one without indexes too', async () => {
  await pets.drop();
  await database.connection.dropCollection('plain');
  await makeIndexes(database.connection);
  expect(await indexNames()).toEqual(ALL);
  const collections = await database.connection.listCollections();
  expect(collections.map(({ name }) => name).sort()).toEqual(['pets', 'plain']);
});

test('should fail where an index is there with other options', async () => {
  await pets.dropIndex('diedAt_1');
  await pets.createIndex({ diedAt: 1 }, { unique: true });
  await expect(makeIndexes(database.connection)).rejects.toThrow(/diedAt_1/);
  await pets.dropIndex('diedAt_1');
});
