import { type ClientSession, type Connection, mongo } from 'mongoose';

/** One write of a unit of work. */
export type Write = {
  readonly collection: { readonly collectionName: string };
} & (
  | { readonly kind: 'insert'; readonly document: mongo.Document }
  | {
      readonly kind: 'update' | 'updateMany';
      readonly filter: mongo.Document;
      readonly update: mongo.Document;
      /** How many documents it must find. */
      readonly expected?: number;
      readonly otherwise?: () => Error;
    }
);

/**
 * Sends writes in the transaction of a session, in their order; stops at the first that fails.
 * @throws what a change that finds nothing says; else a MongoServerError, with its label where a conflict made it, whose
 *   message names the collection of the write that failed
 */
export type SendWrites = (writes: readonly Write[], session: ClientSession) => Promise<void>;

/** Of the first server (MongoDB 8.0) that takes writes to several collections in one command. */
const BULK_WRITE_WIRE_VERSION = 25;
/** CommandNotFound, CommandNotSupported. */
const NO_SUCH_COMMAND: ReadonlySet<unknown> = new Set([59, 115]);
const WRITE_CONFLICT = 112;

/**
 * One command for all writes where the server knows `bulkWrite`, else one for each collection. Which it is is asked once. The
 * version alone does not say it: a server that was upgraded to 8.0 rejects the command until its feature compatibility
 * version is 8.0, too, and another member of the set may be older. The first rejection settles it: the transaction runs
 * again, without the command.
 */
export function createSendWrites(
  connection: Pick<Connection, 'getClient' | 'name'>,
  { bulkWrite }: { readonly bulkWrite?: boolean } = {},
): SendWrites {
  let known: Promise<boolean> | undefined = bulkWrite === undefined ? undefined : Promise.resolve(bulkWrite);
  const knowsBulkWrite = () => {
    known ??= askForBulkWrite(connection).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  return async (writes, session) => {
    if (!(await knowsBulkWrite())) {
      await sendByCollection(connection, writes, session);
      return;
    }
    try {
      await sendTogether(connection, writes, session);
    } catch (error) {
      if (!isNoSuchCommand(error)) {
        throw error;
      }
      known = Promise.resolve(false);
      throw toTransient(error);
    }
  };
}

function isNoSuchCommand(error: unknown): error is mongo.MongoServerError {
  return error instanceof mongo.MongoServerError && NO_SUCH_COMMAND.has(error.code);
}

/** The same error with the label that has the transaction run again. */
function toTransient({ message, code }: mongo.MongoServerError): mongo.MongoServerError {
  return new mongo.MongoServerError({ message, code, errorLabels: ['TransientTransactionError'] });
}

async function askForBulkWrite(connection: Pick<Connection, 'getClient'>): Promise<boolean> {
  const hello = await connection.getClient().db('admin').command({ hello: 1 });
  return Number(hello.maxWireVersion) >= BULK_WRITE_WIRE_VERSION;
}

async function sendTogether(
  connection: Pick<Connection, 'getClient' | 'name'>,
  writes: readonly Write[],
  session: ClientSession,
): Promise<void> {
  try {
    const models = writes.map((write) => toModel(connection.name, write));
    const { updateResults } = await connection
      .getClient()
      .bulkWrite(models, { session, verboseResults: true });
    checkMatches(writes, updateResults);
  } catch (error) {
    throw error instanceof mongo.MongoClientBulkWriteError ? toServerError(error, writes) : error;
  }
}

/** @throws what the first change says that has found nothing */
function checkMatches(
  writes: readonly Write[],
  results: ReadonlyMap<number, mongo.ClientUpdateResult> | undefined,
): void {
  for (const [index, write] of writes.entries()) {
    checkMatched(write, results?.get(index)?.matchedCount);
  }
}

function checkMatched(write: Write, matched: number | undefined): void {
  if (isConditional(write) && matched !== write.expected) {
    throw write.otherwise();
  }
}

type Conditional = Extract<Write, { filter: unknown }> & { readonly otherwise: () => Error };

function isConditional(write: Write): write is Conditional {
  return 'filter' in write && write.otherwise !== undefined;
}

function toModel(database: string, write: Write): mongo.AnyClientBulkWriteModel<mongo.Document> {
  const namespace = `${database}.${write.collection.collectionName}`;
  switch (write.kind) {
    case 'insert':
      return { name: 'insertOne', namespace, document: write.document };
    case 'update':
      return { name: 'updateOne', namespace, filter: write.filter, update: write.update };
    case 'updateMany':
      return { name: 'updateMany', namespace, filter: write.filter, update: write.update };
  }
}

/**
 * The driver's error of a whole `bulkWrite` as that of the one write that failed, or of the command.
 * @throws what a change before it says that has found nothing: that came first
 */
function toServerError(error: mongo.MongoClientBulkWriteError, writes: readonly Write[]): Error {
  const [failed] = error.writeErrors;
  if (failed === undefined) {
    return error.cause instanceof Error ? error.cause : error;
  }
  const [index, { code, message: words }] = failed;
  checkMatches(writes.slice(0, index), error.partialResult?.updateResults);
  const message = `${writes[index]?.collection.collectionName}: ${words}`;
  const own = new mongo.MongoServerError({ message, code });
  // Servers that answer a conflict as the error of one write do not label it.
  return code === WRITE_CONFLICT ? toTransient(own) : own;
}

/** In a transaction only the order within a collection can be seen. */
async function sendByCollection(
  connection: Pick<Connection, 'getClient' | 'name'>,
  writes: readonly Write[],
  session: ClientSession,
): Promise<void> {
  const database = connection.getClient().db(connection.name);
  for (const batch of toBatches(writes)) {
    const [{ collection }] = batch;
    const operations = batch.map(toOperation);
    const { matchedCount } = await database
      .collection(collection.collectionName)
      .bulkWrite(operations, { session, ignoreUndefined: true });
    // A conditional one is alone.
    checkMatched(batch[0], matchedCount);
  }
}

type Batch = [Write, ...Write[]];

/** By collection; a change that must find something alone, for a batch is told only how many matched in all. */
function toBatches(writes: readonly Write[]): Batch[] {
  const batches: Batch[] = [];
  const open = new Map<string, Batch>();
  for (const write of writes) {
    const name = write.collection.collectionName;
    const isAlone = isConditional(write);
    const batch = open.get(name);
    if (batch && !isAlone) {
      batch.push(write);
      continue;
    }
    const begun: Batch = [write];
    batches.push(begun);
    if (isAlone) {
      open.delete(name);
    } else {
      open.set(name, begun);
    }
  }
  return batches;
}

function toOperation(write: Write): mongo.AnyBulkWriteOperation {
  switch (write.kind) {
    case 'insert':
      return { insertOne: { document: write.document } };
    case 'update':
      return { updateOne: { filter: write.filter, update: write.update } };
    case 'updateMany':
      return { updateMany: { filter: write.filter, update: write.update } };
  }
}
