import { describe, expect, test } from '@jest/globals';
import { comparable } from './executor/testing/compare.ts';
import { createTestGraph, testContext } from './executor/testing/graph.ts';

describe('hidden parts', () => {
  const graph = createTestGraph({
    subgraphs: {
      a: `type Query { nodes: [Node] node: Node! any: [Any!] state: State states: [State!] secret: String @inaccessible item: Item }
        interface Node { id: ID! } type Open implements Node { id: ID! } type Hidden implements Node @inaccessible { id: ID! }
        union Any = Open | Hidden
        enum State { UP OFF @inaccessible }
        type Item @key(fields: "id") { id: ID! @inaccessible name: String }`,
      b: 'type Query { b: Int } type Item @key(fields: "id") { id: ID! @inaccessible more: String }',
    },
    resolvers: {
      Query: {
        nodes: () => [
          { __typename: 'Open', id: '1' },
          { __typename: 'Hidden', id: '2' },
        ],
        node: () => ({ __typename: 'Hidden', id: '2' }),
        any: () => [{ __typename: 'Hidden', id: '2' }],
        state: () => 'OFF',
        states: () => ['UP', 'OFF'],
        secret: () => 'psst',
        item: () => ({ id: '1', name: 'n' }),
      },
      Item: { more: ({ id }) => `more ${String(id)}` },
    },
    references: { Item: (ref) => ({ ...ref }) },
  });
  const run = (query: string) => graph.engine.execute({ query }, testContext());

  test('types that clients may not know are null, with an error', async () => {
    expect(comparable(await run('{ nodes { __typename id } }'))).toEqual({
      data: '{"nodes":[{"__typename":"Open","id":"1"},null]}',
      paths: ['["nodes",1]'],
    });
    expect(comparable(await run('{ nodes { id } }'))).toEqual({
      data: '{"nodes":[{"id":"1"},null]}',
      paths: ['["nodes",1]'],
    });
    expect(comparable(await run('{ node { id } }'))).toEqual({ data: 'null', paths: ['["node"]'] });
    expect(comparable(await run('{ any { __typename } }'))).toEqual({
      data: '{"any":null}',
      paths: ['["any",0]'],
    });
    expect(JSON.stringify(await run('{ nodes { id } }'))).not.toContain('Hidden');
  });

  test('enum values that clients may not know are null, with an error', async () => {
    const result = await run('{ state states }');
    expect(comparable(result)).toEqual({
      data: '{"state":null,"states":null}',
      paths: ['["state"]', '["states",1]'],
    });
    expect(JSON.stringify(result)).not.toContain('OFF');
  });

  test('fields cannot be asked for, yet serve as keys', async () => {
    expect((await run('{ secret }')).errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect((await run('{ item { id } }')).errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(comparable(await run('{ item { name more } }')).data).toBe(
      '{"item":{"name":"n","more":"more 1"}}',
    );
  });

  test('trusted documents may ask for everything', async () => {
    const trusted = graph.engine.prepareTrusted('{ secret state item { id more } nodes { __typename } }');
    await trusted.ready;
    expect(await graph.engine.executeTrusted(trusted, null, testContext())).toEqual({
      data: {
        secret: 'psst',
        state: 'OFF',
        item: { id: '1', more: 'more 1' },
        nodes: [{ __typename: 'Open' }, { __typename: 'Hidden' }],
      },
    });
  });

  test('a trusted document that is not valid says so at boot', async () => {
    const trusted = graph.engine.prepareTrusted('{ nothing }');
    await expect(trusted.ready).rejects.toThrow('Cannot query field "nothing"');
    await expect(graph.engine.executeTrusted(trusted, null, testContext())).rejects.toThrow('nothing');
  });
});
