import { type Check, expectEqual } from '../check.ts';
import type { Scratch } from '../scratch.ts';

/** Reads of a transaction: all of them see the database as it was at the first one. */
export const snapshotReadChecks: readonly Check[] = [
  { name: 'reads: a transaction has one snapshot', run: checkSnapshot },
];

async function checkSnapshot(scratch: Scratch): Promise<string> {
  const [one, two] = [await scratch.collection('snapshot'), await scratch.collection('snapshot_other')];
  await one.insertOne({ _id: 'a', n: 1 });
  await two.insertOne({ _id: 'a', n: 1 });
  const other = await scratch.another();
  const session = scratch.connection.getClient().startSession({ causalConsistency: false });
  try {
    session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
    const before = await one.findOne({ _id: 'a' }, { session });
    await scratch.through(other, one).updateOne({ _id: 'a' }, { $set: { n: 2 } });
    await scratch.through(other, two).updateOne({ _id: 'a' }, { $set: { n: 2 } });
    const again = await one.findOne({ _id: 'a' }, { session });
    const first = await two.findOne({ _id: 'a' }, { session });
    await session.commitTransaction();
    expectEqual('Values in the transaction', [before?.n, again?.n, first?.n], [1, 1, 1]);
  } finally {
    await session.endSession();
  }
  expectEqual('The value afterwards', (await two.findOne({ _id: 'a' }))?.n, 2);
  return 'later commits stay unseen, also in collections read later';
}
