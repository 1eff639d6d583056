import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type mongo } from 'mongoose';
import { DatabaseError } from '../kernel/database/database-error.ts';

/** All that is needed of a server here: to run a command on its `admin` database. */
export interface AdminCommands {
  command(command: mongo.BSON.Document): Promise<mongo.BSON.Document>;
}

const POLL_MS = 50;
const TIMEOUT_MS = 30_000;

/** Connects to the one server at `address` (`host:port`), whatever state it is in, for the time of `use`. */
export async function withAdmin<T>(address: string, use: (admin: AdminCommands) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(`mongodb://${address}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: TIMEOUT_MS,
  });
  try {
    return await use(client.db('admin'));
  } finally {
    await client.close();
  }
}

/**
 * Waits until the server answers `hello` as a primary that takes writes.
 * @throws DatabaseError after `timeoutMs` (default 30 s)
 */
export async function waitForPrimary(admin: AdminCommands, timeoutMs = TIMEOUT_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const state = await askHello(admin);
    if (state === 'primary') {
      return;
    }
    if (Date.now() > deadline) {
      throw new DatabaseError(`the server did not become a primary within ${timeoutMs / 1000} s: ${state}`);
    }
    await sleep(POLL_MS);
  }
}

async function askHello(admin: AdminCommands): Promise<string> {
  try {
    const hello = await admin.command({ hello: 1 });
    return hello.isWritablePrimary === true ? 'primary' : 'it answers hello, as a secondary';
  } catch (error) {
    // An election or a changed configuration cuts connections; the next try shows.
    if (error instanceof mongoose.mongo.MongoError) {
      return error.message;
    }
    throw error;
  }
}
