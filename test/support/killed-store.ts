import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { attachConfiguredDatabase } from '../../gateway/app/database.ts';
import type { Deployment } from './deployment.ts';
import type { Scene } from './scene.ts';
import { isStoreTemporary, startSharedTestServer, TEST_URI_VARIABLE } from './test-database.ts';
import { setTransactionLifetime, USUAL_LIFETIME_SECONDS } from './transaction-lifetime.ts';

/** Enough to come to the commit. For so long what a vanished client has written is kept from everyone else. */
const TRANSACTION_LIFETIME_SECONDS = 4;

/** The URI of a store of this file's own that lives on when its client is killed; undefined when its lifetime is unknown. */
export async function startSurvivor(scene: Scene): Promise<string | undefined> {
  const { [TEST_URI_VARIABLE]: shared = '', MONGODB_URI: _given, ...env } = process.env;
  // The run's own store is one of the same kind.
  if (isStoreTemporary() && !(await setTransactionLifetime(shared, USUAL_LIFETIME_SECONDS))) {
    return undefined;
  }
  const store = await startSharedTestServer(env);
  scene.atEnd(() => store.stop());
  return (await setTransactionLifetime(store.uri, TRANSACTION_LIFETIME_SECONDS)) ? store.uri : undefined;
}

/** Connects to the store of a running deployment, embedded or not. */
export async function connectToStore(scene: Scene, deployment: Deployment): Promise<Connection> {
  const { connection, close } = await attach(deployment);
  scene.atEnd(close);
  return connection;
}

/** Works on the store of a deployment of which no process runs, and leaves an embedded one to the next process. */
export async function onStoppedStore(
  deployment: Deployment,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const { connection, close } = await attach(deployment);
  try {
    await work(connection);
  } finally {
    await close();
  }
}

function attach({ env, dataDir }: Deployment) {
  const where = { MONGODB_URI: env.MONGODB_URI, DATA_DIR: dataDir };
  return attachConfiguredDatabase(where, pino({ level: 'silent' }));
}
