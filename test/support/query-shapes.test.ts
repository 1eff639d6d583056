import { describe, expect, test } from '@jest/globals';
import { type DeclaredIndex, type StoreQuery, whyNotServed } from './query-shapes.ts';

const INDEXES: readonly DeclaredIndex[] = [
  [{ accountId: 1, referenceId: 1 }, { unique: true }],
  [{ accountId: 1, status: 1, createdAt: -1, _id: -1 }, {}],
  [{ accountId: 1, userId: 1, createdAt: -1, _id: -1 }, {}],
  [{ email: 1 }, { partialFilterExpression: { email: { $exists: true } } }],
  [{ expiresAt: 1 }, { partialFilterExpression: { status: 'pending' } }],
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
const t = { accountId: 'a/sandbox' };

const query = (filter: StoreQuery['filter'], sort: StoreQuery['sort'] = []) => ({ filter, sort });

describe('a query is served', () => {
  test.each([
    ['by its id, whatever other conditions it has', query({ _id: 'x', version: 1 })],
    [
      'by a unique index, whatever other conditions it has',
      query({ ...t, referenceId: 'r', status: { $in: ['b'] } }, NEWEST),
    ],
    ['by filter and sort', query({ ...t, status: 's' }, NEWEST)],
    ['by an index read backwards', query({ ...t, status: { $in: ['s', 'u'] } }, OLDEST)],
    [
      'with a range on what it is sorted by',
      query({ $and: [{ ...t, status: 's' }, { createdAt: { $lte: 1 } }] }, NEWEST),
    ],
    [
      'by a partial index whose condition it has',
      query({ status: 'pending', expiresAt: { $lte: 1 } }, [['expiresAt', 1]]),
    ],
    ['by a partial index of what is there', query({ email: 'e' })],
    ['branch by branch', query({ $or: [{ _id: 1 }, { ...t, referenceId: 'r' }] })],
  ])('%s', (_how, request) => {
    expect(whyNotServed(request, INDEXES)).toBeUndefined();
  });

  test('through what a selective field leaves', () => {
    const request = query({ ...t, userId: 'u', status: 's' }, NEWEST);
    expect(whyNotServed(request, INDEXES)).toContain('no index serves');
    expect(whyNotServed(request, INDEXES, ['userId'])).toBeUndefined();
  });
});

describe('a query is not served', () => {
  test.each([
    ['without a filter', query({})],
    ['by a field that is not the first', query({ status: 's' })],
    ['without an index in its order', query({ ...t, status: 's' }, [['updatedAt', -1]])],
    ['by an index in half its order', query({ ...t, status: 's' }, MIXED)],
    ['with a field between filter and sort', query({ ...t }, NEWEST)],
    ['with a condition outside the index', query({ ...t, status: 's', amount: '1' }, NEWEST)],
    ['by a partial index without its condition', query({ expiresAt: { $lte: 1 } })],
    ['by a partial index, looking for what is not there', query({ email: null })],
    ['by a part of a unique index', query({ referenceId: 'r' })],
    ['with one branch that is not', query({ $or: [{ _id: 1 }, { amount: '1' }] })],
    ['by something that is not equal', query({ ...t, status: { $ne: 's' } }, NEWEST)],
  ])('%s', (_how, request) => {
    expect(whyNotServed(request, INDEXES)).toContain('no index serves');
  });
});
