import { describe, expect, test } from '@jest/globals';
import { runBoth } from './executor/testing/compare.ts';
import { createTestGraph, type TestGraph, testContext } from './executor/testing/graph.ts';

interface Case {
  readonly name: string;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

function compareAll(graph: TestGraph, cases: readonly Case[]): void {
  test.each(cases)('$name', async ({ query, variables }) => {
    const { engine, expected, monolith } = await runBoth(graph, query, variables);
    expect(monolith.errors).toBeUndefined();
    expect(engine).toEqual(expected);
  });
}

const products = [
  {
    __typename: 'Product',
    id: 'p1',
    sku: 's1',
    org: { code: 'o1' },
    name: 'Chair',
    price: 10,
    weight: 3,
    size: { w: 1, h: 2 },
  },
  {
    __typename: 'Product',
    id: 'p2',
    sku: 's2',
    org: { code: 'o1' },
    name: 'Table',
    price: 30,
    weight: null,
    size: { w: 5, h: 1 },
  },
  {
    __typename: 'Product',
    id: 'p3',
    sku: 's3',
    org: { code: 'o2' },
    name: null,
    price: null,
    weight: 7,
    size: null,
  },
];
const reviews = [
  { __typename: 'Review', id: 'r1', stars: 5, productId: 'p1', authorId: 'u1' },
  { __typename: 'Review', id: 'r2', stars: 1, productId: 'p2', authorId: 'u2' },
  { __typename: 'Review', id: 'r3', stars: 3, productId: 'p1', authorId: 'u2' },
];
const users = [
  { __typename: 'User', id: 'u1', name: 'Ada', friends: ['u2'], tier: 'GOLD' },
  { __typename: 'User', id: 'u2', name: 'Bob', friends: ['u1', 'u2'], tier: 'BASIC' },
];
const byId = <T extends { id: string }>(list: readonly T[], id: unknown) =>
  list.find((item) => item.id === id) ?? null;

describe('keys, requires, provides', () => {
  const graph = createTestGraph({
    subgraphs: {
      products: `
        type Query { products: [Product!]! product(id: ID!): Product grid: [[Product]]! shared: String @shareable }
        type Product @key(fields: "id") @key(fields: "sku org { code }") {
          id: ID! sku: String! org: Org! name: String price(currency: String = "USD"): Int weight: Int size: Size
        }
        type Org @shareable { code: ID! }
        type Size @shareable { w: Int h: Int }
        type Mutation { rename(id: ID!, name: String!): Product touch: Int! }`,
      shipping: `
        type Query { shared: String @shareable }
        type Product @key(fields: "id") {
          id: ID! price(currency: String): Int @external weight: Int @external size: Size @external
          shipping(unit: Unit = KG): Int @requires(fields: "price(currency: \\"EUR\\") weight")
          volume: Int @requires(fields: "size { w h }")
          box: String @requires(fields: "size { w h }")
        }
        type Size @shareable { w: Int h: Int }
        enum Unit { KG LB }`,
      reviews: `
        type Query { reviews: [Review!]! best: Review }
        type Review @key(fields: "id") { id: ID! stars: Int! product: Product! author: User @provides(fields: "name") }
        type Product @key(fields: "sku org { code }") { sku: String! org: Org! reviews(first: Int): [Review!]! }
        type Org @shareable { code: ID! }
        type User @key(fields: "id") { id: ID! name: String @external reviewed: [Review!]! }`,
      users: `
        type Query { user(id: ID!): User me: User }
        type User @key(fields: "id") { id: ID! name: String @shareable friends: [User!]! tier: Tier card: String @override(from: "reviews") }
        enum Tier { GOLD BASIC }
        type Mutation { befriend(a: ID!, b: ID!): User }`,
    },
    resolvers: {
      Query: {
        products: () => products,
        product: (_s, { id }) => byId(products, id),
        grid: () => [[products[0], null], [], [products[1], products[2]]],
        shared: () => 'same',
        reviews: () => reviews,
        best: () => reviews[0],
        user: (_s, { id }) => byId(users, id),
        me: () => users[0],
      },
      Product: {
        price: (p, { currency }) =>
          p.price === null ? null : (p.price as number) * (currency === 'EUR' ? 2 : 1),
        shipping: (p, { unit }) => {
          // In the subgraph the required price is under `price`, in euros already.
          const euros =
            typeof p.name === 'undefined'
              ? (p.price as number | null)
              : p.price === null
                ? null
                : (p.price as number) * 2;
          return euros === null ? -1 : euros + ((p.weight as number | null) ?? 0) + (unit === 'LB' ? 100 : 0);
        },
        volume: (p) => {
          const size = p.size as { w: number; h: number } | null;
          return size === null ? null : size.w * size.h;
        },
        box: (p) => JSON.stringify((p.size as { w: number } | null)?.w ?? null),
        reviews: (p, { first }) =>
          reviews
            .filter((r) => products.find((x) => x.sku === p.sku)?.id === r.productId)
            .slice(0, first ?? undefined),
      },
      Review: { product: (r) => byId(products, r.productId), author: (r) => byId(users, r.authorId) },
      User: {
        friends: (u) => (u.friends as string[]).map((id) => byId(users, id)),
        reviewed: (u) => reviews.filter((r) => r.authorId === u.id),
        card: (u) => `card of ${String(u.id)}`,
      },
      Mutation: {},
    },
    references: {
      Product: (ref) =>
        'sku' in ref
          ? (products.find((p) => p.sku === ref.sku) ?? null)
          : 'price' in ref || 'size' in ref || !('x' in ref)
            ? { ...ref }
            : null,
      Review: (ref) => byId(reviews, ref.id),
      User: (ref) => byId(users, ref.id),
    },
  });

  compareAll(graph, [
    { name: 'fields of one subgraph', query: '{ products { id name } }' },
    { name: 'compound key', query: '{ products { name reviews { stars } } }' },
    { name: 'compound key, back again', query: '{ products { reviews { stars product { name id sku } } } }' },
    { name: 'requires with arguments', query: '{ products { shipping } }' },
    {
      name: 'requires beside the same field with other arguments',
      query: '{ products { price shipping(unit: LB) p2: price(currency: "EUR") } }',
    },
    { name: 'nested requires', query: '{ products { volume box } }' },
    { name: 'nested requires beside the required field', query: '{ products { size { h } volume } }' },
    {
      name: 'requires across three subgraphs',
      query:
        '{ best { product { shipping volume name } author { name tier friends { name reviewed { stars product { shipping } } } } } }',
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

describe('abstract types', () => {
  const media = [
    { __typename: 'Book', id: 'm1', title: 'Dune', pages: 412, author: 'u1' },
    { __typename: 'Movie', id: 'm2', title: 'Alien', length: 117, director: 'u2' },
    { __typename: 'Book', id: 'm3', title: 'Emma', pages: null, author: null },
  ];
  const graph = createTestGraph({
    subgraphs: {
      media: `
        type Query { media: [Media!]! search(text: String): [Hit] node(id: ID!): Node named: [Named] }
        interface Node { id: ID! }
        interface Named { name: String }
        interface Media implements Node @key(fields: "id") { id: ID! title: String }
        type Book implements Media & Node @key(fields: "id") { id: ID! title: String pages: Int author: User }
        type Movie implements Media & Node @key(fields: "id") { id: ID! title: String length: Int! director: User }
        union Hit = Book | Movie | User
        type User implements Named & Node @key(fields: "id") { id: ID! name: String @shareable }`,
      reviews: `
        type Query { reviewed: [Media!]! }
        type Media @interfaceObject @key(fields: "id") { id: ID! score: Int reviews: [Review!]! }
        type Review { stars: Int media: Media! by: User }
        type User @key(fields: "id") { id: ID! tier: String name: String @shareable }`,
      people: `
        type Query { people: [Person] }
        interface Person { id: ID! email: String }
        type User implements Person @key(fields: "id") { id: ID! email: String }
        type Robot implements Person { id: ID! email: String model: Part }
        union Part = Arm | Leg
        type Arm { id: ID! n: Int }
        type Leg { id: ID! n: Int }`,
    },
    resolvers: {
      Query: {
        media: () => media,
        search: () => [...media, users[0], null],
        node: (_s, { id }) => byId(media, id) ?? byId(users, id),
        named: () => users,
        reviewed: () => media.slice(1),
        people: () => [
          users[0],
          { __typename: 'Robot', id: 'x', email: 'x@', model: { __typename: 'Leg', id: 'l', n: null } },
          { __typename: 'Robot', id: 'y', email: null, model: { __typename: 'Arm', id: 'a', n: 1 } },
        ],
      },
      Book: { author: (b) => byId(users, b.author) },
      Movie: { director: (b) => byId(users, b.director) },
      Media: {
        score: (m) => Number(String(m.id).slice(1)),
        reviews: (m) => [{ stars: 1, mediaId: m.id }],
      },
      Review: { media: (r) => byId(media, r.mediaId), by: () => users[1] },
      User: { email: (u) => `${String(u.id)}@`, tier: (u) => byId(users, u.id)?.tier },
    },
    references: {
      Media: (ref) => byId(media, ref.id),
      Book: (ref) => byId(media, ref.id),
      Movie: (ref) => byId(media, ref.id),
      User: (ref) => byId(users, ref.id),
    },
  });
  compareAll(graph, [
    { name: 'interface fields', query: '{ media { id title } }' },
    { name: 'interface, typename only', query: '{ media { __typename } }' },
    {
      name: 'fragments on concrete types',
      query:
        '{ media { title ... on Book { pages author { name } } ... on Movie { length director { tier email } } } }',
    },
    { name: 'interface object', query: '{ media { title score reviews { stars } } }' },
    {
      name: 'interface object, on concrete types',
      query: '{ media { ... on Book { score } ... on Movie { reviews { stars by { name tier } } } } }',
    },
    {
      name: 'interface object as the start',
      query: '{ reviewed { __typename id score title ... on Book { pages } } }',
    },
    {
      name: 'interface object and back',
      query: '{ media { reviews { media { __typename title score ... on Movie { length } } } } }',
    },
    {
      name: 'union',
      query:
        '{ search { __typename ... on Book { t: title pages } ... on Movie { t: title score } ... on User { name tier } } }',
    },
    {
      name: 'union, interface fragment',
      query: '{ search { ... on Node { id } ... on Named { name } ... on Media { title score } } }',
    },
    {
      name: 'node',
      query:
        '{ a: node(id: "m1") { id ... on Book { title score author { email } } } b: node(id: "u1") { ... on User { email tier } } c: node(id: "no") { id } }',
    },
    { name: 'node, id only', query: '{ node(id: "m2") { id } }' },
    {
      name: 'nested fragments',
      query:
        '{ media { ...A } } fragment A on Node { id ... on Media { ...B } } fragment B on Media { title ... on Book { ... on Node { x: id } pages } }',
    },
    {
      name: 'unions below interfaces',
      query:
        '{ people { id email ... on Robot { model { ... on Arm { id n } ... on Leg { id n } } } ... on User { tier name } } }',
    },
    {
      name: 'conditions in fragments',
      query:
        'query($a: Boolean!) { media { ... on Book @include(if: $a) { pages score } ... on Movie @skip(if: $a) { length reviews { by { email } } } } }',
      variables: { a: true },
    },
  ]);
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
