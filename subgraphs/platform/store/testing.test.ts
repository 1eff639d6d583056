import { expect, test } from '@jest/globals';
import { openTestStore } from './testing.ts';

test('each test store has a database of its own on the server of the run, dropped at close', async () => {
  const [one, two] = await Promise.all([openTestStore(), openTestStore()]);
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

test('without a server the run is told how to get one', async () => {
  await expect(openTestStore({})).rejects.toThrow(/TEST_MONGODB_URI is not set/);
});
