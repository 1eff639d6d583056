import { type ClientSession, type Connection, mongo } from 'mongoose';

/**
 * The times of everything that this process has read and written through a mongos. On a sharded cluster a transaction over two
 * shards becomes visible on one of them before the other, and two mongos know of different times. Reads from a time on wait for
 * all that was committed before it.
 */
export interface CausalTimes {
  /** As text, for other processes of the product; undefined before the first answer of the database. Not for the public. */
  latest(): string | undefined;
  /** Makes everything that begins from now on see what the sender of the text had seen. @throws Error for any other text */
  advance(text: string): void;
}

/** MongoDB's own two times: up to which an answer is, and the latest of the cluster, which the cluster has signed. */
interface Times {
  readonly operationTime: mongo.Timestamp;
  readonly clusterTime: mongo.ClusterTime;
}

const known = new WeakMap<object, CausalTimes>();

/** The times of a connection to a mongos; undefined for a replica set, whose primary has them all. */
export function causalTimesOf(connection: object): CausalTimes | undefined {
  return known.get(connection);
}

/**
 * Makes all sessions of the connection causally consistent with each other, those that the driver opens for single commands
 * too: no option of the driver says that. For a connection to a mongos, before it is used.
 */
export function keepCausalTimes(connection: Pick<Connection, 'getClient'>): void {
  const client = connection.getClient();
  const startSession = client.startSession.bind(client);
  let latest: Times | undefined;
  const note = ({ operationTime, clusterTime }: Pick<ClientSession, 'operationTime' | 'clusterTime'>) => {
    if (operationTime !== undefined && clusterTime !== undefined) {
      latest = latest ? laterOf(latest, { operationTime, clusterTime }) : { operationTime, clusterTime };
    }
  };
  client.startSession = (options) => {
    const session = startSession({ ...options, causalConsistency: true });
    if (latest !== undefined) {
      session.advanceClusterTime(latest.clusterTime);
      session.advanceOperationTime(latest.operationTime);
    }
    return session.once('ended', note);
  };
  known.set(connection, {
    latest: () => latest && Buffer.from(mongo.BSON.serialize(latest)).toString('base64url'),
    advance: (text) => note(readTimes(text)),
  });
}

function laterOf(one: Times, other: Times): Times {
  return {
    operationTime: other.operationTime.greaterThan(one.operationTime)
      ? other.operationTime
      : one.operationTime,
    clusterTime: other.clusterTime.clusterTime.greaterThan(one.clusterTime.clusterTime)
      ? other.clusterTime
      : one.clusterTime,
  };
}

/** BSON, and not JSON: the driver gets the signature back as it had read it. */
function readTimes(text: string): Times {
  const { operationTime, clusterTime } = mongo.BSON.deserialize(Buffer.from(text, 'base64url'));
  if (!(operationTime instanceof mongo.Timestamp) || !(clusterTime?.clusterTime instanceof mongo.Timestamp)) {
    throw new TypeError('These are no times of a cluster');
  }
  return { operationTime, clusterTime };
}
