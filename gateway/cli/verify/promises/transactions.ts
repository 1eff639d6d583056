import { mongo } from 'mongoose';
import { messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import { type Check, Difference, errorOf, expectEqual, expectThat } from '../check.ts';
import { dbOf, type Scratch } from '../scratch.ts';
import { withUnansweredCommits } from '../unanswered-commits.ts';

const TRANSIENT = 'TransientTransactionError';
const UNKNOWN_COMMIT = 'UnknownTransactionCommitResult';
const MAJORITY = { writeConcern: { w: 'majority' } } as const;
const SNAPSHOT = { ...MAJORITY, readConcern: { level: 'snapshot' } } as const;

/** Transactions over collections, and the labels that say when to repeat one. */
export const transactionChecks: readonly Check[] = [
  { name: 'transactions: all or nothing', run: checkAtomicity },
  { name: `transactions: ${TRANSIENT}`, run: checkConflictLabel },
  { name: 'transactions: a commit repeated', run: checkRepeatedCommit },
  { name: `transactions: ${UNKNOWN_COMMIT}`, run: checkUnknownCommit },
];

async function checkAtomicity(scratch: Scratch): Promise<string> {
  const [one, two] = [await scratch.collection('atomic'), await scratch.collection('atomic_other')];
  const session = scratch.connection.getClient().startSession();
  try {
    session.startTransaction(MAJORITY);
    await one.insertOne({ _id: 'a' }, { session });
    await two.insertOne({ _id: 'a' }, { session });
    expectEqual('Seen by others before the commit', await one.countDocuments(), 0);
    await session.commitTransaction();
    session.startTransaction(MAJORITY);
    await one.insertOne({ _id: 'b' }, { session });
    await two.insertOne({ _id: 'b' }, { session });
    await session.abortTransaction();
  } finally {
    await session.endSession();
  }
  const counts = [await one.countDocuments(), await two.countDocuments()];
  expectEqual('Documents after a commit and an abort', counts, [1, 1]);
  return 'a commit over two collections, and an abort';
}

async function checkConflictLabel(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('conflict');
  await collection.insertOne({ _id: 'a', n: 0 });
  const other = await scratch.another();
  const [first, second] = [scratch.connection.getClient().startSession(), other.getClient().startSession()];
  try {
    first.startTransaction(SNAPSHOT);
    second.startTransaction(SNAPSHOT);
    // Now the second one has its snapshot: it conflicts whichever command comes first from here on.
    await scratch.through(other, collection).findOne({ _id: 'a' }, { session: second });
    await collection.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: first });
    const late = scratch
      .through(other, collection)
      .updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: second })
      .then(() => second.commitTransaction());
    const failed = errorOf('The second of two transactions that write one document', late);
    // Some servers answer a conflict only when the first transaction ends.
    const [error] = await Promise.all([failed, first.commitTransaction()]);
    expectThat(error instanceof mongo.MongoServerError, `Another error: ${error}`);
    expectThat(error.hasErrorLabel(TRANSIENT), `Code ${error.code} without the label: ${error.message}`);
    expectEqual('The value', (await collection.findOne({ _id: 'a' }))?.n, 1);
    return `code ${error.code}`;
  } finally {
    await first.endSession();
    await second.endSession();
  }
}

async function checkRepeatedCommit(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('committed');
  const session = scratch.connection.getClient().startSession();
  try {
    session.startTransaction(MAJORITY);
    await collection.insertOne({ _id: 'a' }, { session });
    await session.commitTransaction();
    await session.commitTransaction();
  } finally {
    await session.endSession();
  }
  expectEqual('Documents', await collection.countDocuments(), 1);
  return 'is answered like the first';
}

/** The server commits, and its answers get lost. Then the same commit must be answered as done. */
async function checkUnknownCommit(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('unknown');
  return withUnansweredCommits(scratch.uri, async (client, losing) => {
    const session = client.startSession();
    try {
      session.startTransaction(MAJORITY);
      const own = client.db(scratch.name).collection<{ _id: string }>(collection.collectionName);
      await own.insertOne({ _id: 'a' }, { session });
      losing.on = true;
      const error = await errorOf('A commit without an answer', session.commitTransaction());
      losing.on = false;
      expectThat(error instanceof mongo.MongoError, `Another error: ${error}`);
      expectThat(error.hasErrorLabel(UNKNOWN_COMMIT), `It has no such label: ${error.message}`);
      await session.commitTransaction().catch((reason: unknown) => {
        throw new Difference(`The repeated commit failed: ${messageOf(reason)}`);
      });
    } finally {
      losing.on = false;
      await session.endSession();
    }
    const seen = await dbOf(scratch.connection).collection(collection.collectionName).countDocuments();
    expectEqual('Documents', seen, 1);
    return 'the connection was cut before the answer; the repeated commit succeeded, once';
  });
}
