import { describe, expect, test } from '@jest/globals';
import { getOperationAST, parse } from 'graphql';
import { operationKind } from './operation-kind.ts';

const SEVERAL = `
  # a comment with { and "
  query First($a: In = { x: [1, { y: "}" }] }) @live(on: { z: ") }" }) { a(text: """ } mutation """) { b } }
  fragment F on T @live(on: { z: 1 }) { c }
  mutation Second { query }
  subscription Third { mutation }
  { d }`;

describe('the kind of an operation', () => {
  test.each<[string, string | null]>([
    ['{ a }', null],
    ['query { a }', null],
    ['query Q { a }', 'Q'],
    ['mutation { a }', null],
    ['mutation($a: Int) { a }', null],
    ['mutation Q { a }', 'Q'],
    ['mutation query { a }', 'query'],
    ['query mutation { a }', null],
    ['\uFEFF, subscription { a }', null],
    ['fragment query on Q { a } mutation { a }', null],
    ['fragment F on Q { a }', null],
    ['mutation Q { a }', 'Other'],
    ['mutation { a }', ''],
    [SEVERAL, 'First'],
    [SEVERAL, 'Second'],
    [SEVERAL, 'Third'],
    [SEVERAL, 'F'],
  ])('is what graphql-js finds: %s, operation %s', (text, name) => {
    // With '' graphql-js ignores the name; our engine searches for an operation named '' and finds none.
    const expected = name === '' ? null : (getOperationAST(parse(text), name)?.operation ?? null);
    expect(operationKind(text, name)).toBe(expected);
  });

  test('is that of the first operation when the request names none: the engine rejects such a request', () => {
    expect(operationKind('query A { a } mutation B { b }', null)).toBe('query');
    expect(operationKind('mutation B { b } query A { a }', null)).toBe('mutation');
  });

  test.each(['', ' ', 'quer', '"', '}', '%', 'query', '{'])(
    'of an invalid document is unknown, or the kind of its beginning: %j',
    (text) => {
      expect([null, 'query']).toContain(operationKind(text, null));
    },
  );

  test('is searched for only within the given number of tokens', () => {
    const late = `fragment F on Q { a } ${' { a }'.repeat(100_000)}`;
    expect(operationKind(`${late} mutation M { a }`, 'M', 2_000)).toBeNull();
    expect(operationKind(`mutation M { a } ${late}`, 'M', 2_000)).toBe('mutation');
    const text = '{ a } mutation M { b }';
    expect([3, 4, 5].map((tokens) => operationKind(text, 'M', tokens))).toEqual([
      null,
      'mutation',
      'mutation',
    ]);
  });
});
