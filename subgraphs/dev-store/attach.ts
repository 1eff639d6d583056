import type { Connection } from 'mongoose';
import { connect } from '../kernel/database/connect.ts';
import { readAnnounced } from './announcement.ts';
import { storeLayout } from './layout.ts';
import { type DevStoreOptions, openDevStore } from './open-dev-store.ts';

/** A database, as a short-lived command needs it. */
interface AttachedDatabase {
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * For commands beside a running server: the development store of the process that holds `dataDir`, and otherwise the same
 * as {@link openDevStore}.
 */
export async function attachDevStore(options: DevStoreOptions): Promise<AttachedDatabase> {
  const uri = readAnnounced(storeLayout(options.dataDir));
  if (uri === undefined) {
    return openDevStore(options);
  }
  const connection = await connect(uri, options.database);
  return { connection, close: () => connection.destroy() };
}
