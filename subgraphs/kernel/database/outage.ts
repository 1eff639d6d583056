import mongoose, { mongo } from 'mongoose';

/**
 * Codes of a server that cannot work now: it is no primary (any more), it shuts down, or it has lost its peers, or waited too
 * long for them (202, 262). Source: MongoDB's error codes; those that drivers treat as "not writable primary" and "node is
 * recovering". And 50, MaxTimeMSExpired: it did not finish a read within the time limit of the connection (`gateway/app/server.ts`).
 */
const OUTAGE_CODES: ReadonlySet<unknown> = new Set([
  50, 6, 7, 64, 89, 91, 133, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** The driver's own errors, which have no class in common: there was no connection. */
const OUTAGE_NAMES: ReadonlySet<string> = new Set([
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
]);

/**
 * Codes of socket errors. The driver (7.8) wraps them in a MongoNetworkError, except an error while a command waits to be
 * written: a connection that has just ended accepts the first command and answers it with EPIPE.
 */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Mongoose's message after it has waited for a connection. */
const BUFFERED = /buffering timed out/;

/** How many causes of an error are checked: our errors have the driver's error as their cause. */
const DEEPEST = 5;

/** Whether the database is away: an error of the network, or of a server that cannot work now; not one of a command. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST) {
    return false;
  }
  return isOwnOutage(error) || isOutage(innerOf(error), depth + 1);
}

function isOwnOutage(error: Error & { readonly code?: unknown }): boolean {
  if (error instanceof mongo.MongoServerError) {
    return OUTAGE_CODES.has(error.code);
  }
  return (
    error instanceof DatabaseAwayError ||
    error instanceof mongo.MongoNetworkError ||
    error instanceof mongo.MongoServerSelectionError ||
    error instanceof mongoose.Error.MongooseServerSelectionError ||
    OUTAGE_NAMES.has(error.name) ||
    SOCKET_CODES.has(error.code) ||
    (error instanceof mongoose.Error && BUFFERED.test(error.message))
  );
}

/** A bulk write that has lost its connection is, to the driver, an error of the server: the network's stands in its place. */
function innerOf(
  error: Error & { readonly originalError?: unknown; readonly errorResponse?: unknown },
): unknown {
  return error.originalError ?? error.cause ?? error.errorResponse;
}

/** The database has not answered for too long. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';

  constructor() {
    super('The database does not answer.');
  }
}
