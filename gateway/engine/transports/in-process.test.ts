import { buildSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, test } from '@jest/globals';
import { GraphQLError, parse } from 'graphql';
import type { EngineContext } from '../context.ts';
import { createInProcessTransport, type InProcessOptions } from './in-process.ts';
import type { SubgraphFetch } from './transport.ts';

const context = (): EngineContext => ({ requestId: 'r' });

function fetchOf(document: string): SubgraphFetch {
  return { subgraph: 's', document, operationKind: 'query', operationName: null };
}

function createSchema() {
  const shared = Object.freeze({ id: 'frozen', name: 'Frozen' });
  const known = { __typename: 'Book', id: 'known', title: 'Known' };
  const schema = buildSubgraphSchema([
    {
      typeDefs: parse(`
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
      input Range { from: Int! = 1 to: Int = 9 }
      type Query { span(range: Range): Int a: Int context: Int fail: Int! items: [Int] grid: [[Int]] }
      type User @key(fields: "id") { id: ID! name: String }
      type Plain @key(fields: "id") { id: ID! }
      interface Media @key(fields: "id") { id: ID! title: String }
      type Book implements Media @key(fields: "id") { id: ID! title: String pages: Int }`),
      resolvers: {
        Query: {
          a: () => 1,
          span: (_s: unknown, { range }: { range: { from: number; to: number } }) => range.to - range.from,
          context: (_s: unknown, _a: unknown, value: { n: number }) => value.n,
          items: async () => [Promise.reject(new Error('bad')), 2, Promise.resolve(3)],
          grid: () => [[1, Promise.reject(new Error('bad'))], null, [Promise.resolve(2)]],
          fail: () => {
            throw new GraphQLError('no', { extensions: { code: 'NO' } });
          },
        },
        User: {
          __resolveReference({ id }: { id: string }) {
            switch (id) {
              case 'frozen':
                return shared;
              case 'later':
                return Promise.resolve({ id, name: 'Later' });
              case 'none':
                return null;
              case 'throws':
                throw new GraphQLError('boom', { extensions: { code: 'BOOM' } });
              case 'rejects':
                return Promise.reject(new GraphQLError('bang', { extensions: { code: 'BANG' } }));
              default:
                return { id, name: id.toUpperCase() };
            }
          },
        },
        Media: { __resolveReference: () => known },
      },
    },
  ]);
  return { schema, shared, known };
}

// The first of them interprets, the second compiles at once.
describe.each<InProcessOptions>([{ runsBeforeCompiling: 100 }, { runsBeforeCompiling: 0 }])(
  '%j',
  (options) => {
    const { schema, shared, known } = createSchema();
    const transport = createInProcessTransport(schema, options);
    const run = async (document: string, variables = {}) =>
      JSON.parse(JSON.stringify(await transport.execute(fetchOf(document), variables, context())));

    test('entities by references of several types', async () => {
      const ids = ['x', 'frozen', 'later', 'none', 'x'];
      const representations = [
        ...ids.map((id) => ({ __typename: 'User', id })),
        { __typename: 'Plain', id: 'p' },
      ];
      const result = await run(
        'query($r: [_Any!]!) { _entities(representations: $r) { __typename ... on User { id name } ... on Plain { id } } }',
        { r: representations },
      );
      expect(result).toEqual({
        data: {
          _entities: [
            { __typename: 'User', id: 'x', name: 'X' },
            { __typename: 'User', id: 'frozen', name: 'Frozen' },
            { __typename: 'User', id: 'later', name: 'Later' },
            null,
            { __typename: 'User', id: 'x', name: 'X' },
            { __typename: 'Plain', id: 'p' },
          ],
        },
      });
      expect(Object.keys(shared)).toEqual(['id', 'name']);
    });

    test.each([
      [{ range: {} }, 8],
      [{ range: { to: 3 } }, 2],
      [{ range: { from: 5 } }, 4],
    ])('fields of input objects have their defaults: %j', async (variables, span) => {
      const document = 'query($range: Range) { span(range: $range) }';
      expect(await run(document, variables)).toEqual({ data: { span } });
    });

    test('a failing reference does not affect the others', async () => {
      const result = await run(
        'query($r: [_Any!]!) { _entities(representations: $r) { ... on User { name } } }',
        {
          r: ['rejects', 'x'].map((id) => ({ __typename: 'User', id })),
        },
      );
      expect(result.data).toEqual({ _entities: [null, { name: 'X' }] });
      expect(result.errors).toMatchObject([
        { message: 'bang', path: ['_entities', 0], extensions: { code: 'BANG' } },
      ]);
    });

    test('a throwing reference does not affect the others', async () => {
      const result = await run(
        'query($r: [_Any!]!) { _entities(representations: $r) { ... on User { name } } }',
        {
          r: ['throws', 'x'].map((id) => ({ __typename: 'User', id })),
        },
      );
      expect(result.data).toEqual({ _entities: [null, { name: 'X' }] });
      expect(result.errors).toMatchObject([
        { message: 'boom', path: ['_entities', 0], extensions: { code: 'BOOM' } },
      ]);
    });

    test('a list item whose promise rejects is null in its place', async () => {
      const result = await run('{ items grid }');
      expect(result.data).toEqual({ items: [null, 2, 3], grid: [[1, null], null, [2]] });
      expect(result.errors.map((error: GraphQLError) => error.path).sort()).toEqual([
        ['grid', 0, 1],
        ['items', 0],
      ]);
    });

    test('references to an interface', async () => {
      const query =
        'query($r: [_Any!]!) { _entities(representations: $r) { ... on Media { __typename title } } }';
      const r = [{ __typename: 'Media', id: '1' }];
      expect(await run(query, { r })).toEqual({
        data: { _entities: [{ __typename: 'Book', title: 'Known' }] },
      });
      expect(known.__typename).toBe('Book');
    });

    test('an unknown type is an error', async () => {
      const query = 'query($r: [_Any!]!) { _entities(representations: $r) { __typename } }';
      const result = await run(query, { r: [{ __typename: 'Nothing', id: '1' }] });
      expect(result.errors[0].message).toContain('"Nothing"');
    });

    test('errors keep their code', async () => {
      expect(await run('{ fail }')).toMatchObject({
        data: null,
        errors: [{ path: ['fail'], extensions: { code: 'NO' } }],
      });
    });

    test('a fragment spread under different conditions', async () => {
      const query = `query($a: Boolean!, $r: [_Any!]!) { _entities(representations: $r) { ... on User @skip(if: $a) { ...F } ... on User @include(if: $a) { ...F } } }
      fragment F on User { id name }`;
      for (const a of [true, false, true]) {
        const result = await run(query, { a, r: [{ __typename: 'User', id: 'x' }] });
        expect(result).toEqual({ data: { _entities: [{ id: 'x', name: 'X' }] } });
      }
    });
  },
);

describe('contexts and documents', () => {
  test('the subgraph has one context per client request', async () => {
    let made = 0;
    const transport = createInProcessTransport(createSchema().schema, {
      createContext: () => {
        made += 1;
        return { n: made };
      },
    });
    const request = context();
    const run = async (from: EngineContext) =>
      (await transport.execute(fetchOf('{ context }'), {}, from)).data;
    expect([await run(request), await run(request), await run(context())]).toEqual([
      { context: 1 },
      { context: 1 },
      { context: 2 },
    ]);
  });

  test('a document that does not compile is reported as the subgraph’s error', async () => {
    const transport = createInProcessTransport(createSchema().schema, { runsBeforeCompiling: 0 });
    const document = 'query($r: Unknown!) { a }';
    const result = await transport.execute(fetchOf(document), {}, context());
    expect(result.errors?.length).toBeGreaterThan(0);
  });
});
