import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import type { Store } from '../platform/database/types.ts';
import { openStore } from './open-store.ts';
import { makeStoreFolder } from './testing-folder.ts';

/** Names the store that the tests of one run share; set by {@link startSharedTestStore}, or by hand. */
export const TEST_URI_VARIABLE = 'TEST_MONGODB_URI';

/** Set to `true` when the store is removed at the end of the run, and databases need not be dropped one by one. */
export const TEMPORARY_STORE_VARIABLE = 'TEST_STORE_IS_TEMPORARY';

/** Where jest's global setup, in the same process, leaves the run's {@link SharedTestStore} for its teardown. */
export const SHARED_STORE = Symbol.for('remitgraph.shared-test-store');

/** Kept between runs: an installed Python server, where the tests need one (step 4 of the chain). */
const VENV_DIR = resolve('node_modules/.cache/remitgraph/store-venv');

/** The store of one test run. */
export interface SharedTestStore {
  readonly uri: string;
  readonly description: string;
  /** Whether the store was made for this run, and is gone with all its data after {@link SharedTestStore.stop}. */
  readonly temporary: boolean;
  stop(): Promise<void>;
}

/**
 * Finds the store for one test run: `TEST_MONGODB_URI` or `MONGODB_URI` when set, else a server by the product's own
 * chain on a temporary directory. For jest's global setup.
 */
export async function startSharedTestStore(env: NodeJS.ProcessEnv = process.env): Promise<SharedTestStore> {
  const given = givenUri(env);
  const dataDir = makeStoreFolder();
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const store = await openStore({
      mongodbUri: given,
      dataDir,
      log: quietLog(),
      env,
      venvDir: VENV_DIR,
    });
    const stop = async () => {
      await store.close();
      remove();
    };
    return { uri: store.uri, description: store.description, temporary: given === undefined, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * A store on a database of its own, for one test file: the server is the run's; {@link leaveDatabase} says what `close` does.
 * @throws when the run has no store: jest's global setup starts it
 */
export async function openTestStore(env: NodeJS.ProcessEnv = process.env): Promise<Store> {
  const uri = givenUri(env);
  if (uri === undefined) {
    throw new Error(`${TEST_URI_VARIABLE} is not set: run tests by npm test or npm run jest`);
  }
  const database = `remitgraph_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const store = await openStore({ mongodbUri: uri, dataDir: tmpdir(), database, log: quietLog(), env });
  let closing: Promise<void> | undefined;
  const close = async () => {
    try {
      await leaveDatabase(store.connection, env);
    } finally {
      await store.close();
    }
  };
  return {
    ...store,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Drops a test's database, but not where the server is removed with the run: SecantusDB in Python removes key after key
 * and answers nobody else meanwhile.
 */
export async function leaveDatabase(
  connection: Connection,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (env[TEMPORARY_STORE_VARIABLE] !== 'true') {
    await connection.dropDatabase();
  }
}

function givenUri(env: NodeJS.ProcessEnv): string | undefined {
  return env[TEST_URI_VARIABLE] || env.MONGODB_URI || undefined;
}

function quietLog() {
  return pino({ level: 'error' }, pino.destination({ fd: 2, sync: true }));
}
