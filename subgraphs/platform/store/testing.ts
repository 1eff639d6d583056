import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { openStore } from './open-store.ts';
import type { Store } from './types.ts';

/** Names the store that the tests of one run share; set by {@link startSharedTestStore}, or by hand. */
export const TEST_URI_VARIABLE = 'TEST_MONGODB_URI';

/** Where jest's global setup, in the same process, leaves the run's {@link SharedTestStore} for its teardown. */
export const SHARED_STORE = Symbol.for('remitgraph.shared-test-store');

/** Kept between runs: an installed Python server, where the tests need one (step 4 of the chain). */
const VENV_DIR = resolve('node_modules/.cache/remitgraph/store-venv');

/** The store of one test run. */
export interface SharedTestStore {
  readonly uri: string;
  readonly description: string;
  stop(): Promise<void>;
}

/**
 * Finds the store for one test run: `TEST_MONGODB_URI` or `MONGODB_URI` when set, else a server by the product's own
 * chain on a temporary directory. For jest's global setup.
 */
export async function startSharedTestStore(env: NodeJS.ProcessEnv = process.env): Promise<SharedTestStore> {
  const given = givenUri(env);
  const dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-test-'));
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
    return { uri: store.uri, description: store.description, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * A store on a database of its own, for one test file: the server is the run's, the database is dropped at `close`.
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
      await store.connection.dropDatabase();
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

function givenUri(env: NodeJS.ProcessEnv): string | undefined {
  return env[TEST_URI_VARIABLE] || env.MONGODB_URI || undefined;
}

function quietLog() {
  return pino({ level: 'error' }, pino.destination({ fd: 2, sync: true }));
}
