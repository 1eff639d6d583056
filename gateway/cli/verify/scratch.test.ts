import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { type FaultProxy, startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { openScratch, requireRights } from './scratch.ts';

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy();
});
afterAll(() => proxy.close());

test('A scratch database is dropped although an election breaks off the first attempt', async () => {
  const scratch = await openScratch(proxy.uriOf('any'));
  await scratch.collection('made');
  const armed = proxy.arm('not primary', 1, ({ name }) => name === 'dropDatabase');
  await scratch.drop();
  expect([armed.hasStruck(), armed.seen.length]).toEqual([true, 2]);
  const client = new mongo.MongoClient(proxy.uriOf('any'));
  try {
    const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
    expect(databases.map(({ name }) => name)).not.toContain(scratch.name);
  } finally {
    await client.close();
  }
});

/** A database with a server that permits all but one command, and the collections that are left in it. */
function databaseWithout(forbidden: string) {
  const left = new Set<string>();
  const does = (command: string, change: (name: string) => void) => async (name: string) => {
    if (command === forbidden) {
      throw new mongo.MongoServerError({ message: `not authorized to execute ${command}`, code: 13 });
    }
    change(name);
  };
  const db = {
    databaseName: 'own',
    createCollection: does('create', (name) => left.add(name)),
    dropCollection: does('drop', (name) => left.delete(name)),
    dropDatabase: does('dropDatabase', () => left.clear()),
  };
  // The cast: three commands are all that it takes.
  return { db: db as unknown as mongo.Db, left };
}

test.each(['create', 'dropDatabase'])(
  'A user without the right to %s is refused with the roles that have it, and no collection is left',
  async (forbidden) => {
    const { db, left } = databaseWithout(forbidden);
    await expect(requireRights(db)).rejects.toThrow(
      `own cannot be created and dropped: not authorized to execute ${forbidden}. Use a user with the roles readWriteAnyDatabase`,
    );
    expect(left.size).toBe(0);
  },
);

test('A user with the rights may go on', async () => {
  const { db, left } = databaseWithout('nothing');
  await expect(requireRights(db)).resolves.toBeUndefined();
  expect(left.size).toBe(0);
});
