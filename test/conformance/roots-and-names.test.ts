import { describe, expect, test } from '@jest/globals';
import { createInProcessTransport } from '../../gateway/engine/index.ts';
import {
  createSubgraphSchema,
  createTestGraph,
  type TestGraphOptions,
  testContext,
} from '../../gateway/engine/testing/index.ts';
import { answers } from './support/suite.ts';

/** A graph whose supergraph was composed by somebody else, who accepts more than the composition of these tests. */
function createPatchedGraph(
  options: TestGraphOptions,
  composed: TestGraphOptions['subgraphs'],
  patch: (sdl: string) => string,
) {
  const { supergraphSdl } = createTestGraph({ ...options, subgraphs: composed });
  return createTestGraph({
    ...options,
    subgraphs: composed,
    engine: { supergraphSdl: patch(supergraphSdl) },
    connect: (_schema, name) => createInProcessTransport(createSubgraphSchema(options, name)),
  });
}

const people =
  'type Query { me: Person people: [Person!] broken: Int strict: Int! } type Person @key(fields: "id") { id: ID! name: String }';
const badges = 'type Query { badge: String } type Person @key(fields: "id") { id: ID! badge: String }';
const shop = `type Query { cart: Cart version: Int }
  type Mutation { add(id: ID!): AddPayload fail: AddPayload }
  type AddPayload { ok: Boolean cart: Cart } type Cart @key(fields: "id") { id: ID! }`;
const QUERY = 'query: Query';

describe('Query inside of answers', () => {
  const graph = createPatchedGraph(
    {
      subgraphs: {
        shop: shop
          .replace('ok: Boolean', `ok: Boolean ${QUERY}`)
          .replace('{ id: ID! }', `{ id: ID! ${QUERY} }`),
        people,
        badges: badges.replace('id: ID!', `id: ID! ${QUERY}`),
      },
      resolvers: {
        Query: {
          cart: () => ({ id: 'c' }),
          version: () => 2,
          me: () => ({ id: '1' }),
          people: () => [{ id: '1' }, { id: '2' }],
          badge: () => 'gold',
          broken: () => {
            throw new Error('broken');
          },
          strict: () => null,
        },
        Mutation: { add: (_source, { id }) => ({ ok: true, query: {}, cart: { id } }), fail: () => null },
        Cart: { query: () => ({}) },
        Person: {
          name: ({ id }) => `name ${String(id)}`,
          badge: ({ id }) => `badge ${String(id)}`,
          query: () => ({}),
        },
      },
      references: { Person: (reference) => reference, Cart: (reference) => reference },
    },
    { shop, people, badges },
    (sdl) =>
      sdl
        .replace(/(type AddPayload [^{]*\{)/, `$1 ${QUERY}`)
        .replace(/(type Cart [^{]*\{)/, `$1 ${QUERY}`)
        .replace(/(type Person [^{]*\{)/, `$1 ${QUERY} @join__field(graph: BADGES)`),
  );

  answers(
    () => graph,
    [
      { name: 'of one subgraph', query: 'mutation { add(id: "a") { ok query { version } } }' },
      { name: 'of others', query: 'mutation { add(id: "a") { query { me { name badge } badge version } } }' },
      { name: 'at many places', query: '{ people { badge query { me { name } x: badge version } } }' },
      {
        name: 'again and again',
        query: '{ me { query { people { query { cart { id } me { badge } } } } } }',
      },
      { name: 'after nothing', query: 'mutation { fail { query { me { name } } } }' },
      {
        name: 'with variables and conditions',
        query:
          'mutation($id: ID!, $a: Boolean!) { add(id: $id) { query { me @include(if: $a) { name } badge @skip(if: $a) } } }',
        variables: { id: 'x', a: true },
      },
      {
        name: 'and their errors',
        query: 'mutation { add(id: "a") { ok query { broken version } } }',
        errors: [['add', 'query', 'broken']],
      },
      {
        name: 'and what must not be null',
        query: 'mutation { add(id: "a") { ok query { strict version } } }',
        errors: [['add', 'query', 'strict']],
      },
    ],
  );
});

describe('a key of a type name alone beside an interface object', () => {
  const graph = createTestGraph({
    subgraphs: {
      pages: `type Query { pages: [Named] } interface Named { name: String }
        type Site implements Named @key(fields: "__typename") { name: String }
        interface Media @key(fields: "id") { id: ID! }
        type Film implements Media & Named @key(fields: "id") { id: ID! name: String }`,
      ratings: `type Media @key(fields: "id") @interfaceObject { id: ID! rating: Int }
        type Site @key(fields: "__typename") { theme: String }`,
    },
    resolvers: {
      Query: {
        pages: () => [
          { __typename: 'Site', name: 'Home' },
          { __typename: 'Film', id: 'f1', name: 'Solaris' },
        ],
      },
      Site: { theme: () => 'dark' },
      Media: { rating: () => 5 },
      Film: { rating: () => 5 },
    },
    references: {
      Site: (reference) => reference,
      Media: ({ id }) => {
        if (id === undefined) {
          throw new Error('A reference without its key.');
        }
        return { id };
      },
    },
  });

  answers(
    () => graph,
    [
      { name: 'fields of the interface object alone', query: '{ pages { name ... on Film { rating } } }' },
      { name: 'both', query: '{ pages { ... on Site { theme } ... on Film { rating } } }' },
    ],
  );
});

describe('keys of a type name alone, and @provides with one', () => {
  const options: TestGraphOptions = {
    subgraphs: {
      settings:
        'type Query { site: Site sites: [Site!] } type Site @key(fields: "__typename") { title: String }',
      themes: 'type Site @key(fields: "__typename") { theme: Theme } type Theme { color: String }',
      books: `type Query { books: [Book!]! @provides(fields: "author { name }") loose: [Book!]! }
        type Book @key(fields: "id") { id: ID! author: Author }
        type Author @key(fields: "id") { id: ID! name: String @external }`,
      authors: 'type Author @key(fields: "id") { id: ID! name: String age: Int }',
    },
    resolvers: {
      Query: {
        site: () => ({}),
        sites: () => [{}, {}],
        books: () => [{ id: 'b', author: { id: '1', name: 'Ada' } }],
        loose: () => [{ id: 'b', author: { id: '1' } }],
      },
      Site: { title: () => 'Home', theme: () => ({ color: 'red' }) },
      Author: { name: () => 'Ada', age: () => 36 },
    },
    references: {
      Site: (reference) => reference,
      Author: (reference) => reference,
      Book: (reference) => reference,
    },
  };
  const graph = createPatchedGraph(options, options.subgraphs, (sdl) =>
    sdl.replace('provides: "author{name}"', 'provides: "author { __typename name }"'),
  );

  answers(
    () => graph,
    [
      { name: 'a field of the other subgraph', query: '{ site { title theme { color } } }' },
      { name: 'only that', query: '{ sites { theme { color } } }' },
      { name: 'a provided field with its type name', query: '{ books { author { __typename name } } }' },
      {
        name: 'and what is not provided',
        query: '{ books { author { name age } } loose { author { name } } }',
      },
    ],
  );

  test('a provided field is not fetched again', async () => {
    graph.fetches.length = 0;
    await graph.engine.execute({ query: '{ books { author { __typename name } } }' }, testContext());
    expect(graph.fetches.map(({ subgraph }) => subgraph)).toEqual(['books']);
  });

  test('one reference stands for all objects', async () => {
    graph.fetches.length = 0;
    await graph.engine.execute({ query: '{ sites { theme { color } } }' }, testContext());
    expect(graph.fetches.at(-1)?.variables).toEqual({ representations: [{ __typename: 'Site' }] });
  });
});
