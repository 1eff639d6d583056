import { describe, expect, test } from '@jest/globals';
import { buildEngine } from './engine.ts';
import { planBy } from './testing/fixed-plan.ts';
import { createTestGraph, testContext } from './testing/graph.ts';

const users = [
  { __typename: 'User', id: '1', name: 'Ada' },
  { __typename: 'User', id: '2', name: 'Bob' },
];

function createGraph() {
  return createTestGraph({
    subgraphs: {
      'users-1': `
        type Query { user(id: ID!): User users(filter: Filter): [User!]! echo(value: JSON, kind: Kind): JSON }
        type Subscription { tick: Int }
        type User @key(fields: "id") { id: ID! name: String }
        input Filter { kind: Kind = A ids: [ID!] }
        enum Kind { A B }
        scalar JSON`,
      Other: 'type User @key(fields: "id") { id: ID! score: Int }',
    },
    resolvers: {
      Query: {
        user: (_s, { id }) => users.find((user) => user.id === id),
        users: (_s, { filter }) => users.filter(({ id }) => filter?.ids?.includes(id) ?? true),
        echo: (_s, { value, kind }) => ({ value, kind }),
      },
    },
    references: { User: ({ id }) => users.find((user) => user.id === id) ?? null },
  });
}

describe('requests', () => {
  const graph = createGraph();
  const codes = async (request: Parameters<typeof graph.engine.execute>[0]) => {
    const result = await graph.engine.execute(request, testContext());
    expect(result.data).toBeUndefined();
    return result.errors?.map((error) => error.extensions.code);
  };

  test.each([
    ['a document that does not parse', { query: '{ user(' }, 'GRAPHQL_PARSE_FAILED'],
    ['an empty document', { query: '' }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nobody }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['federation machinery', { query: '{ _service { sdl } }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['a wrong literal', { query: '{ user(id: {}) { id } }' }, 'BAD_USER_INPUT'],
    [
      'a variable named __proto__',
      { query: 'query($__proto__: ID!) { user(id: $__proto__) { id } }' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'two operations without a name',
      { query: 'query A { user(id: 1) { id } } query B { users { id } }' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'an unknown operation name',
      { query: '{ users { id } }', operationName: 'X' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['a missing variable', { query: 'query($id: ID!) { user(id: $id) { id } }' }, 'BAD_USER_INPUT'],
    [
      'a wrong variable',
      { query: 'query($f: Filter) { users(filter: $f) { id } }', variables: { f: { kind: 'C' } } },
      'BAD_USER_INPUT',
    ],
    [
      'a null condition',
      { query: 'query($a: Boolean = true) { users { id @skip(if: $a) name } }', variables: { a: null } },
      'BAD_USER_INPUT',
    ],
    ['a subscription', { query: 'subscription { tick }' }, 'UNSUPPORTED_OPERATION'],
  ])('%s', async (_name, request, code) => {
    expect(await codes(request)).toEqual([code]);
    expect(await codes(request)).toEqual([code]);
  });

  test('picks the named operation', async () => {
    const query = 'query A { user(id: 1) { id } } query B { users { name } }';
    const run = (operationName: string) => graph.engine.execute({ query, operationName }, testContext());
    expect((await run('A')).data).toEqual({ user: { id: '1' } });
    expect((await run('B')).data).toEqual({ users: [{ name: 'Ada' }, { name: 'Bob' }] });
  });

  test('variables reach subgraphs as the client wrote them', async () => {
    const query =
      'query($v: JSON, $k: Kind = B, $ids: [ID!]) { echo(value: $v, kind: $k) users(filter: { ids: $ids }) { id } }';
    const variables = { v: { a: [1, '2', null] }, ids: '2', stranger: true };
    graph.fetches.length = 0;
    const result = await graph.engine.execute({ query, variables }, testContext());
    expect(result).toEqual({ data: { echo: { value: variables.v, kind: 'B' }, users: [{ id: '2' }] } });
    expect(graph.fetches[0]?.variables).toEqual({ v: variables.v, ids: '2' });
  });

  test('a document is planned once, even if it runs twice at the same time', async () => {
    let plans = 0;
    const engine = buildEngine({
      supergraphSdl: graph.supergraphSdl,
      transports: { 'users-1': fails, Other: fails },
      onInternalError: () => undefined,
      exposeInternalErrors: true,
      operationCacheSize: 1,
      planner: planBy((operation) => {
        plans += 1;
        return { kind: 'Fetch', serviceName: 'users-1', operation };
      }),
    });
    const run = (query: string) => engine.execute({ query }, testContext());
    await Promise.all([run('{ users { id } }'), run('{ users { id } }')]);
    await run('{ users { id } }');
    expect(plans).toBe(1);
    await run('{ users { name } }');
    await run('{ users { id } }');
    expect(plans).toBe(3);
  });

  test('a failure of the planner is an internal error, and the next request plans again', async () => {
    const reported: unknown[] = [];
    const engine = buildEngine({
      supergraphSdl: graph.supergraphSdl,
      transports: { 'users-1': fails, Other: fails },
      onInternalError: (error) => reported.push(error),
      exposeInternalErrors: false,
      planner: planBy(() => Promise.reject(new Error('no plan'))),
    });
    for (const attempt of [1, 2]) {
      const { errors } = await engine.execute({ query: '{ users { id } }' }, testContext());
      expect(errors?.[0]?.toJSON()).toEqual({
        message: 'Internal server error',
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'request-1' },
      });
      expect(reported).toHaveLength(attempt);
    }
  });

  test('a subgraph without a transport is an error when the engine is built', () => {
    expect(() =>
      buildEngine({
        supergraphSdl: graph.supergraphSdl,
        transports: { Other: fails },
        onInternalError: () => undefined,
        exposeInternalErrors: true,
      }),
    ).toThrow('There is no transport for the subgraph "users-1".');
  });
});

const fails = {
  execute: () => Promise.reject(new Error('down')),
  subscribe: () => Promise.reject(new Error('down')),
};

describe('trusted documents', () => {
  const graph = createTestGraph({
    subgraphs: {
      a: `type Query { nodes: [Node] state: State secret: String @inaccessible item: Item }
        interface Node { id: ID! } type Open implements Node { id: ID! } type Hidden implements Node @inaccessible { id: ID! }
        enum State { UP OFF @inaccessible } type Item { id: ID! @inaccessible name: String }`,
    },
    resolvers: {
      Query: {
        nodes: () => [
          { __typename: 'Open', id: '1' },
          { __typename: 'Hidden', id: '2' },
        ],
        state: () => 'OFF',
        secret: () => 'psst',
        item: () => ({ id: '1' }),
      },
    },
  });

  test('may select everything', async () => {
    const trusted = graph.engine.prepareTrusted('{ secret state item { id } nodes { __typename } }');
    await trusted.ready;
    expect(await graph.engine.executeTrusted(trusted, null, testContext())).toEqual({
      data: {
        secret: 'psst',
        state: 'OFF',
        item: { id: '1' },
        nodes: [{ __typename: 'Open' }, { __typename: 'Hidden' }],
      },
    });
  });

  test('that are invalid fail when they are prepared and when they run', async () => {
    const trusted = graph.engine.prepareTrusted('{ nothing }');
    await expect(trusted.ready).rejects.toThrow('Cannot query field "nothing"');
    await expect(graph.engine.executeTrusted(trusted, null, testContext())).rejects.toThrow('nothing');
  });
});
