import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Model, mongo, Schema } from 'mongoose';
import { type MongosProxy, startMongosProxy } from '../../../test/support/mongos-proxy.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { causalTimesOf } from './causal-times.ts';
import { connect } from './connect.ts';
import type { Database } from './open-database.ts';
import { createTransactions } from './transaction.ts';

/* Against a proxy that answers as a mongos: that the times travel, not how a cluster waits for them. */

let store: Database;
let mongos: MongosProxy;
beforeAll(async () => {
  store = await openTestDatabase();
  await store.connection.createCollection('pets');
});
afterAll(() => store.close());
beforeEach(async () => {
  mongos = await startMongosProxy();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.destroy()));
  await mongos.close();
});

const opened: Awaited<ReturnType<typeof connect>>[] = [];

interface Pet {
  _id: string;
}

/** A process of the product, connected to a mongos. */
async function startProcess(
  through = mongos,
): Promise<{ pets: Model<Pet>; connection: (typeof opened)[number] }> {
  const connection = await connect(through.uriOf(store.connection.name), undefined);
  opened.push(connection);
  const pets = connection.model<Pet>('Pet', new Schema<Pet>({ _id: String }, { collection: 'pets' }));
  return { pets, connection };
}

/** The last command of a name, and the seconds of the times that it names. */
function lastOf(name: string, { commands }: MongosProxy = mongos) {
  const found = commands.findLast((command) => name in command);
  const secondsOf = (time: mongo.Timestamp | undefined) => time?.getHighBits();
  return {
    after: secondsOf(found?.readConcern?.afterClusterTime),
    gossiped: secondsOf(found?.$clusterTime?.clusterTime),
    level: found?.readConcern?.level,
  };
}

const secondsAt = (text = ''): number =>
  mongo.BSON.deserialize(Buffer.from(text, 'base64url')).operationTime.getHighBits();
const timesAt = (seconds: number): string => {
  const time = new mongo.Timestamp({ t: seconds, i: 1 });
  const signature = { hash: new mongo.Binary(Buffer.alloc(20)), keyId: new mongo.Long(0) };
  const times = { operationTime: time, clusterTime: { clusterTime: time, signature } };
  return Buffer.from(mongo.BSON.serialize(times)).toString('base64url');
};

test('a process that is connected to a replica set has no times', () => {
  expect(causalTimesOf(store.connection)).toBeUndefined();
});

test('a command sees all that the process has seen before, by whatever session', async () => {
  const { pets, connection } = await startProcess();
  await pets.insertMany([{ _id: 'rex' }]);
  const written = secondsAt(causalTimesOf(connection)?.latest());
  expect(await pets.find().lean()).toMatchObject([{ _id: 'rex' }]);
  expect(lastOf('find').after).toBe(written);
  expect(lastOf('find').gossiped).toBeGreaterThanOrEqual(written);
  await store.connection.collection('pets').deleteMany({});
});

test('a transaction begins behind all that the process has seen, and what follows it behind its commit', async () => {
  const { pets, connection } = await startProcess();
  await pets.find().lean();
  const read = secondsAt(causalTimesOf(connection)?.latest());
  await createTransactions(connection)(async (unit) => {
    await pets.find().session(unit.session).lean();
    unit.insert(pets, [{ _id: 'max' }]);
  });
  expect(lastOf('find')).toMatchObject({ after: read, level: 'snapshot' });
  const committed = secondsAt(causalTimesOf(connection)?.latest());
  await pets.deleteMany({});
  expect(committed).toBeGreaterThan(read);
  expect(lastOf('delete').after).toBe(committed);
});

test('a process that received the times of another reads behind them, through another mongos too', async () => {
  const other = await startMongosProxy({ firstTime: 10 });
  try {
    const writer = await startProcess();
    const reader = await startProcess(other);
    await writer.pets.find().lean();
    await reader.pets.find().lean();
    const received = causalTimesOf(writer.connection)?.latest() ?? '';
    causalTimesOf(reader.connection)?.advance(received);
    expect(causalTimesOf(reader.connection)?.latest()).toBe(received);
    await reader.pets.find().lean();
    expect(lastOf('find', other)).toMatchObject({
      after: secondsAt(received),
      gossiped: secondsAt(received),
    });
    // Older ones that come later take nothing back.
    const before = secondsAt(causalTimesOf(reader.connection)?.latest());
    causalTimesOf(reader.connection)?.advance(timesAt(5));
    expect(secondsAt(causalTimesOf(reader.connection)?.latest())).toBe(before);
    await reader.pets.find().lean();
    expect(lastOf('find', other).after).toBe(before);
  } finally {
    await Promise.all(opened.splice(0).map((connection) => connection.destroy()));
    await other.close();
  }
});

test.each([
  ['nothing', ''],
  ['another text', 'abc'],
  ['other fields', Buffer.from(mongo.BSON.serialize({ operationTime: 5 })).toString('base64url')],
])('rejects %s', async (_what, text) => {
  const { connection } = await startProcess();
  expect(() => causalTimesOf(connection)?.advance(text)).toThrow();
});
