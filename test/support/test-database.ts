import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection } from 'mongoose';
import { type Logger, pino } from 'pino';
import { openDevStore } from '../../subgraphs/dev-store/open-dev-store.ts';
import { makeIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import { type Database, openDatabase } from '../../subgraphs/kernel/database/open-database.ts';
import { monitored } from './count-commands.ts';
import { makeDatabaseFolder } from './database-folder.ts';

/** Names the server of the tests that run in this process; set for each worker process, or by hand. */
export const TEST_URI_VARIABLE = 'TEST_MONGODB_URI';

/** Set to `true` when the server is removed at the end of the run, and databases need not be dropped one by one. */
export const TEMPORARY_SERVER_VARIABLE = 'TEST_STORE_IS_TEMPORARY';

/** Kept between runs: an installed SecantusDB in Python, where the tests need one. The first run of a clone installs it. */
export const VENV_DIR = resolve('node_modules/.cache/remitgraph/store-venv');

/** A database server of one test run. */
export interface SharedTestServer {
  readonly uri: string;
  readonly description: string;
  /** Whether the server was made for this run, and is gone with all its data after {@link SharedTestServer.stop}. */
  readonly temporary: boolean;
  stop(): Promise<void>;
}

/**
 * Finds a server for one test run: `TEST_MONGODB_URI` or `MONGODB_URI` when set, else a development store in a
 * temporary directory.
 */
export async function startSharedTestServer(env: NodeJS.ProcessEnv = process.env): Promise<SharedTestServer> {
  const given = givenUri(env);
  const dataDir = makeDatabaseFolder();
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const log = quietLog();
  try {
    const { uri, description, close } =
      given === undefined
        ? await openDevStore({ dataDir, log, env, venvDir: VENV_DIR })
        : await openDatabase({ uri: given, log });
    const stop = async () => {
      await close();
      remove();
    };
    return { uri, description, temporary: given === undefined, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * A database of its own for one test file; the driver reports each command that it sends. The server is the run's;
 * {@link leaveDatabase} says what `close` does.
 * @throws when the run has no server: jest's global setup starts it
 */
export async function openTestDatabase(env: NodeJS.ProcessEnv = process.env): Promise<Database> {
  const uri = givenUri(env);
  if (uri === undefined) {
    throw new Error(`${TEST_URI_VARIABLE} is not set: run tests by npm test or npm run jest`);
  }
  const name = `remitgraph_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const database = await openDatabase({
    uri: monitored(uri),
    database: name,
    log: quietLog(),
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    try {
      await leaveDatabase(database.connection, env);
    } finally {
      await database.close();
    }
  };
  return {
    ...database,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** How many models a database has its indexes for. */
const indexed = new WeakMap<Connection, number>();

/** Makes the indexes of a test's database once, however many tests of the file set it up. */
export async function makeIndexesOnce(connection: Connection): Promise<void> {
  const models = connection.modelNames().length;
  if (indexed.get(connection) !== models) {
    await makeIndexes(connection);
    indexed.set(connection, models);
  }
}

/**
 * Drops a test's database, but not where the server is removed with the run: SecantusDB in Python removes key after key
 * and answers nobody else meanwhile.
 */
export async function leaveDatabase(
  connection: Connection,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (!isStoreTemporary(env)) {
    await connection.dropDatabase();
  }
}

/** Whether the run's server is removed at its end, with all databases on it. */
export function isStoreTemporary(env: NodeJS.ProcessEnv = process.env): boolean {
  return env[TEMPORARY_SERVER_VARIABLE] === 'true';
}

function givenUri(env: NodeJS.ProcessEnv): string | undefined {
  return env[TEST_URI_VARIABLE] || env.MONGODB_URI || undefined;
}

function quietLog(): Logger {
  return pino({ level: 'error' }, pino.destination({ fd: 2, sync: true }));
}
