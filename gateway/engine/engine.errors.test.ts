import { describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { comparable } from './executor/testing/compare.ts';
import { createTestGraph, type TestGraph, testContext } from './executor/testing/graph.ts';

describe('error reports', () => {
  interface Options {
    readonly exposeInternalErrors?: boolean;
    readonly fail?: () => never;
  }
  const createGraph = ({ exposeInternalErrors = false, fail }: Options = {}) =>
    createTestGraph({
      subgraphs: {
        a: 'type Query { items: [Item!] first: Item second: Int! } type Item @key(fields: "id") { id: ID! name: String }',
        b: 'type Query { b: String c: String! } type Item @key(fields: "id") { id: ID! secret: String coded: String needed: Int! }',
      },
      resolvers: {
        Query: {
          items: () => ['1', '2', '1'].map((id) => ({ id })),
          first: () => ({ id: '1' }),
          second: () => 2,
          b: () => {
            throw new Error('password=hunter2');
          },
          c: () => 'c',
        },
        Item: {
          name: ({ id }) => `n${String(id)}`,
          secret: ({ id }) => {
            throw Object.assign(new Error(`secret ${String(id)}`), { extensions: { stacktrace: ['x'] } });
          },
          coded: ({ id }) => {
            throw new GraphQLError(`coded ${String(id)}`, {
              extensions: { code: 'LIMIT', limit: 3, stacktrace: ['x'] },
            });
          },
          needed: ({ id }) => (id === '2' ? null : 1),
        },
      },
      references: { Item: (ref) => ({ ...ref }) },
      engine: { exposeInternalErrors },
      decorate: (transport, subgraph) =>
        fail !== undefined && subgraph === 'b' ? { ...transport, execute: fail } : transport,
    });
  const json = async (graph: TestGraph, query: string) =>
    JSON.parse(JSON.stringify(await graph.engine.execute({ query }, testContext({ requestId: 'r-9' }))));

  test('messages of unexpected errors are masked, and reported', async () => {
    const graph = createGraph();
    expect(await json(graph, '{ x: b }')).toEqual({
      data: { x: null },
      errors: [
        {
          message: 'Internal server error',
          path: ['x'],
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'r-9', serviceName: 'b' },
        },
      ],
    });
    expect(graph.internalErrors).toEqual([new Error('password=hunter2')]);
  });

  test('and shown when asked for', async () => {
    const result = await json(createGraph({ exposeInternalErrors: true }), '{ b }');
    expect(result.errors).toEqual([
      {
        message: 'password=hunter2',
        path: ['b'],
        extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', serviceName: 'b' },
      },
    ]);
  });

  test('codes set on purpose survive, at every place of the entity, in client keys', async () => {
    const graph = createGraph();
    const result = await json(graph, '{ list: items { id: name x: coded } name: first { id coded } }');
    expect(result.errors.map((error: GraphQLError) => error.path).sort()).toEqual([
      ['list', 0, 'x'],
      ['list', 1, 'x'],
      ['list', 2, 'x'],
      ['name', 'coded'],
    ]);
    expect(result.errors[0].extensions).toEqual({ code: 'LIMIT', limit: 3, serviceName: 'b' });
    expect(result.data.list[0]).toEqual({ id: 'n1', x: null });
    expect(graph.internalErrors).toEqual([]);
  });

  test('an unreachable subgraph nulls what it owns, with one error for its entities', async () => {
    const graph = createGraph({
      fail: () => {
        throw new Error('ECONNREFUSED 10.0.0.1');
      },
    });
    const result = await json(graph, '{ items { name needed secret } }');
    expect(result).toEqual({
      data: { items: null },
      errors: [
        {
          message: 'Internal server error',
          path: ['items'],
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'r-9', serviceName: 'b' },
        },
      ],
    });
    expect(await json(graph, '{ first { name secret } b }')).toMatchObject({
      data: { first: { name: 'n1', secret: null }, b: null },
      errors: expect.arrayContaining([
        expect.objectContaining({ path: ['first'] }),
        expect.objectContaining({ path: ['b'] }),
      ]),
    });
  });

  test('an unreachable subgraph of root fields', async () => {
    const graph = createGraph({
      fail: () => {
        throw new GraphQLError('no time left', { extensions: { code: 'SUBGRAPH_TIMEOUT' } });
      },
    });
    const result = await json(graph, '{ c x: b second }');
    expect(result.data).toBeNull();
    expect(result.errors).toEqual(
      [['c'], ['x']].map((path) => ({
        message: 'no time left',
        path,
        extensions: { code: 'SUBGRAPH_TIMEOUT', serviceName: 'b' },
      })),
    );
  });

  test('an aborted request makes no further fetch', async () => {
    const graph = createGraph();
    const controller = new AbortController();
    controller.abort(new GraphQLError('gone', { extensions: { code: 'CLIENT_CLOSED' } }));
    const result = await graph.engine.execute(
      { query: '{ second }' },
      testContext({ signal: controller.signal }),
    );
    expect(comparable(result)).toEqual({ data: 'null', paths: ['["second"]'] });
    expect(graph.fetches).toEqual([]);
  });
});
