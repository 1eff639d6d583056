import { connect } from '../platform/database/connect.ts';
import type { Store, StoreOptions } from '../platform/database/types.ts';
import { readAnnounced } from './announcement.ts';
import { storeLayout } from './layout.ts';
import { openStore } from './open-store.ts';

/** A store, as a short-lived command needs it. */
export type AttachedStore = Pick<Store, 'connection' | 'close'>;

/**
 * For commands beside a running server: the embedded store of the process that holds `dataDir`, and otherwise the same
 * as {@link openStore}.
 */
export async function attachStore(options: StoreOptions): Promise<AttachedStore> {
  const uri = options.mongodbUri === undefined ? readAnnounced(storeLayout(options.dataDir)) : undefined;
  if (uri === undefined) {
    return openStore(options);
  }
  const connection = await connect(uri, options.database);
  return { connection, close: () => connection.destroy() };
}
