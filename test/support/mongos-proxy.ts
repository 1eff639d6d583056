import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mongo } from 'mongoose';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { TEST_URI_VARIABLE } from './test-database.ts';
import { HEADER_BYTES, OP_MSG, readMessages, toMessage } from './wire.ts';

/** A command as it arrived. */
export type Arrived = mongo.Document;

/**
 * The run's store behind a proxy that answers as a mongos: it says so in `hello`, and gives every answer a cluster time of its
 * own. It has no shards: it shows the commands of a process, not their effect on a cluster.
 */
export interface MongosProxy {
  /** Names a database of the store by this way. */
  uriOf(database: string): string;
  /** All commands until now, with the times that the store does not know. */
  readonly commands: readonly Arrived[];
  close(): Promise<void>;
}

const OP_REPLY = 1;
/** After the header: flags, and the kind of the first section. */
const MESSAGE_HEAD_BYTES = HEADER_BYTES + 5;
/** After the header: flags, cursor, first document, number of documents. */
const REPLY_HEAD_BYTES = HEADER_BYTES + 20;
const OF_REPLICA_SETS = [
  'setName',
  'setVersion',
  'hosts',
  'primary',
  'me',
  'electionId',
  'secondary',
  'topologyVersion',
];

/** How the cluster behind the proxy behaves. */
export interface MongosBehavior {
  /** Seconds of its first cluster time; each answer has the next one. Default 1,000. */
  readonly firstTime?: number;
  /** How late it is with the answers of open cursors, as a mongos is with change streams while a shard is idle. Default 0. */
  readonly lateMs?: number;
}

/** Starts the proxy before the store of the test run. */
export async function startMongosProxy({
  firstTime = 1_000,
  lateMs = 0,
}: MongosBehavior = {}): Promise<MongosProxy> {
  const shared = new URL(process.env[TEST_URI_VARIABLE] ?? '');
  const open = new Set<Socket>();
  const commands: Arrived[] = [];
  let seconds = firstTime;
  const answerOf = (answer: mongo.Document): mongo.Document => {
    const clusterTime = new mongo.Timestamp({ t: seconds, i: 1 });
    seconds += 1;
    const signature = { hash: new mongo.Binary(Buffer.alloc(20)), keyId: new mongo.Long(0) };
    const timed = { ...answer, operationTime: clusterTime, $clusterTime: { clusterTime, signature } };
    return 'maxWireVersion' in answer ? toMongos(timed) : timed;
  };
  const server = createServer((client) => {
    const store = connect(Number(shared.port), shared.hostname);
    for (const socket of [client, store]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        client.destroy();
        store.destroy();
      });
    }
    const late = new Set<number>();
    readMessages(client, (message) => {
      store.write(withoutTimes(message, commands));
      if ('getMore' in (commands.at(-1) ?? {})) {
        late.add(message.readInt32LE(4));
      }
    });
    readMessages(store, (message) => {
      const answer = withAnswer(message, answerOf);
      if (late.delete(message.readInt32LE(8))) {
        setTimeout(() => client.write(answer), lateMs).unref();
      } else {
        client.write(answer);
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const own = new URL(shared);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  own.search = '';
  return {
    uriOf: (database) => withDatabase(own.href, database),
    commands,
    close: async () => {
      for (const socket of open) {
        socket.destroy();
      }
      await new Promise((closed) => server.close(closed));
    },
  };
}

function toMongos(hello: mongo.Document): mongo.Document {
  const own = Object.entries(hello).filter(([name]) => !OF_REPLICA_SETS.includes(name));
  return { ...Object.fromEntries(own), msg: 'isdbgrid' };
}

/** Takes from a command the parts that only a cluster understands, and notes it as it was. */
function withoutTimes(message: Buffer, commands: Arrived[]): Buffer {
  if (message.readInt32LE(12) !== OP_MSG) {
    return message;
  }
  const body = documentAt(message, MESSAGE_HEAD_BYTES);
  commands.push(body);
  const {
    $clusterTime: _,
    recoveryToken: _token,
    readConcern: { afterClusterTime, ...readConcern } = {},
    ...rest
  } = body;
  const bytes = mongo.BSON.serialize({
    ...rest,
    ...(Object.keys(readConcern).length > 0 && { readConcern }),
  });
  // The driver writes the command before its lists of documents.
  const end = MESSAGE_HEAD_BYTES + message.readInt32LE(MESSAGE_HEAD_BYTES);
  return withLength([message.subarray(0, MESSAGE_HEAD_BYTES), bytes, message.subarray(end)]);
}

function withAnswer(message: Buffer, answerOf: (answer: mongo.Document) => mongo.Document): Buffer {
  if (message.readInt32LE(12) === OP_MSG) {
    return toMessage(answerOf(documentAt(message, MESSAGE_HEAD_BYTES)), message.readInt32LE(8));
  }
  if (message.readInt32LE(12) !== OP_REPLY) {
    return message;
  }
  const answer = answerOf(documentAt(message, REPLY_HEAD_BYTES));
  return withLength([message.subarray(0, REPLY_HEAD_BYTES), mongo.BSON.serialize(answer)]);
}

/** As it was on the wire: numbers and binary data keep their types. */
function documentAt(message: Buffer, place: number): mongo.Document {
  const bytes = message.subarray(place, place + message.readInt32LE(place));
  return mongo.BSON.deserialize(bytes, { promoteValues: false });
}

function withLength(parts: readonly Uint8Array[]): Buffer {
  const whole = Buffer.concat(parts);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}
