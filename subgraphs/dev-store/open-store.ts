import { once } from 'node:events';
import { existsSync } from 'node:fs';
import mongoose, { type Connection } from 'mongoose';
import { connect } from '../platform/database/connect.ts';
import { type Store, StoreError, type StoreLog, type StoreOptions } from '../platform/database/types.ts';
import { redactUri, withDatabase } from '../platform/database/uri.ts';
import { isSystemError } from '../platform/errors/operator-error.ts';
import { announce, withdraw } from './announcement.ts';
import { type StartedStore, startFirst } from './chain.ts';
import { makePrivateDirectory, type StoreLayout, storeLayout } from './layout.ts';
import { type DirectoryLock, lockDirectory } from './lock.ts';
import { readOwner, writeOwner } from './owner.ts';
import type { Provider, ProviderContext } from './provider.ts';
import { mongodProvider } from './providers/mongod.ts';
import { mongodDownloadProvider } from './providers/mongod-download.ts';
import { secantusPyProvider } from './providers/secantus-py.ts';
import { secantusRsProvider } from './providers/secantus-rs.ts';
import { uriProvider } from './providers/uri.ts';
import { endLeftoverServer, forgetServer, recordServer } from './server-record.ts';

const NOTICE_TIMEOUT_MS = 2_000;

/** The chain, in order (design, "Store"). */
export const PROVIDERS: readonly Provider[] = [
  uriProvider,
  mongodProvider,
  secantusRsProvider,
  secantusPyProvider,
  mongodDownloadProvider,
];

/**
 * Finds a store and connects to it: the cluster at `mongodbUri`, else a server of our own on the data in `dataDir`, by the
 * first step of {@link PROVIDERS} that works. A directory that holds data stays with the program that keeps it.
 *
 * An embedded store belongs to one process: a second start in the same `dataDir` fails at once. Processes that share a
 * cluster may share a `dataDir`: under `mongodbUri` the store neither locks it nor writes to it.
 *
 * @throws StoreError with what to do, when there is no store to be had
 */
export async function openStore(
  options: StoreOptions,
  providers: readonly Provider[] = PROVIDERS,
): Promise<Store> {
  const layout = storeLayout(options.dataDir, options.venvDir);
  const context: ProviderContext = {
    mongodbUri: options.mongodbUri,
    layout,
    env: options.env ?? process.env,
    log: options.log,
    recordServer: (pid, dataPath) => recordServer(layout, pid, dataPath),
  };
  const opened =
    options.mongodbUri === undefined
      ? await openEmbedded(context, providers, options.database)
      : await openShared(context, providers, options.database);
  report(opened.started, context);
  return toStore(opened, options.log);
}

interface OpenedStore {
  readonly started: StartedStore;
  readonly connection: Connection;
  /** To be called when the server has ended. */
  release(): void;
}

async function openShared(
  context: ProviderContext,
  providers: readonly Provider[],
  database: string | undefined,
): Promise<OpenedStore> {
  const { layout, log } = context;
  if (existsSync(layout.ownerFile)) {
    log.info(`${layout.root} holds the data of an embedded store, which is not used under MONGODB_URI`);
  }
  const started = await startFirst(providers, context, undefined);
  return { started, connection: await connect(started.server.uri, database), release: () => undefined };
}

async function openEmbedded(
  context: ProviderContext,
  providers: readonly Provider[],
  database: string | undefined,
): Promise<OpenedStore> {
  const { layout } = context;
  const lock = await takeDirectory(layout);
  try {
    await endLeftoverServer(layout, context.log);
    const started = await startFirst(providers, context, readOwner(layout));
    const connection = await prepare(started, layout, database);
    announce(layout, started.server.uri);
    const release = () => {
      withdraw(layout);
      forgetServer(layout);
      lock.release();
    };
    return { started, connection, release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @throws StoreError when the directory is another process's, or cannot be written */
async function takeDirectory(layout: StoreLayout): Promise<DirectoryLock> {
  try {
    makePrivateDirectory(layout.root);
    return await lockDirectory(layout);
  } catch (error) {
    if (isSystemError(error)) {
      throw new StoreError(
        `DATA_DIR: nothing can be kept in ${layout.dataDir}: ${error.message}. Give this process a directory that it ` +
          'may write to, or a MONGODB_URI.',
      );
    }
    throw error;
  }
}

async function prepare(
  started: StartedStore,
  layout: StoreLayout,
  database: string | undefined,
): Promise<Connection> {
  try {
    const connection = await connect(started.server.uri, database);
    keepOwner(layout, started);
    return connection;
  } catch (error) {
    await started.server.stop();
    throw error;
  }
}

/** Before anyone can write: from here on this data is not abandoned for another program's. */
function keepOwner(layout: StoreLayout, { provider, server }: StartedStore): void {
  if (provider.format !== undefined && readOwner(layout) === undefined) {
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

function toStore({ started, connection, release }: OpenedStore, log: StoreLog): Store {
  const { provider, server } = started;
  let ended = false;
  let closing: Promise<void> | undefined;
  const close = async () => {
    try {
      if (ended) {
        await noticeEnd(connection);
      }
      await connection.destroy();
    } finally {
      await server.stop();
      release();
    }
  };
  connection.on('disconnected', () => closing ?? log.warn('the store is out of reach; reconnecting'));
  connection.on('reconnected', () => log.info('the store is in reach again'));
  void server.exited.then((reason) => {
    ended = true;
    log.error({ reason }, 'the store server ended: nothing can be stored');
  });
  return {
    uri: withDatabase(server.uri, connection.name),
    kind: provider.kind,
    description: server.description,
    connection,
    exited: server.exited,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Waits until the driver knows that the server is gone, which it learns from its sockets at about the time at which we
 * learn it from the process. A driver that believes in the server takes leave of it, and waits long for the answer.
 */
async function noticeEnd(connection: Connection): Promise<void> {
  if (connection.readyState === mongoose.ConnectionStates.connected) {
    // If it has not learned it by then, closing takes as long as it takes.
    await once(connection, 'disconnected', { signal: AbortSignal.timeout(NOTICE_TIMEOUT_MS) }).catch(
      () => undefined,
    );
  }
}
