import { describe, expect, test } from '@jest/globals';
import { createClientDocuments } from './client-documents.ts';
import { documentHash } from './document-hash.ts';

const NOT_FOUND = { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] };
const NOT_TRUSTED = { errors: [{ extensions: { code: 'QUERY_NOT_IN_SAFELIST' } }] };

const named = (text: string) => ({ query: null, hash: documentHash(text) });
const registering = (text: string) => ({ query: text, hash: documentHash(text) });
const full = (text: string) => ({ query: text, hash: null });

test("the hash is that of the specification's example", () => {
  const text = 'query ($id: ID!) {\n  user(id: $id) {\n    name\n  }\n}';
  expect(documentHash(text)).toBe('7dba4bd717b41f10434822356a93c32b1fb4907b983e854300ad839f84cdcd6e');
});

describe('documents that clients register', () => {
  test('are found by their hash afterwards', () => {
    const documents = createClientDocuments();
    expect(documents.find(named('{ a }'))).toMatchObject(NOT_FOUND);
    expect(documents.find(full('{ a }'))).toBe('{ a }');
    expect(documents.find(named('{ a }'))).toMatchObject(NOT_FOUND);
    expect(documents.find(registering('{ a }'))).toBe('{ a }');
    expect(documents.find(named('{ a }'))).toBe('{ a }');
    expect(documents.find(named('{ b }'))).toMatchObject(NOT_FOUND);
  });

  test('are dropped when there are too many, the least recently used first', () => {
    const documents = createClientDocuments({ entries: 2 });
    documents.find(registering('{ a }'));
    documents.find(registering('{ b }'));
    documents.find(named('{ a }'));
    documents.find(registering('{ c }'));
    expect(documents.find(named('{ a }'))).toBe('{ a }');
    expect(documents.find(named('{ b }'))).toMatchObject(NOT_FOUND);
  });

  test('are dropped when their texts have too many bytes', () => {
    const documents = createClientDocuments({ bytes: 1_000 });
    const [short, medium, long] = ['{ a }', `{ ${'é'.repeat(440)} }`, `{ ${'é'.repeat(500)} }`];
    documents.find(registering(short));
    documents.find(registering(long));
    expect(documents.find(named(long))).toMatchObject(NOT_FOUND);
    expect(documents.find(named(short))).toBe(short);
    documents.find(registering(medium));
    expect(documents.find(named(medium))).toBe(medium);
    expect(documents.find(named(short))).toMatchObject(NOT_FOUND);
  });
});

describe('trusted documents', () => {
  test('are never displaced by registered ones', () => {
    const documents = createClientDocuments({ trusted: ['{ a }'], entries: 1 });
    for (const text of ['{ a }', '{ b }', '{ c }']) {
      documents.find(registering(text));
    }
    expect(documents.find(named('{ a }'))).toBe('{ a }');
    expect(documents.find(named('{ c }'))).toBe('{ c }');
  });

  test('can be the only ones allowed, sent in full or by hash', () => {
    const documents = createClientDocuments({ trusted: ['{ a }'], trustedOnly: true });
    expect(documents.find(named('{ a }'))).toBe('{ a }');
    expect(documents.find(full('{ a }'))).toBe('{ a }');
    expect(documents.find(registering('{ a }'))).toBe('{ a }');
    expect(documents.find(full('{a}'))).toMatchObject(NOT_TRUSTED);
    expect(documents.find(registering('{ b }'))).toMatchObject(NOT_TRUSTED);
    expect(documents.find(named('{ b }'))).toMatchObject(NOT_FOUND);
  });
});

describe('the kind of an operation', () => {
  const several = 'query First { a } fragment F on T { c } mutation Second { b } subscription Third { c }';

  test.each<[string, string | null, string | null]>([
    ['{ a }', null, 'query'],
    ['mutation query { a }', 'query', 'mutation'],
    ['\uFEFF, subscription { a }', null, 'subscription'],
    [several, 'Second', 'mutation'],
    [several, 'Third', 'subscription'],
    [several, 'F', null],
    [several, null, null],
    ['mutation { a }', '', null],
    ['mutation { a', null, null],
    ['{'.repeat(500_000), null, null],
  ])('in %.40s, named %j, is %j', (text, name, kind) => {
    expect(createClientDocuments().kindOf(text, name)).toBe(kind);
  });

  test('is unknown in a document of more tokens than the engine reads', () => {
    const kinds = [3, 4].map((maxTokens) =>
      createClientDocuments({ maxTokens }).kindOf('mutation { a }', null),
    );
    expect(kinds).toEqual([null, 'mutation']);
  });
});
