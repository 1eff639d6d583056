import { describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import type { EngineOptions } from './engine.ts';
import { resultText, WrittenResult } from './executor/written-result.ts';
import type { EngineHooks } from './hooks.ts';
import { DEFAULT_LIMITS } from './limits/document-limits.ts';
import { createTestGraph, type TestContext, type TestGraph, testContext } from './testing/graph.ts';

/** Characters that JSON must escape, and others. */
const STRINGS = [
  '',
  'plain',
  '"quoted"',
  'back\\slash',
  'line\nreturn\rtab\tnull\u0000unit\u001f',
  'delete\u007fnext\u0085line\u2028paragraph\u2029',
  'é ü 漢字 😀',
  'high \ud83d',
  '\ude00 low',
  '</script>',
];
const NUMBERS = [0, -0, 0.1, -5.25, 1e21, 1e-7, Number.MAX_SAFE_INTEGER];
const NOTE = { text: '"\n', list: [1, null, { deep: true }], when: new Date(0), left: undefined };

function createGraph(engine: Partial<EngineOptions<TestContext>> = {}): TestGraph {
  return createTestGraph({
    engine,
    subgraphs: {
      things: `
        scalar JSON
        scalar Time
        enum Size { SMALL LARGE }
        interface Named { name: String }
        union Found = Thing | Other
        type Query { thing: Thing! things(count: Int!): [Thing!]! named: [Named!]! found: [Found] strings: [String] nothing: Thing }
        type Thing implements Named @key(fields: "id") {
          id: ID! name: String strings: [String!]! numbers: [Float!]! isLarge: Boolean! size: Size! note: JSON at: Time
          empty: [Thing!]! grid: [[Int]]! forbidden: String!
        }
        type Other implements Named { name: String count: Int! }`,
    },
    resolvers: {
      Query: {
        thing: () => ({ id: '1' }),
        things: (_source, { count }) =>
          Array.from({ length: Number(count) }, (_, id) => ({ id: String(id) })),
        named: () => [
          { __typename: 'Thing', id: '1' },
          { __typename: 'Other', name: 'o', count: 2 },
        ],
        found: () => [{ __typename: 'Other', name: null, count: 3 }, null, { __typename: 'Thing', id: '4' }],
        strings: () => ['a', null, '"'],
        nothing: () => null,
      },
      Thing: {
        name: () => 'name "1"',
        strings: () => STRINGS,
        numbers: () => NUMBERS,
        isLarge: () => true,
        size: () => 'LARGE',
        note: () => NOTE,
        at: () => new Date(0),
        empty: () => [],
        grid: () => [[1, null], [], [2]],
        forbidden: () => null,
      },
    },
  });
}

function run(
  { engine }: TestGraph,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<ExecutionResult> {
  return engine.execute({ query, variables }, testContext());
}

const ALL =
  'id name strings numbers isLarge size note at empty { id } grid kind: __typename __proto__: name nothing: note';

describe('an answer written as text', () => {
  test.each([
    ['all kinds of values', `{ thing { ${ALL} } strings nothing { id } __typename }`, {}],
    ['lists of objects', `{ things(count: 20) { ${ALL} } }`, {}],
    ['an empty list', '{ things(count: 0) { id } }', {}],
    ['an interface', '{ named { name ... on Thing { id size } ... on Other { count } } }', {}],
    ['objects of a type without fields', '{ found { ... on Thing { id } } }', {}],
    ['a union', '{ found { __typename ... on Thing { id } ... on Other { name count } } }', {}],
    [
      'fields that variables exclude',
      'query ($a: Boolean!, $b: Boolean!) { thing { id @include(if: $a) name @skip(if: $a) size @include(if: $b) } }',
      { a: false, b: true },
    ],
    [
      'no fields at all',
      'query ($a: Boolean!) { thing { id @include(if: $a) name @include(if: $a) } }',
      { a: false },
    ],
  ])('is the JSON of the result that graphql-js makes: %s', async (_name, query, variables) => {
    const graph = createGraph();
    const result = await run(graph, query, variables);
    const expected = JSON.stringify(await graph.runMonolith(query, variables));
    expect(result).toBeInstanceOf(WrittenResult);
    expect(resultText(result)).toBe(expected);
    expect(JSON.stringify(result)).toBe(expected);
  });

  test('follows the variables of each request, not those of an earlier one', async () => {
    const graph = createGraph();
    const query = 'query ($a: Boolean!) { thing { id @include(if: $a) name @skip(if: $a) size } }';
    const texts: string[] = [];
    for (const a of [true, false, true]) {
      texts.push(resultText(await run(graph, query, { a })));
    }
    const [withId, withName] = ['"id":"1","size":"LARGE"', '"name":"name \\"1\\"","size":"LARGE"'];
    expect(texts).toEqual([withId, withName, withId].map((fields) => `{"data":{"thing":{${fields}}}}`));
  });

  test('stays the same for more combinations of conditions than an operation keeps', async () => {
    const graph = createGraph();
    const names = ['a', 'b', 'c', 'd'];
    const declared = names.map((name) => `$${name}: Boolean!`).join(' ');
    const query = `query (${declared}) { thing { ${names.map((name) => `${name}: id @include(if: $${name})`).join(' ')} } }`;
    for (let number = 0; number < 32; number++) {
      const variables = Object.fromEntries(names.map((name, bit) => [name, ((number >> bit) & 1) === 1]));
      const expected = JSON.stringify(await graph.runMonolith(query, variables));
      expect(resultText(await run(graph, query, variables))).toBe(expected);
    }
  });

  test('has keys in the order in which the variables select them', async () => {
    const graph = createGraph();
    const query = 'query ($a: Boolean!) { thing { id @include(if: $a) name id } }';
    for (const a of [true, false, true]) {
      const expected = JSON.stringify(await graph.runMonolith(query, { a }));
      expect(resultText(await run(graph, query, { a }))).toBe(expected);
    }
  });

  test('has the errors between the data and the cost', async () => {
    const graph = createGraph({ limits: { ...DEFAULT_LIMITS, cost: 50 } });
    const result = await run(graph, '{ nothing { id } thing { forbidden } }');
    expect(Object.keys(JSON.parse(resultText(result)))).toEqual(['data', 'errors', 'extensions']);
    expect(result.data).toBeNull();
    expect(result.errors).toHaveLength(1);
    expect(resultText(result)).toBe(JSON.stringify(result));
  });

  test('keeps the fields before a forbidden null and those after it', async () => {
    const graph = createGraph();
    const query =
      '{ strings thing2: nothing { id } things(count: 2) { id } named { ... on Thing { forbidden } } a: strings }';
    const { data, errors } = await run(graph, query);
    expect(data).toBeNull();
    expect(errors?.map(({ path }) => path)).toEqual([['named', 0, 'forbidden']]);
    const nullable = await run(graph, '{ strings found { ... on Thing { id forbidden } } a: strings }');
    const strings = ['a', null, '"'];
    expect(nullable.data).toEqual({ strings, found: [{}, null, null], a: strings });
    expect(nullable.errors?.map(({ path }) => path)).toEqual([['found', 2, 'forbidden']]);
  });

  test('is null with an error for a custom scalar that JSON cannot express', async () => {
    const graph = createTestGraph({
      subgraphs: {
        things: 'scalar Any type Query { big: Any symbol: Any none: Any fine: Any needed: Any! }',
      },
      resolvers: {
        Query: {
          big: () => 1n,
          symbol: () => Symbol('a'),
          none: () => () => 1,
          fine: () => ({ a: [new Date(0)] }),
          needed: () => new Date(Number.NaN),
        },
      },
    });
    const result = await run(graph, '{ big symbol none fine }');
    expect(result.data).toEqual({
      big: null,
      symbol: null,
      none: null,
      fine: { a: ['1970-01-01T00:00:00.000Z'] },
    });
    expect(result.errors?.map(({ message }) => message)).toEqual(
      ['big', 'symbol', 'none'].map((name) => `Any cannot represent the value that Query.${name} has.`),
    );
    const missing = await run(graph, '{ fine needed }');
    expect(missing.data).toBeNull();
    expect(missing.errors?.map(({ message }) => message)).toEqual([
      'Cannot return null for non-nullable field Query.needed.',
    ]);
  });

  test('is the same when it is long', async () => {
    const graph = createGraph();
    const query = 'query ($count: Int!) { things(count: $count) { id strings numbers } }';
    const long = await run(graph, query, { count: 2_000 });
    expect(resultText(long) === JSON.stringify(await graph.runMonolith(query, { count: 2_000 }))).toBe(true);
  });

  test('undoes more than one slice of text for a forbidden null', async () => {
    const graph = createGraph();
    const query = `{ strings found { ... on Thing { id ${Array.from({ length: 1_500 }, (_, index) => `s${index}: strings`).join(' ')} forbidden } } a: strings }`;
    const result = await run(graph, query);
    const strings = ['a', null, '"'];
    expect(result.data).toEqual({ strings, found: [{}, null, null], a: strings });
  });

  test('has at most as many bytes as it may, counted in UTF-8', async () => {
    const query = '{ thing { id strings } }';
    const bytes = Buffer.byteLength(JSON.stringify(await createGraph().runMonolith(query)));
    const most = await run(createGraph({ maxResponseBytes: bytes }), query);
    expect(most.errors).toBeUndefined();
    const less = await run(createGraph({ maxResponseBytes: bytes - 1 }), query);
    expect(less.errors?.[0]?.extensions.code).toBe('RESPONSE_TOO_LARGE');
  });

  test('has the cost after the data', async () => {
    const graph = createGraph({ limits: { ...DEFAULT_LIMITS, cost: 50 } });
    const result = await run(graph, '{ thing { id } }');
    expect(result).toBeInstanceOf(WrittenResult);
    const requested = (result.extensions as { cost: { requested: number } }).cost.requested;
    expect(resultText(result)).toBe(
      `{"data":{"thing":{"id":"1"}},"extensions":{"cost":{"requested":${requested},"limit":50}}}`,
    );
  });

  test('is replaced if a hook has changed the data', async () => {
    const hook: EngineHooks<TestContext> = {
      onOperation: async (_operation, context, next) => {
        const result = await next(context);
        Object.assign(result.data?.thing ?? {}, { id: 'changed' });
        return result;
      },
    };
    const result = await run(createGraph({ hooks: [hook] }), '{ thing { id } }');
    expect(result).toBeInstanceOf(WrittenResult);
    expect(resultText(result)).toBe('{"data":{"thing":{"id":"changed"}}}');
  });

  test.each<[string, (result: ExecutionResult) => unknown, string]>([
    ['other data', (result) => Object.assign(result, { data: { other: 1 } }), '{"data":{"other":1}}'],
    ['null', (result) => Object.assign(result, { data: null }), '{"data":null}'],
    ['no data', (result) => delete result.data, '{}'],
    [
      'errors',
      (result) => Object.assign(result, { errors: [{ message: 'late' }] }),
      '{"data":{"thing":{"id":"1"}},"errors":[{"message":"late"}]}',
    ],
    [
      'extensions',
      (result) => Object.assign(result, { extensions: { more: true } }),
      '{"data":{"thing":{"id":"1"}},"extensions":{"more":true}}',
    ],
  ])('gives way to %s that a hook sets', async (_what, change, text) => {
    const hook: EngineHooks<TestContext> = {
      onOperation: async (_operation, context, next) => {
        const result = await next(context);
        change(result);
        return result;
      },
    };
    expect(resultText(await run(createGraph({ hooks: [hook] }), '{ thing { id } }'))).toBe(text);
  });

  test('is also available as data for code that copies or reads the result', async () => {
    const result = await run(createGraph(), '{ thing { id } }');
    const copy = { ...result, extensions: { more: true } };
    expect(resultText(copy)).toBe('{"data":{"thing":{"id":"1"}},"extensions":{"more":true}}');
    expect(result.data).toBe(result.data);
    expect(Object.keys(result)).toEqual(['data']);
    expect(result).toEqual({ data: { thing: { id: '1' } } });
  });
});
