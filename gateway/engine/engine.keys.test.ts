import { describe, expect, test } from '@jest/globals';
import { type Case, compareAll } from './executor/testing/cases.ts';
import { createTestGraph, testContext } from './executor/testing/graph.ts';
import { createShopGraph } from './executor/testing/shop.ts';

describe('keys, requires, provides', () => {
  const graph = createShopGraph();

  compareAll(graph, [
    { name: 'fields of one subgraph', query: '{ products { id name } }' },
    { name: 'compound key', query: '{ products { name reviews { stars } } }' },
    { name: 'compound key, back again', query: '{ products { reviews { stars product { name id sku } } } }' },
    { name: 'requires with arguments', query: '{ products { shipping } }' },
    {
      name: 'requires beside the same field with other arguments',
      query: '{ products { price shipping(unit: LB) p2: price(currency: "EUR") } }',
    },
    {
      name: 'requires beside the same field without arguments',
      query: '{ grid { price weight shipping box } }',
    },
    { name: 'nested requires', query: '{ products { volume box } }' },
    { name: 'nested requires beside the required field', query: '{ products { size { h } volume } }' },
    {
      name: 'requires across three subgraphs',
      query:
        '{ products { shipping volume reviews { author { name tier friends { name reviewed { stars author { tier } } } } } } }',
    },
    { name: 'provides', query: '{ reviews { author { name } } }' },
    { name: 'lists of lists', query: '{ grid { name shipping reviews { id author { tier } } } }' },
    { name: 'aliases of keys', query: '{ products { id: name name: id sku: price shipping } }' },
    {
      name: 'aliases like object properties',
      query:
        '{ products { toString: name constructor: id __proto__: sku reviews { valueOf: stars hasOwnProperty: author { __proto__: name } } } }',
    },
    {
      name: 'aliases like the planner',
      query:
        '{ products { _internal_qp_alias_0: name _rk0: id _e0: shipping _entities: sku } _e0: me { tier } _entities: me { name } }',
    },
    {
      name: 'the same entity in two aliases',
      query:
        '{ a: product(id: "p1") { shipping reviews { stars } } b: product(id: "p1") { shipping(unit: LB) reviews { id } } }',
    },
    {
      name: 'different arguments below one entity',
      query:
        '{ a: reviews { product { reviews(first: 1) { author { tier } } } } b: reviews { product { reviews(first: 2) { author { friends { name } } } } } }',
    },
    {
      name: 'merged fields',
      query:
        '{ me { name } me { friends { name } friends { tier } } ...F } fragment F on Query { me { id friends { id } } }',
    },
    {
      name: 'typename everywhere',
      query:
        '{ __typename a: __typename products { __typename reviews { __typename author { t: __typename friends { __typename } } } } }',
    },
    { name: 'typename alone', query: '{ __typename }' },
    { name: 'a missing entity', query: '{ user(id: "nobody") { name reviewed { id } } }' },
    { name: 'shared root', query: '{ shared me { id } products { id } }' },
    { name: 'override', query: '{ reviews { author { card } } }' },
    {
      name: 'enum variable',
      query: 'query($u: Unit, $f: Int) { products { shipping(unit: $u) reviews(first: $f) { id } } }',
      variables: { u: 'LB', f: 1 },
    },
    {
      name: 'variables left out',
      query: 'query($u: Unit = LB, $f: Int) { products { shipping(unit: $u) reviews(first: $f) { id } } }',
    },
    {
      name: 'variables null',
      query: 'query($f: Int = 1) { products { reviews(first: $f) { id } } }',
      variables: { f: null },
    },
    ...[true, false].flatMap((a) =>
      [true, false].map(
        (b): Case => ({
          name: `skip ${a}, include ${b}`,
          query: `query($a: Boolean!, $b: Boolean = false) {
          products @skip(if: $a) { id shipping @include(if: $b) ... @include(if: $b) { name volume reviews { id } } }
          me { id ...F @skip(if: $b) tier } reviews @include(if: $b) { ...R @skip(if: $a) ...R @include(if: $b) }
        }
        fragment F on User { name friends @include(if: $a) { name reviewed { id } } }
        fragment R on Review { stars author { tier } }`,
          variables: { a, b },
        }),
      ),
    ),
    {
      name: 'key order that depends on a variable',
      query: 'query($a: Boolean!) { me { name @include(if: $a) id name } }',
      variables: { a: false },
    },
    {
      name: 'a key included by either of two variables',
      query:
        'query($a: Boolean!, $b: Boolean!) { me { name @include(if: $a) name @include(if: $b) friends @include(if: $a) { id } friends @include(if: $b) { name } } }',
      variables: { a: false, b: true },
    },
    {
      name: 'everything excluded',
      query: '{ me @include(if: false) { id } products @skip(if: true) { id } }',
    },
    {
      name: 'nothing left of an object',
      query: '{ me { id @include(if: false) } products { shipping @skip(if: true) } }',
    },
  ]);

  test('asks for each entity once', async () => {
    graph.fetches.length = 0;
    await graph.engine.execute({ query: '{ reviews { author { tier } } }' }, testContext());
    expect(graph.fetches[1]?.variables.representations).toEqual([
      { __typename: 'User', id: 'u1' },
      { __typename: 'User', id: 'u2' },
    ]);
  });

  test('forwards only the variables that a fetch uses', async () => {
    graph.fetches.length = 0;
    const query =
      'query($u: Unit = KG, $f: Int, $unused: Int) { products { shipping(unit: $u) reviews(first: $f) { id } } x: user(id: "u1") { id @skip(if: false) } }';
    await graph.engine.execute(
      { query: query.replace(', $unused: Int', ''), variables: { f: 2, other: 1 } },
      testContext(),
    );
    const names = graph.fetches.map(({ variables }) =>
      Object.keys(variables).filter((name) => !name.includes('rep')),
    );
    expect(names.flat()).toEqual(['f']);
  });
});

describe('null keys', () => {
  const things = [
    { __typename: 'Thing', id: 't1', code: null },
    { __typename: 'Thing', id: null, code: 'c2' },
    { __typename: 'Thing', id: null, code: null },
  ];
  const graph = createTestGraph({
    subgraphs: {
      a: 'type Query { things: [Thing] } type Thing @key(fields: "id") @key(fields: "code") { id: ID code: String }',
      b: 'type Query { b: Int } type Thing @key(fields: "id") { id: ID fromB: String }',
      c: 'type Query { c: Int } type Thing @key(fields: "code") { code: String fromC: String }',
    },
    resolvers: {
      Query: { things: () => things },
      Thing: {
        fromB: (t) => (t.id === null ? null : `b${String(t.id)}`),
        fromC: (t) => (t.code === null ? null : `c${String(t.code)}`),
      },
    },
    references: { Thing: (ref) => ({ ...ref }) },
  });
  compareAll(graph, [
    { name: 'entities without the key are not asked for', query: '{ things { id code fromB fromC } }' },
  ]);

  test('representations hold no null keys', async () => {
    graph.fetches.length = 0;
    await graph.engine.execute({ query: '{ things { fromB fromC } }' }, testContext());
    const sent = graph.fetches.flatMap(({ variables }) => (variables.representations ?? []) as unknown[]);
    expect(sent).toHaveLength(2);
    expect(sent).toEqual(
      expect.arrayContaining([
        { __typename: 'Thing', id: 't1' },
        { __typename: 'Thing', code: 'c2' },
      ]),
    );
  });
});
