import { expect, test } from '@jest/globals';
import { bytesOf } from './response.ts';
import { createTestGraph, testContext } from './testing/graph.ts';

const TEXTS = [
  '',
  'plain',
  'quote " and \\ backslash',
  'line\nbreak\u0000\u001f\u007f',
  'é ñ ÿ Ā ߿',
  '漢字 ࠀ',
  'emoji 😀',
  'lone \ud800 surrogate',
];
const NUMBERS = [0, -0, 1.5, 1e21, -7];
const SDL = `
  scalar Any
  type Query { thing: Thing things(count: Int!): [Thing!]! nothing: Thing shape(kind: String): Shape grid: [[Int]] broken: Thing }
  type Thing {
    text(of: Int! = 1): String! number(of: Int! = 0): Float flag: Boolean! size: Size any: Any texts: [String] self: Thing
    never: String!
  }
  enum Size { SMALL LARGE }
  interface Shape { name: String! }
  type Circle implements Shape { name: String! radius: Float! }
  type Square implements Shape { name: String! side: Int }`;

const graph = createTestGraph({
  subgraphs: { only: SDL },
  resolvers: {
    Query: {
      thing: () => ({}),
      things: (_source, { count }) => Array.from({ length: count }, () => ({})),
      nothing: () => null,
      grid: () => [[1, null], [], [2]],
      shape: (_source, { kind }) => ({ __typename: kind, name: kind, radius: 0.5, side: null }),
      broken: () => ({}),
    },
    Thing: {
      text: (_source, { of }) => TEXTS[of],
      number: (_source, { of }) => NUMBERS[of],
      flag: () => true,
      size: () => 'LARGE',
      any: () => ({ at: new Date(0), list: [1, 'two', null, undefined], deep: { é: '"' } }),
      texts: () => ['a', null, 'ü'],
      self: () => ({}),
      never: () => null,
    },
  },
});

async function runs(query: string, variables: Record<string, unknown> = {}) {
  const results = [];
  // Interpreted at first, compiled after that.
  for (let turn = 0; turn < 5; turn += 1) {
    results.push(await graph.engine.execute({ query, variables }, testContext()));
  }
  return results;
}

const QUERIES: Readonly<Record<string, readonly [string, Record<string, unknown>?]>> = {
  texts: [`{ thing { ${TEXTS.map((_, of) => `t${of}: text(of: ${of})`).join(' ')} } }`],
  numbers: [`{ thing { ${NUMBERS.map((_, of) => `n${of}: number(of: ${of})`).join(' ')} } }`],
  'other leaves': ['{ thing { flag size texts any } grid }'],
  nulls: ['{ nothing { text } thing { n: number } }'],
  'empty lists': ['{ things(count: 0) { text } }'],
  'names of types': ['{ __typename thing { __typename self { kind: __typename } } }'],
  'abstract types': [
    `{ a: shape(kind: "Circle") { ...S } b: shape(kind: "Square") { ...S } }
     fragment S on Shape { __typename name ... on Circle { radius } ... on Square { side } }`,
  ],
  'a first field left out': [
    'query ($no: Boolean!) { thing { a: flag @include(if: $no) b: flag @skip(if: $no) c: flag } }',
    { no: false },
  ],
  'a first field kept': [
    'query ($no: Boolean!) { thing { a: flag @skip(if: $no) b: flag @include(if: $no) c: flag } }',
    { no: false },
  ],
  'every field left out': ['query ($no: Boolean!) { thing { a: flag @include(if: $no) } }', { no: false }],
  'a key that is no name of a field': ['{ thing { __proto__: text constructor: flag } }'],
  'more than fits at first': ['{ things(count: 9000) { text(of: 2) any self { texts } } }'],
};

test.each(Object.entries(QUERIES))(
  'what is written is what would be: %s',
  async (_name, [query, variables]) => {
    for (const result of await runs(query, variables)) {
      expect(result.errors).toBeUndefined();
      expect(bytesOf(result).toString()).toBe(JSON.stringify(result));
    }
  },
);

test('faults are found in compiled runs too', async () => {
  for (const result of await runs('{ broken { never } thing { text } }')) {
    expect(result).toMatchObject({ data: { broken: null }, errors: [{ path: ['broken', 'never'] }] });
    expect(bytesOf(result).toString()).toBe(JSON.stringify(result));
  }
});

test('a copy of a result with something changed is written as it is', async () => {
  const result = (await runs('{ thing { text } }')).at(-1) ?? {};
  const copy = { ...result, extensions: { traceId: 'x' } };
  expect(bytesOf(copy).toString()).toBe('{"data":{"thing":{"text":"plain"}},"extensions":{"traceId":"x"}}');
});

test('answers are not written over by later ones', async () => {
  const [first, second] = await Promise.all([runs('{ thing { text } }'), runs('{ thing { flag } }')]);
  expect(bytesOf(first.at(-1) ?? {}).toString()).toBe('{"data":{"thing":{"text":"plain"}}}');
  expect(bytesOf(second.at(-1) ?? {}).toString()).toBe('{"data":{"thing":{"flag":true}}}');
});
