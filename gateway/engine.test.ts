import { describe, expect, test } from '@jest/globals';
import { createTestGraph, testContext } from './executor/testing/graph.ts';

const users = [
  { __typename: 'User', id: '1', firstName: 'Ada', cipStatus: 'OK', linkIds: ['a', 'b'] },
  { __typename: 'User', id: '2', firstName: 'Bob', cipStatus: 'NO', linkIds: [] },
];
const links = [
  { __typename: 'Link', id: 'a', status: 'open' },
  { __typename: 'Link', id: 'b', status: 'shut' },
];

describe('smoke', () => {
  const graph = createTestGraph({
    subgraphs: {
      ops: `type Query { operations(first: Int!): [Operation!]! } type Operation @key(fields: "id") { id: ID! amount: String! user: User! } type User @key(fields: "id") { id: ID! }`,
      users: `type Query { user(id: ID!): User } type User @key(fields: "id") { id: ID! firstName: String! cipStatus: String }`,
      'links-x': `type User @key(fields: "id") { id: ID! links: [Link!]! } type Link @key(fields: "id") { id: ID! status: String }`,
    },
    resolvers: {
      Query: {
        operations: (_s, { first }) =>
          Array.from({ length: first }, (_x, i) => ({ id: String(i), amount: '1.00', user: users[i % 2] })),
        user: (_s, { id }) => users.find((u) => u.id === id),
      },
      User: { links: (user) => links.filter((link) => (user.linkIds as string[]).includes(link.id)) },
    },
    references: { User: ({ id }) => users.find((u) => u.id === id) ?? null },
  });
  test('design query', async () => {
    const q = '{ operations(first: 4) { id amount u: user { links { id status } firstName cipStatus } } }';
    for (let i = 0; i < 5; i++) {
      const result = await graph.engine.execute({ query: q }, testContext());
      expect(JSON.stringify(result)).toBe(JSON.stringify(await graph.runMonolith(q)));
    }
    expect(graph.fetches.slice(-3).map((f) => f.subgraph)).toEqual(['ops', 'users', 'links-x']);
  });
  test('introspection', async () => {
    const q =
      '{ a: __typename __type(name: "Link") { n: name fields { name } } user(id: 2) { ...F } } fragment F on User { __typename id firstName links { id } }';
    expect(await graph.engine.execute({ query: q }, testContext())).toEqual(await graph.runMonolith(q));
  });
});
