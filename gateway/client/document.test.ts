import { describe, expect, test } from '@jest/globals';
import { checkList, readSubscription } from './document.ts';

describe('a subscription', () => {
  test.each([
    ['a plain one', 'subscription ($after: String) { changed(after: $after) { cursor } }'],
    [
      'variables with defaults',
      'subscription S($i: I = {a: [{b: 1}]}, $after: String) @x(y: {z: "}"}) { changed(i: $i, after: $after, n: -1.5e3, l: [1, {a: 2}], s: """a "quoted" \\""" }""") @include(if: $x) { cursor } }',
    ],
    ['comments and commas', '# { \n subscription($after:String,){,changed(after:$after,){n,cursor,}} # }'],
    [
      'a fragment for the cursor',
      'fragment E on Change @x { n { cursor } ...F } fragment F on Change { cursor } subscription S($after: String) { changed(after: $after) { ...E } }',
    ],
    [
      'an inline fragment',
      'subscription S($after: String) { ... on Subscription { changed(after: $after) { ... @include(if: true) { cursor } } } }',
    ],
  ])('is read: %s', (_name, query) => {
    expect(readSubscription(query)).toEqual({ key: 'changed', afterVariable: 'after' });
  });

  test('is read with the names of its field, its variable and its operation', () => {
    const query = 'query Q { a } subscription S($from: String) { mine: changed(after: $from) { cursor } }';
    expect(readSubscription(query, 'S')).toEqual({ key: 'mine', afterVariable: 'from' });
  });

  test.each([
    ['without the argument', 'subscription { changed { cursor } }', 'changed(after: $after)'],
    ['with a fixed cursor', 'subscription { changed(after: "c1") { cursor } }', 'changed(after: $after)'],
    ['without a cursor', 'subscription S($a: String) { changed(after: $a) { n } }', 'Select cursor'],
    [
      'with a cursor elsewhere',
      'subscription S($a: String) { changed(after: $a) { n { cursor } } }',
      'Select cursor',
    ],
    [
      'with another name for it',
      'subscription S($a: String) { changed(after: $a) { c: cursor } }',
      'Select cursor',
    ],
    [
      'with another field of its name',
      'subscription S($a: String) { changed(after: $a) { cursor: n } }',
      'Select cursor',
    ],
    [
      'with two fields',
      'subscription S($a: String) { a(after: $a) { cursor } b { cursor } }',
      'exactly one field',
    ],
    ['a query', 'query { changed { cursor } }', 'is a query, not a subscription'],
    ['one of two', 'subscription A { a } subscription B { b }', 'operationName'],
    ['none', 'fragment A on B { c }', 'no such operation'],
    ['half of one', 'subscription { changed(after: $a) { cursor }', 'ends too early'],
    ['no GraphQL', 'subscription { changed; }', 'cannot be read from here: ; }'],
    ['no GraphQL', 'subscription { changed { 7 } }', '7 where a field is expected'],
    [
      'a fragment that contains itself',
      'fragment A on B { ...A } subscription S($a: String) { c(after: $a) { ...A } }',
      'Select cursor',
    ],
  ])('is not followed %s', (_name, query, message) => {
    const code = { code: 'BAD_DOCUMENT', isFinal: true, message: expect.stringContaining(message) };
    expect(() => readSubscription(query)).toThrow(expect.objectContaining(code));
  });
});

test('a list has its cursor at the root', () => {
  expect(() => checkList('{ a { b } latestEventCursor }')).not.toThrow();
  expect(() => checkList('query { ...F } fragment F on Query { latestEventCursor }')).not.toThrow();
  const lacksCursor = 'Select latestEventCursor';
  expect(() => checkList('{ a { latestEventCursor } }')).toThrow(lacksCursor);
  expect(() => checkList('{ c: latestEventCursor }')).toThrow(lacksCursor);
});
