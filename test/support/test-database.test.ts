import { expect, test } from '@jest/globals';
import { openTestDatabase, TEMPORARY_SERVER_VARIABLE } from './test-database.ts';

const lasting = { ...process.env, [TEMPORARY_SERVER_VARIABLE]: 'false' };
const temporary = { ...process.env, [TEMPORARY_SERVER_VARIABLE]: 'true' };

test('each test gets a database of its own, dropped at close where the server outlives the run', async () => {
  const [one, two] = await Promise.all([openTestDatabase(lasting), openTestDatabase(temporary)]);
  await one.connection.collection('things').insertOne({ n: 1 });
  await two.connection.collection('things').insertOne({ n: 2 });
  expect(await one.connection.collection('things').distinct('n')).toEqual([1]);
  expect(one.uri).toContain(`/${one.connection.name}`);
  const databases = async () => {
    const answer = await two.connection.getClient().db().admin().listDatabases({ nameOnly: true });
    return answer.databases.map(({ name }) => name);
  };
  expect(await databases()).toEqual(expect.arrayContaining([one.connection.name, two.connection.name]));
  const { name } = one.connection;
  await one.close();
  expect(await databases()).not.toContain(name);
  await two.close();
  await two.close();
});

test('where the server ends with the run, nobody waits until each database is dropped', async () => {
  const store = await openTestDatabase(temporary);
  await store.connection.collection('things').insertOne({ n: 1 });
  const { name } = store.connection;
  await store.close();
  const next = await openTestDatabase(lasting);
  const things = next.connection.getClient().db(name).collection('things');
  expect(await things.countDocuments()).toBe(1);
  await things.drop();
  await next.close();
});

test('without a server the run says how to get one', async () => {
  await expect(openTestDatabase({})).rejects.toThrow(/TEST_MONGODB_URI is not set/);
});
