import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { openDatabase } from './open-database.ts';

const log = pino({ level: 'silent' });

test('the URI names the database and sets options of the driver', async () => {
  const before = mongoose.connections.length;
  const uri = process.env.TEST_MONGODB_URI!.replace(/\/[^/?]*(\?|$)/, '/of_the_uri?maxPoolSize=3&');
  const database = await openDatabase({ uri, log });
  expect(database.connection.name).toBe('of_the_uri');
  expect(database.connection.getClient().options.maxPoolSize).toBe(3);
  await Promise.all([database.close(), database.close()]);
  expect(mongoose.connections).toHaveLength(before);
});

test('a cluster that cannot be reached is named without its password', async () => {
  const before = mongoose.connections.length;
  const lines: string[] = [];
  const loud = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
  const uri = 'mongodb://ann:hunter2@127.0.0.1:1/x?serverSelectionTimeoutMS=200';
  const error: Error = await openDatabase({ uri, log: loud }).catch((reason) => reason);
  expect(error.message).toMatch(
    /^cannot connect to mongodb:\/\/\*\*\*@127\.0\.0\.1:1\/x: .*ECONNREFUSED.*see that/,
  );
  expect(JSON.stringify([error, error.cause, lines, error.stack])).not.toContain('hunter2');
  expect(mongoose.connections).toHaveLength(before);
});
