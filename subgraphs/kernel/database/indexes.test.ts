import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Connection, Schema } from 'mongoose';
import { countCommands } from '../../../test/support/count-commands.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { findCollections, makeIndexes } from './indexes.ts';
import type { Database } from './open-database.ts';

let database: Database;
let pets: ReturnType<Connection['collection']>;

beforeAll(async () => {
  database = await openTestDatabase();
  const { connection } = database;
  const pet = new Schema({ name: String, owner: String, diedAt: Date });
  pet.index({ owner: 1, name: -1 }, { unique: true, partialFilterExpression: { owner: { $exists: true } } });
  pet.index({ diedAt: 1 }, { expireAfterSeconds: 60 });
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

test('should leave indexes alone that no model declares', async () => {
  await pets.createIndex({ color: 1 });
  await makeIndexes(database.connection);
  expect(await indexNames()).toEqual(['_id_', 'color_1', 'diedAt_1', 'owner_1_name_-1']);
  await pets.dropIndex('color_1');
});

test('should find the collections of models, and no others', async () => {
  await database.connection.createCollection('strangers');
  expect(await findCollections(database.connection)).toEqual(['pets', 'plain']);
  await database.connection.dropCollection('strangers');
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
