import type { Socket } from 'node:net';
import { mongo } from 'mongoose';

/* MongoDB's wire protocol, as far as the proxies of tests read and write it. */

export const HEADER_BYTES = 16;
export const OP_MSG = 2013;

/** Calls back with each message, whole. */
export function readMessages(socket: Socket, take: (message: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      take(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  });
}

/** The two kinds of sections: the command itself, and lists of documents that belong to it, by name. */
export function readSections(message: Buffer): {
  body: mongo.Document;
  sequences: ReadonlyMap<string, readonly mongo.Document[]>;
} {
  let body: mongo.Document = {};
  const sequences = new Map<string, mongo.Document[]>();
  let at = HEADER_BYTES + 4;
  while (at < message.length) {
    const kind = message[at];
    const end = at + 1 + message.readInt32LE(at + 1);
    if (kind === 0) {
      body = deserialize(message.subarray(at + 1, end));
    } else {
      const nameEnd = message.indexOf(0, at + 5);
      const documents: mongo.Document[] = [];
      for (let next = nameEnd + 1; next < end; next += message.readInt32LE(next)) {
        documents.push(deserialize(message.subarray(next, next + message.readInt32LE(next))));
      }
      sequences.set(message.toString('utf8', at + 5, nameEnd), documents);
    }
    at = end;
  }
  return { body, sequences };
}

export function deserialize(bytes: Buffer): mongo.Document {
  return mongo.BSON.deserialize(bytes, { promoteBuffers: true });
}

/** An `OP_MSG` that answers the request of this number. */
export function toMessage(document: mongo.Document, answered: number): Buffer {
  const body = mongo.BSON.serialize(document);
  const head = Buffer.alloc(HEADER_BYTES + 5);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(answered, 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, body]);
}
