import { expect, test } from '@jest/globals';
import { testContext } from '../../gateway/engine/testing/index.ts';
import { answers, describeGraph } from './support/suite.ts';

const author = { __typename: 'Author', id: 'a1', name: 'Ada', born: { year: 1815 } };

describeGraph(
  '@provides',
  {
    subgraphs: {
      books: `
        type Query {
          books: [Book!]! @provides(fields: "author { name born { year } }")
          plain: [Book!]!
          hits: [Hit!] @provides(fields: "... on Author { name }")
        }
        type Book @key(fields: "id") { id: ID! author: Author }
        type Author @key(fields: "id") { id: ID! name: String @external born: Birth @external }
        type Birth @external { year: Int }
        union Hit = Book | Author`,
      authors: `
        type Author @key(fields: "id") { id: ID! name: String born: Birth email: String }
        type Birth { year: Int }`,
    },
    resolvers: {
      Query: {
        books: () => [{ id: 'b1', author }],
        plain: () => [{ id: 'b1', author }],
        hits: () => [author, { __typename: 'Book', id: 'b1', author }],
      },
      Author: { email: ({ id }) => `${String(id)}@books.test` },
    },
    references: { Author: () => author, Book: ({ id }) => ({ id, author }) },
  },
  (graph) => {
    const fetchedSubgraphs = async (query: string) => {
      const { engine, fetches } = graph();
      fetches.length = 0;
      await engine.execute({ query }, testContext());
      return fetches.map(({ subgraph }) => subgraph);
    };

    answers(graph, [
      { name: 'a provided field', query: '{ books { author { name born { year } } } }' },
      { name: 'and what is not', query: '{ books { author { name email } } plain { author { name } } }' },
      {
        name: 'on a union',
        query: '{ hits { ... on Author { name } ... on Book { id author { email } } } }',
      },
    ]);

    test('spares the other subgraph where something is provided, and only there', async () => {
      expect(await fetchedSubgraphs('{ books { author { name born { year } } } }')).toEqual(['books']);
      expect(await fetchedSubgraphs('{ hits { ... on Author { name } } }')).toEqual(['books']);
      expect(await fetchedSubgraphs('{ plain { author { name } } }')).toEqual(['books', 'authors']);
    });
  },
);

describeGraph(
  '@shareable and shared roots',
  {
    subgraphs: {
      north: {
        typeDefs: `type Query { station: Station @shareable northOnly: Int version: String @shareable }
          type Station @shareable { code: String position: Position track: Int }
          type Position @shareable { x: Int y: Int }`,
        resolvers: { Query: { northOnly: () => 1 } },
      },
      south: {
        typeDefs: `type Query { station: Station @shareable southOnly: Int version: String @shareable }
          type Station @shareable { code: String position: Position crew: [String!] }
          type Position @shareable { x: Int y: Int }`,
        resolvers: { Query: { southOnly: () => 2 } },
      },
    },
    resolvers: {
      Query: {
        station: () => ({ code: 'S', position: { x: 1, y: 2 }, track: 9, crew: ['Bo'] }),
        version: () => '1',
        northOnly: () => 1,
        southOnly: () => 2,
      },
    },
  },
  (graph) => {
    answers(graph, [
      { name: 'from either', query: '{ version station { code position { y x } } }' },
      {
        name: 'one root of which each subgraph knows a part',
        query: '{ station { track code crew position { x } } }',
      },
      { name: 'beside roots of one subgraph', query: '{ southOnly version northOnly }' },
    ]);

    test('a shared root that one subgraph can answer alone is fetched once', async () => {
      const { engine, fetches } = graph();
      fetches.length = 0;
      await engine.execute({ query: '{ version station { code } }' }, testContext());
      expect(fetches).toHaveLength(1);
    });
  },
);

describeGraph(
  '@override',
  {
    subgraphs: {
      old: {
        typeDefs: `type Query { users: [User!]! }
          type User @key(fields: "id") { id: ID! email: String plan: String }`,
        resolvers: {
          Query: { users: () => [{ id: 'u1' }] },
          User: { email: () => 'old email', plan: () => 'old plan' },
        },
      },
      new: {
        typeDefs: `type Query { newest: User }
          type User @key(fields: "id") {
            id: ID! email: String @override(from: "old") phone: String @override(from: "elsewhere")
            plan: String @override(from: "old", label: "percent(0)")
            age: Int @external summary: String @requires(fields: "age")
          }`,
        resolvers: {
          Query: { newest: () => ({ id: 'u2' }) },
          User: {
            email: () => 'new email',
            phone: () => 'new phone',
            plan: () => 'new plan',
            summary: ({ age }) => `${String(age)} years`,
          },
        },
      },
      ages: {
        typeDefs: 'type User @key(fields: "id") { id: ID! age: Int }',
        resolvers: { User: { age: () => 40 } },
      },
    },
    references: { User: (reference) => ({ ...reference }) },
  },
  (graph) => {
    answers(graph, [
      {
        name: 'the new subgraph answers',
        query: '{ users { email } }',
        data: { users: [{ email: 'new email' }] },
      },
      {
        name: 'also where the old one starts',
        query: '{ users { id email summary } newest { email } }',
        data: {
          users: [{ id: 'u1', email: 'new email', summary: '40 years' }],
          newest: { email: 'new email' },
        },
      },
      {
        name: 'from a subgraph that is not there',
        query: '{ users { phone } }',
        data: { users: [{ phone: 'new phone' }] },
      },
      {
        name: 'a label that no one has switched on leaves the field where it was',
        query: '{ users { plan } newest { plan } }',
        data: { users: [{ plan: 'old plan' }], newest: { plan: 'old plan' } },
      },
    ]);
  },
);

// Found by random operations: composition marks the field as overridden and used, though the label is off.
describeGraph(
  '@override with a label that is off, of a field that its first subgraph requires elsewhere',
  {
    subgraphs: {
      start: 'type Query { cat: Cat } type Cat @key(fields: "id") { id: ID! }',
      old: `type Cat @key(fields: "id") {
        id: ID! link: String item: Cat @external site: String @requires(fields: "item { link }")
      }`,
      new: 'type Cat @key(fields: "id") { id: ID! link: String @override(from: "old", label: "percent(0)") }',
      items:
        'type Cat @key(fields: "id") { id: ID! item: Cat @provides(fields: "link") link: String @external }',
    },
    resolvers: {
      Query: { cat: () => ({ id: '1' }) },
      Cat: { link: ({ id }) => `link ${String(id)}`, item: () => ({ id: '2' }), site: () => 'site' },
    },
    references: { Cat: (reference) => ({ ...reference }) },
  },
  (graph) => {
    answers(graph, [
      {
        name: 'is answered by the first subgraph',
        query: '{ cat { link site item { link } } }',
        data: { cat: { link: 'link 1', site: 'site', item: { link: 'link 2' } } },
      },
    ]);
  },
);
