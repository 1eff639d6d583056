import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { StoreError } from './types.ts';
import { databaseOf, redactText, redactUri, setsOption } from './uri.ts';

/** Used when neither the caller nor the URI names a database. */
export const DEFAULT_DATABASE = 'remitgraph';

const POOL_SIZE = 50;
const SERVER_SELECTION_TIMEOUT_MS = 15_000;
/** By heartbeats one knows soon that the store is away; see `watchStore`. */
const HEARTBEAT_MS = 1_000;

const REPLICA_SET_NEEDED =
  'Transactions and change streams need a replica set or a sharded cluster: start mongod with --replSet rs0 and run ' +
  'rs.initiate() once, or name the members of an existing set.';

/**
 * Connects to the cluster at `uri` and makes sure that it offers transactions and change streams.
 * @throws StoreError, without credentials, when it cannot be reached or offers neither
 */
export async function connect(uri: string, database: string | undefined): Promise<Connection> {
  const connection = await open(uri, {
    ...unlessInUri(uri, {
      retryWrites: true,
      maxPoolSize: POOL_SIZE,
      serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      appName: 'remitgraph',
    }),
    // Not open to the URI: a payment that is acknowledged must outlive the loss of a member.
    writeConcern: { w: 'majority', journal: true },
    dbName: database ?? databaseOf(uri) ?? DEFAULT_DATABASE,
    // By makeIndexes alone.
    autoCreate: false,
    autoIndex: false,
  });
  const fault = await findFault(connection, uri);
  if (fault !== undefined) {
    await connection.destroy();
    throw new StoreError(`${redactUri(uri)} ${fault}`);
  }
  return connection;
}

function unlessInUri(uri: string, defaults: ConnectOptions): ConnectOptions {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !setsOption(uri, name)));
}

async function open(uri: string, options: ConnectOptions): Promise<Connection> {
  const connection = mongoose.createConnection(uri, options);
  try {
    return await connection.asPromise();
  } catch (error) {
    // Mongoose keeps it, and with it the URI, among its connections otherwise.
    await connection.destroy();
    // Not as its cause: the driver's error holds the options, and they hold the password.
    throw new StoreError(
      `cannot connect to ${redactUri(uri)}: ${redactText((error as Error).message, uri)}. ` +
        'See that the cluster runs, that this machine reaches its hosts, and that the credentials are right.',
    );
  }
}

async function findFault(connection: Connection, uri: string): Promise<string | undefined> {
  const { db } = connection;
  if (db === undefined) {
    return 'gave a connection without a database';
  }
  try {
    const hello = await db.admin().command({ hello: 1 });
    const transactional = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
    return transactional ? undefined : `is a stand-alone server. ${REPLICA_SET_NEEDED}`;
  } catch (error) {
    return `does not answer hello: ${redactText((error as Error).message, uri)}`;
  }
}
