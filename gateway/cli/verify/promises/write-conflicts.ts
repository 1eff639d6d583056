import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, mongo } from 'mongoose';
import { createTransactions } from '../../../../subgraphs/kernel/database/transaction.ts';
import { type Check, Difference, expectEqual, expectThat } from '../check.ts';
import { CLIENTS, openClients, writersOf } from '../clients.ts';
import type { Sample, Scratch } from '../scratch.ts';
import { writerOf } from '../writer.ts';

const WRITERS = 50;
const MOST_BACKOFF_MS = 100;

/** Writers of one document at once, each in a transaction. */
export const writeConflictChecks: readonly Check[] = [
  { name: 'races: 50 writers of one document, labelled conflicts', run: checkIncrements },
  { name: "races: 50 writers through the product's transactions", run: checkTransactions },
];

/** Each writer reads the value and writes the next one, in a transaction. A lost update would leave fewer than all. */
async function checkIncrements(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('increments');
  await collection.insertOne({ _id: 'a', n: 0 });
  const connections = await openClients(scratch);
  let conflicts = 0;
  const write = async (connection: Connection) => {
    while (!(await increment(scratch.through(connection, collection), connection))) {
      conflicts += 1;
      await delay(Math.random() * MOST_BACKOFF_MS);
    }
  };
  await Promise.all(writersOf(connections, WRITERS).map(write));
  expectEqual('The value', (await collection.findOne({ _id: 'a' }))?.n, WRITERS);
  expectThat(conflicts > 0, 'No writer met a conflict, so nothing was tried');
  return `${WRITERS} writes by ${CLIENTS} clients, ${conflicts} conflicts, all labelled`;
}

/** @returns whether it was committed; not after a conflict with the label @throws Difference for another error */
async function increment(own: mongo.Collection<Sample>, connection: Connection): Promise<boolean> {
  const session = connection.getClient().startSession({ causalConsistency: false });
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
    const found = await own.findOne({ _id: 'a' }, { session });
    await own.updateOne({ _id: 'a' }, { $set: { n: Number(found?.n) + 1 } }, { session });
    await session.commitTransaction();
    return true;
  } catch (error) {
    if (error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError')) {
      return false;
    }
    throw new Difference(`A conflict without its label: ${error}`);
  } finally {
    // It aborts a transaction that is still open.
    await session.endSession();
  }
}

async function checkTransactions(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('transacted');
  await collection.insertOne({ _id: 'a', n: 0, history: [] });
  const runners = (await openClients(scratch)).map((connection) => createTransactions(connection));
  const began = performance.now();
  await Promise.all(
    writersOf(runners, WRITERS).map((transact, writer) =>
      transact((unit) => {
        unit.update(writerOf(collection), {
          filter: { _id: 'a' },
          update: { $inc: { n: 1 }, $addToSet: { history: writer } },
          otherwise: () => new Difference('The document is gone'),
        });
      }),
    ),
  );
  const found = await collection.findOne({ _id: 'a' });
  expectEqual('Value and history', [found?.n, found?.history.length], [WRITERS, WRITERS]);
  return `${WRITERS} transactions in ${Math.round(performance.now() - began)} ms`;
}
