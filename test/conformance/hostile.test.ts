import { describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../gateway/engine/index.ts';
import { createTestGraph, planBy, testContext } from '../../gateway/engine/testing/index.ts';

const subgraphs = {
  a: 'type Query { user(id: ID): User users: [User] } type User @key(fields: "id") { id: ID! name: String friend: User }',
  b: 'type User @key(fields: "id") { id: ID! tier: Int }',
};
const user = { id: '1', name: 'Ada' };
const resolvers = {
  Query: { user: () => user, users: () => [user] },
  User: { friend: () => user, tier: () => 1 },
};

function createGraph(engine: Parameters<typeof createTestGraph>[0]['engine'] = {}) {
  return createTestGraph({ subgraphs, resolvers, references: { User: () => user }, engine });
}

const MEGABYTE = 1_000_000;
const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join(' ');
const nested = (levels: number) => `{ user { ${'friend { '.repeat(levels)} id ${'} '.repeat(levels)} } }`;
/** Each fragment spreads the next one twice: short to write, without end to expand. */
const bomb = `{ user { ...F0 } } ${times(30, (i) => `fragment F${i} on User { a: friend { ...F${i + 1} } b: friend { ...F${i + 1} } }`)} fragment F30 on User { id }`;
/** The same without fields between: each level only spreads the next one twice, with or without a condition. */
const spreads = (levels: number, condition = '') =>
  `{ user { ...F0 } } ${times(levels, (i) => `fragment F${i} on User { ...F${i + 1} ${condition} ...F${i + 1} ${condition} }`)} fragment F${levels} on User { id }`;
/** Every level spreads the next one under one variable and under another: combinations double, selections are few. */
const combinations = (levels: number) =>
  `query(${times(levels, (i) => `$a${i}: Boolean! $b${i}: Boolean!`)}) { user { ...F0 } } ${times(
    levels,
    (i) => `fragment F${i} on User { ...F${i + 1} @include(if: $a${i}) ...F${i + 1} @include(if: $b${i}) }`,
  )} fragment F${levels} on User { id }`;

const both = (code: string) => ({ limited: [code], open: [code] });

describe('hostile documents', () => {
  const open = createGraph();
  const limited = createGraph({ limits: DEFAULT_LIMITS });
  /** Codes with the limits of the product and, where something else stops the document too, with none. */
  const DOCUMENTS: readonly { name: string; query: string; limited: string[]; open?: string[] }[] = [
    {
      name: 'a megabyte of garbage',
      query: '\u0001#{'.repeat(MEGABYTE / 3),
      ...both('GRAPHQL_PARSE_FAILED'),
    },
    {
      name: 'a megabyte of braces',
      query: '{a'.repeat(MEGABYTE / 2),
      limited: ['TOKEN_LIMIT_EXCEEDED'],
      open: ['GRAPHQL_PARSE_FAILED'],
    },
    {
      name: 'a megabyte of one name',
      query: `{ ${'x'.repeat(MEGABYTE)} }`,
      open: ['GRAPHQL_VALIDATION_FAILED'],
      limited: ['OPERATION_TOO_LARGE'],
    },
    {
      name: 'a megabyte of fields',
      query: `{ user { ${'id '.repeat(MEGABYTE / 3)} } }`,
      limited: ['TOKEN_LIMIT_EXCEEDED'],
    },
    {
      name: 'an unclosed string',
      query: `{ user(id: "${'x'.repeat(MEGABYTE)}) { id } }`,
      ...both('GRAPHQL_PARSE_FAILED'),
    },
    { name: 'a document nested deeply', query: nested(500), limited: ['DEPTH_LIMIT_EXCEEDED'] },
    {
      name: 'one nested beyond any stack',
      query: nested(100_000),
      limited: ['TOKEN_LIMIT_EXCEEDED'],
      open: ['GRAPHQL_PARSE_FAILED'],
    },
    {
      name: 'many aliases',
      query: `{ user { ${times(600, (i) => `a${i}: id`)} } }`,
      limited: ['ALIAS_LIMIT_EXCEEDED'],
      open: [],
    },
    {
      name: 'many root fields',
      query: `{ ${times(20, (i) => `a${i}: user { id }`)} }`,
      limited: ['ROOT_FIELD_LIMIT_EXCEEDED'],
      open: [],
    },
    {
      name: 'a fragment bomb',
      query: bomb,
      limited: ['ALIAS_LIMIT_EXCEEDED', 'DEPTH_LIMIT_EXCEEDED'],
      open: ['OPERATION_TOO_LARGE'],
    },
    { name: 'spreads that double', query: spreads(30), ...both('OPERATION_TOO_LARGE') },
    {
      name: 'spreads that double under a condition',
      query: `query($a: Boolean!) ${spreads(30, '@include(if: $a)')}`,
      ...both('OPERATION_TOO_LARGE'),
    },
    {
      name: 'conditions whose combinations double',
      query: combinations(10),
      ...both('OPERATION_TOO_LARGE'),
    },
    {
      name: 'a cycle of fragments',
      query: '{ user { ...A } } fragment A on User { friend { ...B } } fragment B on User { ...A }',
      ...both('GRAPHQL_VALIDATION_FAILED'),
    },
    {
      name: 'a fragment in itself',
      query: '{ user { ...A } } fragment A on User { ...A }',
      ...both('GRAPHQL_VALIDATION_FAILED'),
    },
    {
      name: 'many operations',
      query: times(100, (i) => `query Q${i} { user { id } }`),
      ...both('OPERATION_RESOLUTION_FAILURE'),
    },
    {
      name: 'many variables',
      query: `query(${times(250, (i) => `$v${i}: ID`)}) { user { id } }`,
      ...both('GRAPHQL_VALIDATION_FAILED'),
    },
    { name: 'nothing', query: '', ...both('GRAPHQL_PARSE_FAILED') },
  ];

  const codesOf = async ({ engine }: typeof open, query: string) => {
    const { data, errors = [] } = await engine.execute({ query }, testContext());
    expect(data === undefined).toBe(errors.length > 0);
    return [...new Set(errors.map(({ extensions }) => extensions.code))].sort();
  };

  test.each(DOCUMENTS)('$name', async (expected) => {
    expect(await codesOf(limited, expected.query)).toEqual(expected.limited);
    if (expected.open !== undefined) {
      expect(await codesOf(open, expected.query)).toEqual(expected.open);
    }
    expect([...open.internalErrors, ...limited.internalErrors]).toEqual([]);
  });
});

describe('many different operations', () => {
  test('leave nothing behind in the engine', async () => {
    let planned = 0;
    const entries = 50;
    const graph = createGraph({
      operationCacheSize: entries,
      planner: planBy((operation) => {
        planned += 1;
        return { kind: 'Fetch', serviceName: 'a', operation };
      }),
    });
    const run = (id: number) => graph.engine.execute({ query: `{ a${id}: user { name } }` }, testContext());
    const DIFFERENT = 2_000;
    for (let id = 0; id < DIFFERENT; id++) {
      await run(id);
    }
    expect(planned).toBe(DIFFERENT);
    await run(DIFFERENT - 1);
    await run(DIFFERENT - entries);
    expect(planned).toBe(DIFFERENT);
    await run(0);
    expect(planned).toBe(DIFFERENT + 1);
  });
});
