import { describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { findMismatch } from './match.ts';
import { findErrorMismatch, toResult } from './results.ts';

const NONE = new Map<string, unknown>();

describe('A value', () => {
  test.each<[string, unknown, unknown]>([
    ['further fields of the outermost document', { a: 1 }, { a: 1, b: 2 }],
    ['further fields of documents in the outermost list', [{ a: 1 }], [{ a: 1, b: 2 }]],
    ['a number of another type', { a: 1 }, { a: mongo.Long.fromNumber(1) }],
    ['an id', { _id: new mongo.ObjectId('00'.repeat(12)) }, { _id: new mongo.ObjectId('00'.repeat(12)) }],
    ['a field that must be there', { a: { $$exists: true } }, { a: null }],
    ['a field that may be missing', { a: { $$unsetOrMatches: 1 } }, {}],
    ['one of several types', { a: { $$type: ['string', 'int'] } }, { a: 3 }],
  ])('matches with %s', (_what, expected, actual) => {
    expect(findMismatch(expected, actual, NONE)).toBeUndefined();
  });

  test.each<[string, unknown, unknown, string]>([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b is 2 instead of 1'],
    ['a further field within', { a: { b: 1 } }, { a: { b: 1, c: 1 } }, 'a has c too'],
    ['a missing field', { a: 1 }, {}, 'a is undefined instead of 1'],
    ['a shorter list', [1, 2], [1], 'it is [1] instead of [1,2]'],
    ['a field that must not be there', { a: { $$exists: false } }, { a: 1 }, 'a is 1'],
    ['another type', { a: { $$type: 'string' } }, { a: 1 }, 'a is a int, not a string'],
    [
      'an operator that is not known',
      { a: { $$other: 1 } },
      { a: 1 },
      'a: the operator $$other is not known here',
    ],
  ])('does not match with %s', (_what, expected, actual, difference) => {
    expect(findMismatch(expected, actual, NONE)).toBe(difference);
  });

  test('has no further field in documents that are left', () => {
    expect(findMismatch([{ a: 1 }], [{ a: 1, b: 2 }], NONE, '', false)).toBe('[0] has b too');
  });
});

describe('An error', () => {
  const error = new mongo.MongoServerError({
    message: 'E11000 duplicate',
    code: 11_000,
    errorLabels: ['One'],
  });

  test.each([
    [{ isError: true }],
    [{ isClientError: false, errorCode: 11_000, errorContains: 'DUPLICATE', errorLabelsContain: ['One'] }],
    [{ errorLabelsOmit: ['Other'] }],
  ])('matches %j', (expected) => {
    expect(findErrorMismatch(expected, error, NONE)).toBeUndefined();
  });

  test.each([
    [{ isClientError: true }, 'an error of the server'],
    [{ errorCode: 112 }, 'the code 11000'],
    [{ errorContains: 'other' }, 'the message'],
    [{ errorLabelsContain: ['Other'] }, 'no label Other'],
    [{ errorLabelsOmit: ['One'] }, 'the label One'],
  ])('does not match %j', (expected, difference) => {
    expect(findErrorMismatch(expected, error, NONE)).toContain(difference);
  });
});

test('A result of the driver has the form of the specification', () => {
  const results = {
    updateResults: new Map([['0', { matchedCount: 1, didUpsert: false }]]),
    upsertedId: null,
  };
  expect(toResult(results)).toEqual({ updateResults: { 0: { matchedCount: 1 } } });
});
