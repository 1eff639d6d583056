/**
 * Preloaded into a server, see `preloads.ts`: every store claims to be older than the command `bulkWrite` (MongoDB 8.0),
 * so that the product sends it the writes of a transaction collection by collection.
 */
import { Socket } from 'node:net';

/** How a field of 32 bits begins in BSON: its type, its name and a zero. */
const FIELD = '\x10maxWireVersion\0';
/** Of MongoDB 7.3, the last one before. */
const OLDER = 24;

const push = Socket.prototype.push;

/** All that comes in over a socket comes by here. */
Socket.prototype.push = function (this: Socket, chunk: unknown, encoding?: BufferEncoding) {
  if (chunk instanceof Uint8Array) {
    overwrite(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  }
  return push.call(this, chunk, encoding);
};

function overwrite(bytes: Buffer): void {
  const at = bytes.indexOf(FIELD, 0, 'latin1');
  if (at >= 0) {
    bytes.writeInt32LE(OLDER, at + FIELD.length);
  }
}
