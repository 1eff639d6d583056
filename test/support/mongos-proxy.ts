import { mongo } from 'mongoose';
import { type ProxiedStore, proxyStore } from './proxy-store.ts';
import { HEADER_BYTES, OP_MSG, readMessages, toMessage } from './wire.ts';

/**
 * The run's store behind a proxy that answers as a mongos: it says so in `hello`, and gives every answer a cluster time of its
 * own. It has no shards: it shows the commands of a process, not their effect on a cluster.
 */
export interface MongosProxy extends Pick<ProxiedStore, 'uriOf' | 'close'> {
  /** All commands until now, as they arrived: with the times that the store does not know. */
  readonly commands: readonly mongo.Document[];
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
interface MongosBehavior {
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
  const commands: mongo.Document[] = [];
  let seconds = firstTime;
  const answerOf = (answer: mongo.Document): mongo.Document => {
    const clusterTime = new mongo.Timestamp({ t: seconds, i: 1 });
    seconds += 1;
    const signature = { hash: new mongo.Binary(Buffer.alloc(20)), keyId: new mongo.Long(0) };
    const timed = { ...answer, operationTime: clusterTime, $clusterTime: { clusterTime, signature } };
    return 'maxWireVersion' in answer ? toMongos(timed) : timed;
  };
  const { uriOf, close } = await proxyStore(
    (client, store) => {
      /** The numbers of requests whose answers are late. */
      const late = new Set<number>();
      readMessages(client, (message) => {
        if (message.readInt32LE(12) !== OP_MSG) {
          store.write(message);
          return;
        }
        const command = documentAt(message, MESSAGE_HEAD_BYTES);
        commands.push(command);
        if ('getMore' in command) {
          late.add(message.readInt32LE(4));
        }
        store.write(withCommand(message, withoutTimes(command)));
      });
      readMessages(store, (message) => {
        const answer = withAnswer(message, answerOf);
        if (late.delete(message.readInt32LE(8))) {
          setTimeout(() => client.write(answer), lateMs).unref();
        } else {
          client.write(answer);
        }
      });
    },
    { isDirect: false },
  );
  return { uriOf, commands, close };
}

function toMongos(hello: mongo.Document): mongo.Document {
  const own = Object.entries(hello).filter(([name]) => !OF_REPLICA_SETS.includes(name));
  return { ...Object.fromEntries(own), msg: 'isdbgrid' };
}

/** A command without the parts that only a cluster understands. */
function withoutTimes(command: mongo.Document): mongo.Document {
  const {
    $clusterTime: _,
    recoveryToken: _token,
    readConcern: { afterClusterTime, ...readConcern } = {},
    ...rest
  } = command;
  return { ...rest, ...(Object.keys(readConcern).length > 0 && { readConcern }) };
}

/** The message with another command. The driver writes the command before its lists of documents. */
function withCommand(message: Buffer, command: mongo.Document): Buffer {
  const end = MESSAGE_HEAD_BYTES + message.readInt32LE(MESSAGE_HEAD_BYTES);
  const head = message.subarray(0, MESSAGE_HEAD_BYTES);
  return withLength([head, mongo.BSON.serialize(command), message.subarray(end)]);
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
