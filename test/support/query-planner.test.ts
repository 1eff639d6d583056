import { describe, expect, test } from '@jest/globals';
import { type Bound, type DeclaredIndex, judge, type StoreQuery } from './query-planner.ts';

const INDEXES: readonly DeclaredIndex[] = [
  [{ accountId: 1, referenceId: 1 }, { unique: true }],
  [{ accountId: 1, status: 1, createdAt: -1, _id: -1 }, {}],
  [{ accountId: 1, userId: 1, createdAt: -1, _id: -1 }, {}],
  [{ email: 1 }, { partialFilterExpression: { email: { $exists: true } } }],
  [{ expiresAt: 1 }, { partialFilterExpression: { status: 'pending' } }],
  [{ late: 1, weight: 1 }, { partialFilterExpression: { weight: { $gt: 5 } } }],
  [{ token: 1 }, { sparse: true }],
];
const NEWEST = [
  ['createdAt', -1],
  ['_id', -1],
] as const;
const OLDEST = [
  ['createdAt', 1],
  ['_id', 1],
] as const;
const MIXED = [
  ['createdAt', 1],
  ['_id', -1],
] as const;
const BY_TIME = [['expiresAt', 1]] as const;
const t = { accountId: 'a/sandbox' };

type Query = Parameters<typeof judge>[0];
const query = (
  filter: StoreQuery['filter'],
  sort: StoreQuery['sort'] = [],
  more: Partial<StoreQuery> = {},
): Query => ({ filter, sort, ...more });
const verdictOf = (one: Query, bounds: readonly Bound[] = []) => judge(one, INDEXES, bounds);

describe('a query is served', () => {
  test.each([
    ['by its id, whatever other conditions it has', query({ _id: 'x', version: 1 }), '_id'],
    [
      'by a unique index, whatever other conditions it has',
      query({ ...t, referenceId: 'r', status: { $in: ['b'] } }, NEWEST),
      'accountId, referenceId',
    ],
    ['by filter and sort', query({ ...t, status: 's' }, NEWEST), 'accountId, status, createdAt-, _id-'],
    [
      'by merged ranges of an index read backwards',
      query({ ...t, status: { $in: ['s', 'u'] } }, OLDEST),
      'accountId, status, createdAt-, _id-',
    ],
    [
      'with a range on the field that it is sorted by',
      query({ $and: [{ ...t, status: 's' }, { createdAt: { $lte: 1 } }] }, NEWEST),
      'accountId, status, createdAt-, _id-',
    ],
    [
      'by a partial index whose condition it has',
      query({ status: 'pending', expiresAt: { $lte: 1 } }, BY_TIME),
      'expiresAt',
    ],
    [
      'in the order of a partial index, with a limit',
      query({ status: 'pending' }, BY_TIME, { isLimited: true }),
      'expiresAt',
    ],
    ['by a partial index of present fields', query({ email: 'e' }), 'email'],
    ['by a partial index of a wider range', query({ late: 1, weight: { $gt: 7 } }), 'late, weight'],
    ['by a sparse index', query({ token: { $in: ['a'] } }), 'token'],
    [
      'branch by branch',
      query({ $or: [{ _id: 1 }, { ...t, referenceId: 'r' }] }),
      '_id; accountId, referenceId',
    ],
    [
      'branch by branch beside conditions that all share',
      query({ ...t, $or: [{ referenceId: 'r' }, { status: 's' }] }),
      'accountId, referenceId; accountId, status, createdAt-, _id-',
    ],
    [
      'by an index that has the fields of all branches',
      query({ ...t, status: 's', $or: [{ createdAt: { $lt: 1 } }, { _id: { $lt: 1 } }] }, NEWEST, {
        isLimited: true,
      }),
      'accountId, status, createdAt-, _id-',
    ],
  ])('%s', (_how, request, index) => {
    expect(verdictOf(request)).toMatchObject({ index });
  });

  test('through the few documents that some fields leave', () => {
    const request = query({ ...t, userId: 'u', status: 's' }, NEWEST);
    expect(verdictOf(request)).toHaveProperty('unserved');
    expect(verdictOf(request, [{ by: ['accountId', 'userId'], why: 'a user has few' }])).toEqual({
      index: 'accountId, userId, createdAt-, _id-',
      remark: 'a user has few; looks at status in them',
    });
  });

  test('in a collection of few documents', () => {
    expect(verdictOf(query({ amount: 1 }), [{ by: [], why: 'one document' }])).toEqual({
      index: '',
      remark: 'one document',
    });
  });

  test('from an index alone where that has all fields', () => {
    expect(verdictOf(query({ ...t, status: 's' }, [], { fields: ['createdAt'] }))).toMatchObject({
      remark: 'covered',
    });
    expect(verdictOf(query({ ...t, status: 's' }, [], { fields: ['amount'] }))).toMatchObject({ remark: '' });
    // The index does not have the field of its own condition.
    expect(verdictOf(query({ status: 'pending', expiresAt: { $lte: 1 } }, [], { fields: [] }))).toMatchObject(
      {
        remark: '',
      },
    );
  });
});

describe('a query is not served', () => {
  test.each([
    [
      'by looking at all entries of an index, without a limit',
      query({ ...t, status: 's', $or: [{ createdAt: { $lt: 1 } }, { _id: { $lt: 1 } }] }, NEWEST),
    ],
    ['without a filter', query({})],
    ['by a field that is not the first', query({ status: 's' })],
    ['by a partial index whose first field it does not bound', query({ status: 'pending' })],
    ['in the order of an index without a limit', query({ status: 'pending' }, BY_TIME)],
    [
      'in the order of an index beside other conditions',
      query({ status: 'pending', n: 1 }, BY_TIME, { isLimited: true }),
    ],
    ['without an index in its order', query({ ...t, status: 's' }, [['updatedAt', -1]])],
    ['by an index in half its order', query({ ...t, status: 's' }, MIXED)],
    ['with a field between filter and sort', query({ ...t }, NEWEST, { isLimited: true })],
    [
      'with a range between filter and sort',
      query({ ...t, status: { $gt: 's' } }, NEWEST, { isLimited: true }),
    ],
    [
      'with more ranges than MongoDB merges',
      query({ ...t, status: { $in: Array.from({ length: 201 }, String) } }, NEWEST),
    ],
    ['with a condition outside the index', query({ ...t, status: 's', amount: '1' }, NEWEST)],
    ['by a partial index without its condition', query({ expiresAt: { $lte: 1 } })],
    [
      'by a partial index whose condition only one branch has',
      query({ expiresAt: 1, $or: [{ status: 'pending' }, { n: 1 }] }),
    ],
    ['by a partial index whose condition $ne would leave', query({ expiresAt: 1, status: { $ne: 'done' } })],
    ['by a partial index of a narrower range', query({ late: 1, weight: { $gt: 3 } })],
    ['by a partial index, looking for absent fields', query({ email: null })],
    ['by a partial index, where one of several values is absent', query({ email: { $in: ['e', null] } })],
    ['by a sparse index, looking for absent fields', query({ token: null })],
    ['by a part of a unique index', query({ referenceId: 'r' })],
    ['with one branch that is not', query({ $or: [{ _id: 1 }, { amount: '1' }] })],
    ['by a field that is not equal', query({ ...t, status: { $ne: 's' } }, NEWEST)],
  ])('%s', (_how, request) => {
    expect(verdictOf(request)).toHaveProperty('unserved', expect.stringContaining('no index serves'));
  });
});
