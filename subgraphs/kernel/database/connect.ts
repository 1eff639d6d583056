import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import { messageOf } from '../errors/thrown.ts';
import { noteServer } from './any-of.ts';
import { keepCausalTimes } from './causal-times.ts';
import { DatabaseError } from './database-error.ts';
import { contradictionsOf, databaseOf, optionOf, redactText, redactUri, setsOption } from './uri.ts';

/** Used when neither the caller nor the URI names a database. */
const DEFAULT_DATABASE = 'remitgraph';

/** Most connections of a process, unless the URI says otherwise. */
export const POOL_SIZE = 50;
const SERVER_SELECTION_TIMEOUT_MS = 15_000;
/** Heartbeats show soon that the database is away; see `watchDatabase`. */
const HEARTBEAT_MS = 1_000;

const REPLICA_SET_NEEDED =
  'Transactions and change streams need a replica set or a sharded cluster: start mongod with --replSet rs0 and run ' +
  'rs.initiate() once, or name the members of an existing set.';

/** The oldest server that the product supports, and its wire version (MongoDB, "Wire version and feature list"). */
const OLDEST = { version: '7.0', wireVersion: 21 } as const;

/**
 * Connects to the cluster at `uri` and makes sure that it is MongoDB 7.0 or later, with transactions and change streams.
 * @throws DatabaseError, without credentials, when it cannot be reached, when the product cannot use it, or when the URI has
 *   options that contradict what the product promises
 */
export async function connect(uri: string, database: string | undefined): Promise<Connection> {
  const contradictions = contradictionsOf(uri);
  if (contradictions.length > 0) {
    throw new DatabaseError(`${redactUri(uri)} ${contradictions.join(' It also ')}`);
  }
  await probe(uri);
  const connection = await open(uri, {
    ...unlessInUri(uri, {
      retryWrites: true,
      maxPoolSize: POOL_SIZE,
      serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      appName: 'remitgraph',
    }),
    // The URI cannot change this: an acknowledged payment must survive the loss of a member.
    writeConcern: { w: 'majority', journal: true },
    dbName: database ?? databaseOf(uri) ?? DEFAULT_DATABASE,
    // Only `makeIndexes` makes indexes.
    autoCreate: false,
    autoIndex: false,
  });
  const issue = await findIssue(connection, uri);
  if (issue !== undefined) {
    await connection.destroy();
    throw new DatabaseError(`${redactUri(uri)} ${issue}`);
  }
  return connection;
}

function unlessInUri(uri: string, defaults: ConnectOptions): ConnectOptions {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !setsOption(uri, name)));
}

/** How long a start waits for unreachable hosts. */
const PROBE_TIMEOUT_MS = 4_000;
/** The system's messages for unreachable hosts. A server that is only slow has none of them. */
const NOT_THERE: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN|ENODATA/, 'Its host name is not known: see that it is spelled right.'],
  [/ECONNREFUSED/, 'Nothing listens there: see that the cluster runs, and on this port.'],
  [/EHOSTUNREACH|ENETUNREACH/, 'No network leads there from this machine.'],
];

/**
 * Fails within 5 seconds when nobody answers. The connection that is kept waits longer for a server, because a running
 * product has to survive an election; it decides everything that is not clear so soon.
 * @throws DatabaseError
 */
async function probe(uri: string): Promise<void> {
  let client: mongoose.mongo.MongoClient | undefined;
  try {
    client = new mongoose.mongo.MongoClient(
      uri,
      unlessInUri(uri, { serverSelectionTimeoutMS: PROBE_TIMEOUT_MS, appName: 'remitgraph' }),
    );
    await client.connect();
  } catch (error) {
    const message = messageOf(error);
    const known = NOT_THERE.find(([words]) => words.test(message));
    if (known !== undefined) {
      throw new DatabaseError(
        `cannot connect to ${redactUri(uri)}: ${redactText(message, uri)}. ${known[1]}`,
      );
    }
  } finally {
    await client?.close();
  }
}

async function open(uri: string, options: ConnectOptions): Promise<Connection> {
  const connection = mongoose.createConnection(uri, options);
  try {
    return await connection.asPromise();
  } catch (error) {
    // Otherwise Mongoose keeps it, with the URI, among its connections.
    await connection.destroy();
    // Without the driver's error as its cause: that error has the options, and the options have the password.
    throw new DatabaseError(
      `cannot connect to ${redactUri(uri)}: ${redactText(messageOf(error), uri)}. ` +
        'See that the cluster runs, that this machine reaches its hosts, and that the credentials are right.',
    );
  }
}

async function findIssue(connection: Connection, uri: string): Promise<string | undefined> {
  const { db } = connection;
  if (db === undefined) {
    return 'gave a connection without a database';
  }
  try {
    const [hello, build] = await Promise.all([
      db.admin().command({ hello: 1 }),
      db.admin().command({ buildInfo: 1 }),
    ]);
    if (hello.msg === 'isdbgrid') {
      keepCausalTimes(connection);
    }
    noteServer(connection, build);
    return issueOf(uri, hello, build);
  } catch (error) {
    return `does not answer hello and buildInfo: ${redactText(messageOf(error), uri)}`;
  }
}

/** The reason why the product cannot use a server. @param hello,build its answers to the commands `hello` and `buildInfo` */
export function issueOf(
  uri: string,
  hello: mongoose.mongo.Document,
  build: mongoose.mongo.Document,
): string | undefined {
  if (typeof hello.setName !== 'string' && hello.msg !== 'isdbgrid') {
    return `is a stand-alone server. ${REPLICA_SET_NEEDED}`;
  }
  if (!(Number(hello.maxWireVersion) >= OLDEST.wireVersion)) {
    return `is MongoDB ${build.version}. The product needs ${OLDEST.version} or later: upgrade the servers, one major version at a time.`;
  }
  // SecantusDB in Python is used without: it slows down with each write that it remembers.
  return optionOf(uri, 'retryWrites')?.toLowerCase() === 'false' && build.secantusVersion === undefined
    ? 'sets retryWrites=false, but without it each election fails calls that the driver would repeat. Remove it.'
    : undefined;
}
