import { type ClientSession, type Connection, mongo } from 'mongoose';

/** One write of a unit of work. */
export type Write = {
  readonly collection: { readonly collectionName: string };
} & (
  | { readonly kind: 'insert'; readonly document: mongo.Document }
  | { readonly kind: 'delete'; readonly filter: mongo.Document }
  | {
      readonly kind: 'update' | 'updateMany';
      readonly filter: mongo.Document;
      readonly update: mongo.Document;
      /** Whether the document is made when there is none. */
      readonly upsert?: true;
      /** How many documents it must find. */
      readonly expected?: number;
      readonly otherwise?: () => Error;
    }
);

/**
 * Sends writes in the transaction of a session, in their order; stops at the first that fails.
 * @throws the error of a change that finds nothing; else a MongoServerError, with its label where a conflict made it, whose
 *   message names the collection of the write that failed
 */
export type SendWrites = (writes: readonly Write[], session: ClientSession) => Promise<void>;

/** Wire version of the first server (MongoDB 8.0) that takes writes to several collections in one command. */
const BULK_WRITE_WIRE_VERSION = 25;
/** CommandNotFound, CommandNotSupported. */
const NO_SUCH_COMMAND: ReadonlySet<unknown> = new Set([59, 115]);
const WRITE_CONFLICT = 112;

/**
 * One command for all writes where the server knows `bulkWrite`, else one for each collection. The server is called once to find out. The
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

/** Copies the error with the label that makes the transaction run again. */
function toTransient({ message, code }: mongo.MongoServerError): mongo.MongoServerError {
  return new mongo.MongoServerError({ message, code, errorLabels: ['TransientTransactionError'] });
}

/** Whether the server is new enough for writes to several collections in one command. It may reject them all the same. */
export async function askForBulkWrite(connection: Pick<Connection, 'getClient'>): Promise<boolean> {
  const hello = await connection.getClient().db('admin').command({ hello: 1 });
  return Number(hello.maxWireVersion) >= BULK_WRITE_WIRE_VERSION;
}

/** The server's answer to one write of a `bulkWrite`, by its place among the writes. */
interface WriteAnswer {
  readonly idx: number;
  readonly ok: number;
  /** Documents inserted, matched or removed. */
  readonly n: number;
  readonly code?: number;
  readonly errmsg?: string;
}

/**
 * It does not use the driver's method of that name, which is made for any number of writes: with its batches, cursor and
 * merged results a transaction takes about a third more processor time. A unit of work is far below the limits of one command
 * (16 MiB, 100,000 writes), and the server rejects more.
 */
async function sendTogether(
  connection: Pick<Connection, 'getClient' | 'name'>,
  writes: readonly Write[],
  session: ClientSession,
): Promise<void> {
  const answer = await connection
    .getClient()
    .db('admin')
    .command(toCommand(connection.name, writes), { session, ignoreUndefined: true });
  const answers: readonly WriteAnswer[] = answer.cursor.firstBatch;
  for (const { idx, ok, n, code, errmsg } of answers) {
    const write = writes[idx];
    if (ok !== 1) {
      throw toServerError(write, code, errmsg);
    }
    if (write) {
      checkMatched(write, n);
    }
  }
  if (answers.length !== writes.length) {
    throw new Error(`The server answered ${answers.length} of ${writes.length} writes`);
  }
}

/** The command takes collections by their place in `nsInfo`. It stops at the first write that fails. */
function toCommand(database: string, writes: readonly Write[]): mongo.Document {
  const names = [...new Set(writes.map(({ collection }) => collection.collectionName))];
  const places = new Map(names.map((name, index) => [name, index]));
  return {
    bulkWrite: 1,
    errorsOnly: false,
    ordered: true,
    ops: writes.map((write) => {
      const place = places.get(write.collection.collectionName);
      switch (write.kind) {
        case 'insert':
          return { insert: place, document: write.document };
        case 'delete':
          return { delete: place, filter: write.filter, multi: false };
        default:
          return {
            update: place,
            filter: write.filter,
            updateMods: write.update,
            multi: write.kind === 'updateMany',
            ...(write.upsert && { upsert: true }),
          };
      }
    }),
    nsInfo: names.map((name) => ({ ns: `${database}.${name}` })),
  };
}

function toServerError(write: Write | undefined, code?: number, message?: string): mongo.MongoServerError {
  const error = new mongo.MongoServerError({
    message: `${write?.collection.collectionName}: ${message}`,
    code,
  });
  // Servers that answer a conflict as the error of one write do not label it.
  return code === WRITE_CONFLICT ? toTransient(error) : error;
}

function checkMatched(write: Write, matched: number): void {
  if (isConditional(write) && matched !== write.expected) {
    throw write.otherwise();
  }
}

type Conditional = Extract<Write, { update: unknown }> & { readonly otherwise: () => Error };

function isConditional(write: Write): write is Conditional {
  return 'update' in write && write.otherwise !== undefined;
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
    // A conditional write is sent alone.
    checkMatched(batch[0], matchedCount);
  }
}

type Batch = [Write, ...Write[]];

/**
 * Groups writes by collection. A change that must match is sent alone, because the answer to a batch has only the total of
 * matches.
 */
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
    case 'delete':
      return { deleteOne: { filter: write.filter } };
    case 'update':
      return {
        updateOne: {
          filter: write.filter,
          update: write.update,
          ...(write.upsert && { upsert: true }),
        },
      };
    case 'updateMany':
      return { updateMany: { filter: write.filter, update: write.update } };
  }
}
