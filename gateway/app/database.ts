import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection } from 'mongoose';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { connect } from '../../subgraphs/kernel/database/connect.ts';
import {
  type Database,
  type DatabaseLog,
  openDatabase,
} from '../../subgraphs/kernel/database/open-database.ts';
import { redactUri } from '../../subgraphs/kernel/database/uri.ts';

type Where = Pick<Config, 'MONGODB_URI' | 'DATA_DIR'>;

/**
 * Opens the cluster at `MONGODB_URI`. Without a URI it starts a development store in `DATA_DIR`, and only then loads its
 * code. Processes that share a cluster may share a `DATA_DIR`, because it is not used with `MONGODB_URI`. @throws
 * DatabaseError with what to do
 */
export async function openConfiguredDatabase(
  { MONGODB_URI: uri, DATA_DIR: dataDir }: Where,
  log: DatabaseLog,
): Promise<Database> {
  if (uri === undefined) {
    const { openDevStore } = await import('../../subgraphs/dev-store/open-dev-store.ts');
    return openDevStore({ dataDir, log });
  }
  noteUnusedDevStore(dataDir, log);
  const database = await openDatabase({ uri, log });
  log.info({ store: 'uri', description: database.description, uri: redactUri(uri) }, 'store ready');
  return database;
}

/**
 * Opens the same database for a short-lived command, even beside a running server whose development store holds `DATA_DIR`.
 * @throws DatabaseError with what to do
 */
export async function attachConfiguredDatabase(
  { MONGODB_URI: uri, DATA_DIR: dataDir }: Where,
  log: DatabaseLog,
): Promise<{ readonly connection: Connection; close(): Promise<void> }> {
  if (uri === undefined) {
    const { attachDevStore } = await import('../../subgraphs/dev-store/attach.ts');
    return attachDevStore({ dataDir, log });
  }
  const connection = await connect(uri, undefined);
  return { connection, close: () => connection.destroy() };
}

/** The layout is the development store's own (`layout.ts`), which is not loaded here; a test compares the two. */
function noteUnusedDevStore(dataDir: string, log: DatabaseLog): void {
  const folder = resolve(dataDir, 'store');
  if (existsSync(resolve(folder, 'owner.json'))) {
    log.info(`${folder} holds the data of an embedded store, which is not used under MONGODB_URI`);
  }
}
