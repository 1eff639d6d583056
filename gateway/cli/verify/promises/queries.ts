import { type Check, expectEqual } from '../check.ts';
import type { Scratch } from '../scratch.ts';

const MINUTE_MS = 60_000;

/** Filters, orders and sums, as the product writes them. */
export const queryChecks: readonly Check[] = [
  { name: 'queries: inclusive bounds within a compound index', run: checkBounds },
  { name: 'queries: fields in any order beside a partial index', run: checkPartialFirst },
  { name: 'queries: times of one document compared', run: checkExpression },
  { name: 'queries: sums over a list', run: checkSum },
  { name: 'queries: pages by time and id', run: checkPages },
];

async function checkBounds(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('bounds', [[{ account: 1, at: -1, _id: -1 }]]);
  const times = [0, 1, 2, 3, 4].map((minute) => new Date(minute * MINUTE_MS));
  await collection.insertMany(times.map((at, index) => ({ _id: `t${index}`, account: 'x', at })));
  const found = await collection
    .find({ account: 'x', at: { $gte: times[1], $lte: times[3] } })
    .sort({ at: -1, _id: -1 })
    .toArray();
  expectEqual(
    'Found from t1 to t3',
    found.map(({ _id }) => _id),
    ['t3', 't2', 't1'],
  );
  return '$gte and $lte include their ends';
}

async function checkPartialFirst(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('partial_first', [
    [
      { account: 1, reference: 1 },
      { unique: true, partialFilterExpression: { reference: { $exists: true } } },
    ],
    [{ account: 1, user: 1 }, { unique: true }],
  ]);
  await collection.insertMany([
    { _id: 'a', account: 'x', reference: 'r', user: 1 },
    { _id: 'b', account: 'y', reference: 'r', user: 1 },
    { _id: 'c', account: 'x', user: 2 },
  ]);
  const accountFirst = await collection.find({ account: 'x', user: 1, reference: 'r' }).toArray();
  const accountLast = await collection.find({ user: 1, reference: 'r', account: 'x' }).toArray();
  const found = [accountFirst, accountLast].map((documents) => documents.map(({ _id }) => _id));
  expectEqual('Found by account, user and reference in two orders', found, [['a'], ['a']]);
  return 'in either order';
}

/** Due times against the longest wait of each document: a date, and a number of milliseconds. */
async function checkExpression(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('compared');
  const at = new Date();
  await collection.insertMany([
    { _id: 'a', at, due: new Date(at.getTime() + 2 * MINUTE_MS), waitMs: MINUTE_MS },
    { _id: 'b', at, due: at, waitMs: MINUTE_MS },
  ]);
  const found = await collection.find({ $expr: { $gt: ['$due', { $add: ['$at', '$waitMs'] }] } }).toArray();
  expectEqual(
    'Found',
    found.map(({ _id }) => _id),
    ['a'],
  );
  return '$expr with a sum of a date and milliseconds';
}

async function checkSum(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('sums');
  await collection.insertOne({ _id: 'a', grants: [{ n: 2 }, { n: 3 }], amounts: ['1.10', '2.20'] });
  const [summed] = await collection
    .aggregate([
      {
        $project: {
          byPath: { $sum: '$grants.n' },
          byReduce: { $reduce: { input: '$grants', initialValue: 0, in: { $add: ['$$value', '$$this.n'] } } },
        },
      },
    ])
    .toArray();
  expectEqual('Sums by path and by $reduce', [summed?.byPath, summed?.byReduce], [5, 5]);
  return '$sum over a path, and $reduce';
}

async function checkPages(scratch: Scratch): Promise<string> {
  const collection = await scratch.collection('pages', [[{ account: 1, at: -1, _id: -1 }]]);
  const documents = Array.from({ length: 90 }, (_, index) => ({
    _id: `d${String(index).padStart(2, '0')}`,
    account: 'x',
    // Three of each time: the id decides among them.
    at: new Date(Math.floor(index / 3) * MINUTE_MS),
  }));
  await collection.insertMany(documents);
  const seen: string[] = [];
  for (let last: (typeof documents)[number] | undefined; ; ) {
    const after = last && { $or: [{ at: { $lt: last.at } }, { at: last.at, _id: { $lt: last._id } }] };
    const page = await collection
      .find({ account: 'x', ...after })
      .sort({ at: -1, _id: -1 })
      .limit(10)
      .toArray();
    const end = page.at(-1);
    if (end === undefined) {
      break;
    }
    seen.push(...page.map(({ _id }) => _id));
    last = { _id: end._id, account: 'x', at: end.at };
  }
  expectEqual('All pages', seen, documents.map(({ _id }) => _id).toReversed());
  return '9 pages without a gap or a repeat';
}
