import { type Check, expectEqual } from '../check.ts';
import type { Scratch } from '../scratch.ts';

/** Changes of documents, as the product writes them. */
export const updateChecks: readonly Check[] = [
  { name: 'updates: operators', run: checkOperators },
  { name: 'updates: by a pipeline', run: checkPipeline },
  { name: 'updates: several documents each by itself', run: checkUpdateMany },
];

async function checkOperators(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('operators');
  await collection.insertOne({
    _id: 'a',
    n: 1,
    low: 5,
    high: 5,
    gone: 1,
    inner: { gone: 1, stays: 1 },
    list: [1, 2],
  });
  // As a command: the driver's types take no `$pull` from fields that they do not know.
  const q = {
    _id: 'a',
    $or: [{ missing: { $exists: false } }, { n: 9 }],
    n: { $in: [1, 2], $nin: [3] },
  };
  const u = {
    $inc: { n: 2, fresh: 1 },
    $min: { low: 3 },
    $max: { high: 4 },
    $unset: { gone: '', 'inner.gone': '' },
    $addToSet: { set: 'x' },
    $pull: { list: 1 },
    $set: { 'inner.new': true },
  };
  await scratch.db.command({ update: collection.collectionName, updates: [{ q, u }] });
  const { _id, ...found } = (await collection.findOne({ _id: 'a' })) ?? { _id: '' };
  expectEqual('The changed document', Object.fromEntries(Object.entries(found).toSorted()), {
    fresh: 1,
    high: 5,
    inner: { stays: 1, new: true },
    list: [2],
    low: 3,
    n: 3,
    set: ['x'],
  });
  return '$inc $min $max $set $unset $addToSet $pull';
}

async function checkPipeline(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('pipeline');
  await collection.insertOne({
    _id: 'a',
    grants: [
      { n: 1, at: 1 },
      { n: 2, at: 2 },
    ],
  });
  const found = await collection.findOneAndUpdate(
    { _id: 'a' },
    [
      { $set: { grants: { $filter: { input: '$grants', as: 'grant', cond: { $gt: ['$$grant.at', 1] } } } } },
      { $set: { left: { $cond: [{ $gt: [{ $size: '$grants' }, 0] }, { $ifNull: ['$left', 7] }, 0] } } },
    ],
    { returnDocument: 'after' },
  );
  expectEqual('The changed document', found, { _id: 'a', grants: [{ n: 2, at: 2 }], left: 7 });
  return '$set with $filter, $cond and $ifNull; the second stage sees the first';
}

async function checkUpdateMany(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('many');
  await collection.insertMany([1, 2, 3, 4].map((n) => ({ _id: `d${n}`, n })));
  const { matchedCount } = await collection.updateMany({ n: { $gt: 2 } }, { $set: { seen: true } });
  const each = await collection.bulkWrite(
    ['d1', 'd2', 'none'].map((_id) => ({
      updateOne: { filter: { _id, n: { $gt: 1 } }, update: { $set: { seen: true } } },
    })),
    { ordered: false },
  );
  expectEqual('Matched by both', [matchedCount, each.modifiedCount], [2, 1]);
  expectEqual('Documents changed', await collection.countDocuments({ seen: true }), 3);
  return 'updateMany, and a bulk write';
}
