import { DatabaseError } from '../kernel/database/database-error.ts';
import { type Database, type DatabaseLog, openDatabase } from '../kernel/database/open-database.ts';
import { redactUri } from '../kernel/database/uri.ts';
import { isSystemError } from '../kernel/errors/operator-error.ts';
import { makePrivateDirectory } from '../kernel/private-directory.ts';
import { announce, withdraw } from './announcement.ts';
import { type StartedStore, startFirst } from './chain.ts';
import { type StoreLayout, storeLayout } from './layout.ts';
import { type DirectoryLock, lockDirectory } from './lock.ts';
import { readOwner, writeOwner } from './owner.ts';
import type { Provider, ProviderContext, StoreKind } from './provider.ts';
import { mongodProvider } from './providers/mongod.ts';
import { mongodDownloadProvider } from './providers/mongod-download.ts';
import { secantusPyProvider } from './providers/secantus-py.ts';
import { secantusRsProvider } from './providers/secantus-rs.ts';
import { endLeftoverServer, forgetServer, recordServer } from './server-record.ts';

/** The providers of a server, in the order in which they are tried. */
export const PROVIDERS: readonly Provider[] = [
  mongodProvider,
  secantusRsProvider,
  secantusPyProvider,
  mongodDownloadProvider,
];

export interface DevStoreOptions {
  /** `DATA_DIR`; made (mode 0700) when it is not there. */
  readonly dataDir: string;
  /** Database to use. Default: `remitgraph`. */
  readonly database?: string | undefined;
  readonly log: DatabaseLog;
  /** Where `PATH` and `NODE_ENV` are read, and what servers and installers inherit. Default `process.env`. */
  readonly env?: NodeJS.ProcessEnv;
  /** Directory of the Python environments; by default in `dataDir`. Tests keep one for all their runs. */
  readonly venvDir?: string;
}

/** A database on a server that this process started. */
export interface DevStore extends Database {
  readonly kind: StoreKind;
}

/**
 * Starts a server on the data in `dataDir`, by the first of {@link PROVIDERS} that works, and connects to it. A directory
 * that holds data stays with the program that keeps it.
 *
 * A development store belongs to one process: a second start in the same `dataDir` fails at once.
 * @throws DatabaseError with the fix, when no server is available
 */
export async function openDevStore(
  options: DevStoreOptions,
  providers: readonly Provider[] = PROVIDERS,
): Promise<DevStore> {
  const layout = storeLayout(options.dataDir, options.venvDir);
  const context: ProviderContext = {
    layout,
    env: options.env ?? process.env,
    log: options.log,
    recordServer: (pid, dataPath) => recordServer(layout, pid, dataPath),
  };
  const lock = await takeDirectory(layout);
  try {
    await endLeftoverServer(layout, options.log);
    const started = await startFirst(providers, context, readOwner(layout));
    const database = await openOn(started, layout, lock, options);
    report(started, context);
    return { ...database, kind: started.provider.kind };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @throws DatabaseError when the directory is another process's, or cannot be written */
async function takeDirectory(layout: StoreLayout): Promise<DirectoryLock> {
  try {
    makePrivateDirectory(layout.root);
    return await lockDirectory(layout);
  } catch (error) {
    if (isSystemError(error)) {
      throw new DatabaseError(
        `DATA_DIR: nothing can be kept in ${layout.dataDir}: ${error.message}. Give this process a directory that it ` +
          'may write to, or a MONGODB_URI.',
      );
    }
    throw error;
  }
}

/** Connects to the server, and stops it when that fails. */
async function openOn(
  started: StartedStore,
  layout: StoreLayout,
  lock: DirectoryLock,
  { database, log }: DevStoreOptions,
): Promise<Database> {
  const { description, exited, stop, uri } = started.server;
  const stopAndRelease = async () => {
    await stop();
    withdraw(layout);
    forgetServer(layout);
    lock.release();
  };
  const server = { description, exited, stop: stopAndRelease };
  const opened = await openDatabase({ uri, database, log, server }).catch(async (error: unknown) => {
    await stopAndRelease();
    throw error;
  });
  try {
    keepOwner(layout, started);
    announce(layout, uri);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** It is done before anyone can write: from now on this data is not abandoned for another program's. */
function keepOwner(layout: StoreLayout, { provider, server }: StartedStore): void {
  if (readOwner(layout) === undefined) {
    const since = new Date().toISOString();
    writeOwner(layout, { format: provider.format, description: server.description, since });
  }
}

function report({ provider, server }: StartedStore, { env, log }: ProviderContext): void {
  const fields = { store: provider.kind, description: server.description, uri: redactUri(server.uri) };
  if (!provider.development) {
    log.info(fields, 'store ready');
  } else if (env.NODE_ENV === 'production') {
    log.warn(fields, 'store ready, but this one is for development: set MONGODB_URI in production');
  } else {
    log.info(fields, 'store ready; this one is for development');
  }
}
