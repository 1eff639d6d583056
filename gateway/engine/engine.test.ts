import { describe, expect, test } from '@jest/globals';
import { GraphQLError, printSchema } from 'graphql';
import { createEngine } from './engine.ts';
import { comparable } from './executor/testing/compare.ts';
import { createTestGraph, testContext } from './executor/testing/graph.ts';

const users = [
  { __typename: 'User', id: '1', name: 'Ada' },
  { __typename: 'User', id: '2', name: 'Bob' },
];

function createGraph(log: string[] = []) {
  const later = async (entry: string) => {
    log.push(`start ${entry}`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`end ${entry}`);
  };
  return createTestGraph({
    subgraphs: {
      'users-1': `
        "Where reading starts."
        type Query { user(id: ID!): User users(filter: Filter): [User!]! echo(value: JSON, kind: Kind): JSON }
        type Mutation { add(n: Int!): User broken: Int }
        type Subscription { tick: Int }
        "A person." type User @key(fields: "id") { id: ID! name: String old: String @deprecated(reason: "gone") }
        input Filter { kind: Kind = A ids: [ID!] }
        enum Kind { A B }
        scalar JSON @specifiedBy(url: "https://json.org")`,
      Other: `
        type Mutation { touch(n: Int!): User }
        type User @key(fields: "id") { id: ID! score: Int }`,
    },
    resolvers: {
      Query: {
        user: (_s, { id }) => users.find((user) => user.id === id),
        users: (_s, { filter }) => users.filter(({ id }) => filter?.ids?.includes(id) ?? true),
        echo: (_s, { value, kind }) => ({ value, kind }),
      },
      Mutation: {
        add: async (_s, { n }) => {
          await later(`add ${n}`);
          return users[0];
        },
        touch: async (_s, { n }) => {
          await later(`touch ${n}`);
          return users[1];
        },
        broken: () => {
          throw new GraphQLError('broken', { extensions: { code: 'BROKEN' } });
        },
      },
      User: {
        score: async ({ id }) => {
          await later(`score ${String(id)}`);
          return Number(id);
        },
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
      'an operation name that is not there',
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

  test('one document is planned once, also when it is asked for twice at the same time', async () => {
    let plans = 0;
    const engine = createEngine({
      supergraphSdl: graph.supergraphSdl,
      transports: { 'users-1': fails, Other: fails },
      onInternalError: () => undefined,
      exposeInternalErrors: true,
      operationCacheSize: 1,
      planner: {
        plan: async (document) => {
          plans += 1;
          return { kind: 'Fetch', serviceName: 'users-1', operation: document };
        },
      },
    });
    const run = (query: string) => engine.execute({ query }, testContext());
    await Promise.all([run('{ users { id } }'), run('{ users { id } }')]);
    await run('{ users { id } }');
    expect(plans).toBe(1);
    await run('{ users { name } }');
    await run('{ users { id } }');
    expect(plans).toBe(3);
  });

  test('a planner that fails is an internal error, and is asked again', async () => {
    const reported: unknown[] = [];
    const engine = createEngine({
      supergraphSdl: graph.supergraphSdl,
      transports: { 'users-1': fails, Other: fails },
      onInternalError: (error) => reported.push(error),
      exposeInternalErrors: false,
      planner: { plan: () => Promise.reject(new Error('no plan')) },
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

  test('a subgraph without transport is refused at once', () => {
    expect(() =>
      createEngine({
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

describe('mutations', () => {
  test('each root field is complete before the next begins', async () => {
    const log: string[] = [];
    const graph = createGraph(log);
    const query =
      'mutation { a: add(n: 1) { score } b: touch(n: 2) { name score } c: add(n: 3) { id } d: add(n: 4) { score } }';
    const result = await graph.engine.execute({ query }, testContext());
    expect(JSON.stringify(result.data)).toBe(
      '{"a":{"score":1},"b":{"name":"Bob","score":2},"c":{"id":"1"},"d":{"score":1}}',
    );
    const steps = ['add 1', 'score 1', 'touch 2', 'score 2', 'add 3', 'add 4', 'score 1'];
    expect(log).toEqual(steps.flatMap((step) => [`start ${step}`, `end ${step}`]));
  });

  test('a failed one does not stop those after it', async () => {
    const graph = createGraph();
    const result = await graph.engine.execute(
      { query: 'mutation { broken add(n: 1) { id } }' },
      testContext(),
    );
    expect(comparable(result)).toEqual({ data: '{"broken":null,"add":{"id":"1"}}', paths: ['["broken"]'] });
  });

  test('merged and conditional root fields', async () => {
    const graph = createGraph();
    const query = `mutation($a: Boolean!) { ...F add(n: 1) { name } ... @include(if: $a) { x: touch(n: 1) { id } } }
      fragment F on Mutation { add(n: 1) { id } y: touch(n: 2) @skip(if: $a) { score } }`;
    for (const [a, data] of [
      [true, '{"add":{"id":"1","name":"Ada"},"x":{"id":"2"}}'],
      [false, '{"add":{"id":"1","name":"Ada"},"y":{"score":2}}'],
    ] as const) {
      const result = await graph.engine.execute({ query, variables: { a } }, testContext());
      expect(comparable(result)).toEqual({ data, paths: [] });
    }
  });
});

describe('introspection', () => {
  const graph = createGraph();

  test('shows the public schema with its descriptions, and nothing of federation', () => {
    const sdl = printSchema(graph.engine.publicSchema);
    expect(sdl).toContain('"""Where reading starts."""\ntype Query {');
    expect(sdl).toContain('old: String @deprecated(reason: "gone")');
    expect(sdl).toContain('scalar JSON @specifiedBy(url: "https://json.org")');
    expect(sdl).toContain('kind: Kind = A');
    expect(sdl).not.toMatch(/join__|link__|_Entity|_Any|@key|@inaccessible/);
  });

  test('mixes with other fields, in the order of the request', async () => {
    const query = `query($t: String = "User", $on: Boolean!) {
      users { __typename } s: __schema @include(if: $on) { queryType { n: name } }
      ...T user(id: 1) { name } __typename
    }
    fragment T on Query { t: __type(name: $t) { ...D kind } none: __type(name: "Nobody") { name } }
    fragment D on __Type { name description fields(includeDeprecated: true) { toString: name } }`;
    for (const on of [true, false, true, true]) {
      const result = await graph.engine.execute({ query, variables: { on } }, testContext());
      expect(comparable(result)).toEqual(comparable(await graph.runMonolith(query, { on })));
      expect(Object.keys(result.data ?? {})).toEqual([
        'users',
        ...(on ? ['s'] : []),
        't',
        'none',
        'user',
        '__typename',
      ]);
    }
  });

  test('alone asks no subgraph', async () => {
    graph.fetches.length = 0;
    const result = await graph.engine.execute({ query: '{ __schema { types { name } } }' }, testContext());
    expect(result.errors).toBeUndefined();
    expect(graph.fetches).toEqual([]);
  });
});
