import { once } from 'node:events';
import mongoose, { type Connection } from 'mongoose';
import type { Logger } from '../log/log.ts';
import { connect } from './connect.ts';
import { redactUri, withDatabase } from './uri.ts';

/** The part of the process's logger that a database writes to. */
export type DatabaseLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** An open database. */
export interface Database {
  /** Connection string that names the database. It may hold credentials: never log it, log `description`. */
  readonly uri: string;
  /** The running server, for people and logs: program and version, or the cluster's hosts, without credentials. */
  readonly description: string;
  /** Connected; writes are acknowledged by a majority and journalled. */
  readonly connection: Connection;
  /**
   * Resolves with the reason when a server that this process started ends by itself. Then nothing can be saved, and the
   * process should stop with a failure. Never resolves for a cluster, nor after {@link Database.close}.
   */
  readonly exited: Promise<string>;
  /** Closes the connection and stops a server that this process started. A second call waits for the first. */
  close(): Promise<void>;
}

/** A database server that this process has started and will stop. */
interface OwnServer {
  /** Program and version, for people and logs; no credentials. */
  readonly description: string;
  /** Resolves with the reason when it ends without {@link OwnServer.stop}. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

interface OpenDatabaseOptions {
  /** A replica set or a sharded cluster. */
  readonly uri: string;
  /** Database to use, whatever the URI names. Default: the URI's database, else `remitgraph`. */
  readonly database?: string | undefined;
  readonly log: DatabaseLog;
  /** The server behind `uri`, when it ends with the database. Default: a cluster that somebody else runs. */
  readonly server?: OwnServer;
}

const NOTICE_TIMEOUT_MS = 2_000;

/**
 * Connects to the database behind a URI.
 * @throws DatabaseError with what to do; a `server` that was given runs on then
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { uri, log, server } = options;
  const connection = await connect(uri, options.database);
  let serverEnded = false;
  let closing: Promise<void> | undefined;
  const close = async () => {
    try {
      if (serverEnded) {
        await waitForDisconnect(connection);
      }
      await connection.destroy();
    } finally {
      await server?.stop();
    }
  };
  connection.on('disconnected', () => closing ?? log.warn('the store is out of reach; reconnecting'));
  connection.on('reconnected', () => log.info('the store is in reach again'));
  void server?.exited.then((reason) => {
    serverEnded = true;
    log.error({ reason }, 'the store server ended: nothing can be stored');
  });
  return {
    uri: withDatabase(uri, connection.name),
    description: server?.description ?? `MONGODB_URI ${redactUri(uri)}`,
    connection,
    exited: server?.exited ?? new Promise(() => undefined),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Waits until the driver knows that the server is gone. The driver learns it from its sockets, about when we learn it from
 * the process. A driver that believes in the server says goodbye to it and waits long for the answer.
 */
async function waitForDisconnect(connection: Connection): Promise<void> {
  if (connection.readyState === mongoose.ConnectionStates.connected) {
    // If the driver has not learned it by then, closing takes longer.
    await once(connection, 'disconnected', { signal: AbortSignal.timeout(NOTICE_TIMEOUT_MS) }).catch(
      () => undefined,
    );
  }
}
