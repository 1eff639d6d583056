import { describe, expect, test } from '@jest/globals';
import { buildASTSchema, parse } from 'graphql';
import { readLinks } from '../supergraph/links.ts';
import { readRequirements } from '../supergraph/requirements.ts';
import { findMissingScopes } from './missing-scopes.ts';

const URL = 'https://specs.apollo.dev';

function indexOf(links: string, types: string) {
  const document = parse(`schema ${links} { query: Query } ${types}`);
  const schema = buildASTSchema(document, { assumeValidSDL: true });
  return readRequirements(document, schema, readLinks(document));
}

describe('scopes', () => {
  test.each([
    ['[["a", "b"], ["c"]]', [['a', 'b'], ['c']]],
    ['["a", "b"]', [['a'], ['b']]],
    ['"a"', [['a']]],
    ['[]', []],
  ])('are read as GraphQL coerces lists: %s', (scopes, expected) => {
    const index = indexOf(
      `@link(url: "${URL}/requiresScopes/v0.1")`,
      `type Query { a: Int @requiresScopes(scopes: ${scopes}) }`,
    );
    expect([...index.ofField('Query', 'a')].map((requirement) => requirement.scopes)).toEqual([expected]);
  });

  test('that are absent are held by nobody', () => {
    const index = indexOf(
      `@link(url: "${URL}/requiresScopes/v0.1")`,
      'type Query { a: Int @requiresScopes }',
    );
    expect(findMissingScopes([...index.ofField('Query', 'a')], { scopes: ['a'] })?.code).toBe('FORBIDDEN');
  });
});

test.each([
  [`@link(url: "${URL}/federation/v2.5", import: ["@authenticated"])`, 'authenticated', true],
  [`@link(url: "${URL}/federation/v2.5", import: [{ name: "@authenticated", as: "@known" }])`, 'known', true],
  [`@link(url: "${URL}/federation/v2.5")`, 'federation__authenticated', true],
  [`@link(url: "${URL}/federation/v2.5", as: "fed")`, 'fed__authenticated', true],
  [`@link(url: "${URL}/federation/v2.5")`, 'authenticated', false],
  [`@link(url: "${URL}/authenticated/v0.1", as: "known")`, 'known', true],
  [`@link(url: "${URL}/authenticated/v0.1", as: "known")`, 'authenticated', false],
])('%s names @%s', (link, name, isOurs) => {
  expect(indexOf(link, `type Query { a: Int @${name} }`).isEmpty).toBe(!isOurs);
});

test('requirements of field, parent and result add up, each of them once', () => {
  const index = indexOf(
    `@link(url: "${URL}/authenticated/v0.1") @link(url: "${URL}/requiresScopes/v0.1")`,
    `type Query @authenticated { a: A @requiresScopes(scopes: [["a"]]) }
     type A @requiresScopes(scopes: [["b"]]) { b: [A!]! @requiresScopes(scopes: [["b"]])  c: Int }`,
  );
  const scopes = (type: string, field: string) =>
    [...index.ofField(type, field)].map((requirement) => requirement.scopes);
  expect(scopes('Query', 'a')).toEqual([null, [['a']], [['b']]]);
  expect(scopes('A', 'b')).toEqual([[['b']]]);
  expect(scopes('A', 'c')).toEqual([[['b']]]);
});

test('missing scopes have the same key for all callers that miss the same scopes', () => {
  const requirements = [
    { id: 0, scopes: null },
    { id: 1, scopes: [['a', 'b']] },
    { id: 2, scopes: [['c']] },
  ];
  const keyFor = (...scopes: string[]) => findMissingScopes(requirements, { scopes })?.key;
  expect(keyFor('a')).toBe(keyFor('a', 'other'));
  expect(keyFor('a')).not.toBe(keyFor('b'));
  expect(keyFor('a')).not.toBe(keyFor('a', 'b'));
  expect(keyFor()).not.toBe(findMissingScopes(requirements.slice(1), null)?.key);
  expect(keyFor('a', 'b', 'c')).toBeUndefined();
});
