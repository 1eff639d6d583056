import mongoose, { mongo } from 'mongoose';

/**
 * Codes with which a server says that it cannot work now: it is no primary (any more), shuts down, or has lost its
 * peers. Source: MongoDB's error codes; those that drivers take for "not writable primary" and "node is recovering".
 */
const OUTAGE_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 64, 89, 91, 133, 134, 189, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** Errors of the driver's own that have no class in common: no connection could be had, or it ended without an answer. */
const OUTAGE_NAMES: ReadonlySet<string> = new Set([
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoUnexpectedServerResponseError',
]);

/** Mongoose's words when it has waited for a connection to come back. */
const BUFFERED = /buffering timed out/;

/** How deep errors are looked into: ours carry the driver's as their cause. */
const DEEPEST = 5;

/** Whether the database is away: an error of the network, or of a server that cannot work now; not one of a command. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST) {
    return false;
  }
  return isOwnOutage(error) || isOutage(innerOf(error), depth + 1);
}

function isOwnOutage(error: Error): boolean {
  if (error instanceof mongo.MongoServerError) {
    return OUTAGE_CODES.has(error.code);
  }
  return (
    error instanceof DatabaseAwayError ||
    error instanceof mongo.MongoNetworkError ||
    error instanceof mongo.MongoServerSelectionError ||
    error instanceof mongoose.Error.MongooseServerSelectionError ||
    OUTAGE_NAMES.has(error.name) ||
    (error instanceof mongoose.Error && BUFFERED.test(error.message))
  );
}

function innerOf(error: Error & { readonly originalError?: unknown }): unknown {
  return error.originalError ?? error.cause;
}

/** The database has not answered for too long. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';

  constructor() {
    super('The database does not answer.');
  }
}
