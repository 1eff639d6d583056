import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { createTransactions } from '../../../../subgraphs/kernel/database/transaction.ts';
import { type Check, Difference, expectEqual } from '../check.ts';
import type { Sample, Scratch } from '../scratch.ts';
import { writerOf } from '../writer.ts';

const PATIENCE_MS = 20_000;
const POLL_MS = 20;
/** As the product watches its events. */
const PIPELINE = [
  { $match: { operationType: 'insert', 'fullDocument.seen': true } },
  { $project: { 'fullDocument.n': 1 } },
];

interface Change extends mongo.Document {
  readonly _id: mongo.ResumeToken;
  readonly fullDocument: { readonly n: number };
}

/** Change streams, with the product's pipelines. */
export const changeStreamChecks: readonly Check[] = [
  { name: 'change streams: commits in order', run: checkOrder },
  { name: 'change streams: resume after a token', run: checkResume },
];

async function checkOrder(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('watched');
  const stream = collection.watch<Sample, Change>(PIPELINE);
  try {
    await stream.tryNext();
    await write(scratch, collection, [1, 2, 3]);
    await collection.insertOne({ _id: 'unseen' });
    await write(scratch, collection, [4]);
    const changes = await take(stream, 4);
    expectEqual(
      'Reported',
      changes.map(({ fullDocument }) => fullDocument.n),
      [1, 2, 3, 4],
    );
    return 'inserts of transactions, filtered and projected by the server';
  } finally {
    await stream.close();
  }
}

async function checkResume(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('resumed');
  const stream = collection.watch<Sample, Change>(PIPELINE);
  let token: mongo.ResumeToken;
  try {
    await stream.tryNext();
    await write(scratch, collection, [1, 2]);
    const [first] = await take(stream, 2);
    token = first?._id;
  } finally {
    await stream.close();
  }
  await write(scratch, collection, [3]);
  const other = scratch.through(await scratch.another(), collection);
  const resumed = other.watch<Sample, Change>(PIPELINE, { resumeAfter: token });
  try {
    await write(scratch, collection, [4]);
    const changes = await take(resumed, 3);
    expectEqual(
      'Reported after the token',
      changes.map(({ fullDocument }) => fullDocument.n),
      [2, 3, 4],
    );
    return 'another client sees each later change once';
  } finally {
    await resumed.close();
  }
}

function write(scratch: Scratch, collection: mongo.Collection<Sample>, numbers: readonly number[]) {
  const documents = numbers.map((n) => ({ _id: `n${n}`, n, seen: true }));
  return createTransactions(scratch.connection)((unit) => unit.insert(writerOf(collection), documents));
}

async function take(stream: mongo.ChangeStream<Sample, Change>, count: number): Promise<Change[]> {
  const changes: Change[] = [];
  const deadline = performance.now() + PATIENCE_MS;
  while (changes.length < count) {
    const change = await stream.tryNext();
    if (change !== null) {
      changes.push(change);
    } else if (performance.now() > deadline) {
      throw new Difference(`Only ${changes.length} of ${count} changes came within ${PATIENCE_MS / 1000} s`);
    } else {
      await delay(POLL_MS);
    }
  }
  return changes;
}
