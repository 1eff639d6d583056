import { buildSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, test } from '@jest/globals';
import { composeServices } from '@theguild/federation-composition';
import {
  buildSchema,
  type FragmentDefinitionNode,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { buildEngine } from '../engine.ts';
import { createInProcessTransport } from '../transports/in-process.ts';
import { compileCost } from './cost.ts';
import { checkDocument, DEFAULT_LIMITS, type OperationLimits } from './document-limits.ts';

const codesOf = (text: string) =>
  checkDocument(parse(text), DEFAULT_LIMITS).map(({ extensions }) => extensions.code);
const nest = (levels: number) => `{ ${'a { '.repeat(levels - 1)} a ${'} '.repeat(levels - 1)} }`;
const repeat = (times: number, part: (index: number) => string) =>
  Array.from({ length: times }, (_, i) => part(i)).join(' ');

describe('checkDocument', () => {
  test.each([
    ['12 levels', nest(12), []],
    ['13 levels', nest(13), ['DEPTH_LIMIT_EXCEEDED']],
    ['30 aliases', `{ a { ${repeat(30, (i) => `x${i}: b`)} } }`, []],
    ['31 aliases', `{ a { ${repeat(31, (i) => `x${i}: b`)} } }`, ['ALIAS_LIMIT_EXCEEDED']],
    ['10 root fields', `{ ${repeat(10, (i) => `f${i}`)} }`, []],
    ['11 root fields', `{ ${repeat(11, (i) => `f${i}`)} }`, ['ROOT_FIELD_LIMIT_EXCEEDED']],
    [
      '11 root fields by a fragment',
      `{ ...F } fragment F on Query { ${repeat(11, (i) => `f${i}`)} }`,
      ['ROOT_FIELD_LIMIT_EXCEEDED'],
    ],
    [
      'deep introspection',
      `{ __schema { types ${'{ ofType '.repeat(20)} { name } ${'} '.repeat(20)} } }`,
      [],
    ],
    ['one field 50 times', `{ a { ${repeat(50, () => 'b')} } }`, []],
    ['one field 51 times', `{ a { ${repeat(51, () => 'b')} } }`, ['OPERATION_TOO_LARGE']],
    [
      'one field 51 times, by fragments',
      `{ a { ${repeat(26, () => 'b')} ...F ... on A { b } } } fragment F on A { ${repeat(24, () => 'b')} }`,
      ['OPERATION_TOO_LARGE'],
    ],
    ['a name of 256 characters', `{ ${'a'.repeat(256)} }`, []],
    ['a name of 257 characters', `{ ${'a'.repeat(257)} }`, ['OPERATION_TOO_LARGE']],
    [
      'a cycle of fragments',
      '{ ...A } fragment A on Query { a { ...B } } fragment B on Query { b { ...A } }',
      [],
    ],
  ])('%s', (_name, text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });

  test('fragments that double with each level are measured at once', () => {
    const text = `{ ...F0 } ${repeat(60, (i) => `fragment F${i} on Q { x${i}: a { ...F${i + 1} } y${i}: a { ...F${i + 1} } }`)} fragment F60 on Q { a }`;
    expect(codesOf(text)).toEqual(['DEPTH_LIMIT_EXCEEDED', 'ALIAS_LIMIT_EXCEEDED']);
  });
});

describe('compileCost', () => {
  const schema = buildSchema(`
    type Query { user: User users(first: Int, last: Int): Users }
    type Mutation { make: User }
    type User { id: ID name: String links(first: Int): Links tags: [Tag] }
    type Users { edges: [UserEdge] nodes: [User] totalCount: Int }
    type UserEdge { node: User }
    type Links { nodes: [Link] }
    type Link { id: ID sums: [Tag] }
    type Tag { id: ID body: JSON small: JSON text: String }
    scalar JSON
  `);
  const weights = { JSON: 10, 'Tag.small': 2, 'Tag.text': 3, 'Link.sums': 100 };
  const costOf = (text: string, variables: Record<string, unknown> = {}) => {
    const { definitions } = parse(text);
    const operation = definitions.find(
      (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
    )!;
    const fragments = new Map(
      definitions.flatMap((node) =>
        node.kind === Kind.FRAGMENT_DEFINITION
          ? [[node.name.value, node] as [string, FragmentDefinitionNode]]
          : [],
      ),
    );
    return compileCost(schema, operation, fragments, weights)(variables);
  };

  test.each<[string, string, Record<string, unknown>, number]>([
    ['an object', '{ user { id name } }', {}, 1],
    ['a page of 5', '{ users(first: 5) { nodes { id } } }', {}, 6],
    ['objects in a page of 5', '{ users(first: 5) { nodes { tags { id } } } }', {}, 1 + 5 * 11],
    [
      'a page by a variable',
      'query ($n: Int) { users(first: $n) { nodes { tags { id } } } }',
      { n: 100 },
      1 + 100 * 11,
    ],
    ['the default page', '{ users { nodes { tags { id } } } }', {}, 1 + 20 * 11],
    [
      'pages in pages',
      '{ users(first: 10) { edges { node { links(first: 50) { nodes { id } } } } } }',
      {},
      1 + 10 * (1 + 1 + 1 + 50),
    ],
    [
      'a fragment around the page',
      '{ users(first: 7) { ...P } } fragment P on Users { nodes { tags { id } } }',
      {},
      1 + 7 * 11,
    ],
    ['large scalars', '{ user { tags { body } } }', {}, 1 + 10 * 11],
    ['each alias of them', '{ user { tags { a: body b: body c: body } } }', {}, 1 + 10 * 31],
    ['scalars by their field', '{ user { tags { small text id } } }', {}, 1 + 10 * 6],
    [
      'a field of objects by its own weight, as often as it is read',
      '{ user { links(first: 2) { nodes { sums { id } } } } }',
      {},
      1 + 1 + 2 * (1 + 100 + 10),
    ],
    ['a mutation', 'mutation { make { id } }', {}, 11],
    [
      'mutations by a fragment',
      'mutation { ...F } fragment F on Mutation { a: make { id } b: make { id } }',
      {},
      22,
    ],
    [
      'a selection that a literal excludes',
      '{ user @include(if: false) { id } other: user @skip(if: true) { id } }',
      {},
      0,
    ],
    [
      'a selection that a literal includes',
      '{ user @include(if: true) { id } other: user @skip(if: false) { id } }',
      {},
      2,
    ],
    [
      'a field that a variable leaves out',
      'query ($x: Boolean!) { user @include(if: $x) { id } }',
      { x: false },
      0,
    ],
    [
      'a field that a variable leaves in',
      'query ($x: Boolean!) { user @skip(if: $x) { id } }',
      { x: false },
      1,
    ],
    [
      'excluded fragments',
      'query ($x: Boolean!) { ...F @include(if: $x) ... @skip(if: true) { user { id } } } fragment F on Query { user { id } }',
      { x: false },
      0,
    ],
    [
      'a fragment that is excluded in one place',
      '{ ...F @include(if: false) user { id } ...F } fragment F on Query { a: user { id } }',
      {},
      2,
    ],
    ['a mutation that is left out', 'mutation { make @skip(if: true) { id } other: make { id } }', {}, 11],
    ['scalars that are left out', '{ user { tags { body @skip(if: true) id } } }', {}, 11],
  ])('%s', (_name, text, variables, cost) => {
    expect(costOf(text, variables)).toBe(cost);
  });

  test('fragments that double with each level are counted at once', () => {
    const text = `{ user { ...F0 } } ${repeat(40, (i) => `fragment F${i} on User { ...F${i + 1} ...F${i + 1} }`)} fragment F40 on User { tags { id } }`;
    expect(costOf(text)).toBe(1 + 10 * 2 ** 40);
  });
});

const typeDefs = parse(`
  type Query { user: User users(first: Int = 20): [User] }
  type User { id: ID friend: User }
`);
const user = { id: '1', friend: () => user };
const subgraph = buildSubgraphSchema({
  typeDefs,
  resolvers: { Query: { user: () => user, users: () => [user] } },
});
const { supergraphSdl = '' } = composeServices([{ name: 'users', typeDefs }]);
const context = { requestId: 'r-1' };

function engineWith(
  options: { introspection?: boolean } = {},
  limits: OperationLimits | null = { ...DEFAULT_LIMITS, tokens: 200, cost: 50 },
) {
  return buildEngine({
    supergraphSdl,
    transports: { users: createInProcessTransport(subgraph) },
    onInternalError: (error) => {
      throw error;
    },
    exposeInternalErrors: true,
    ...(limits === null ? {} : { limits }),
    ...options,
  });
}

const deep = (levels: number) => `{ user { ${'friend { '.repeat(levels)} id ${'} '.repeat(levels)} } }`;

describe('limits of public requests', () => {
  const engine = engineWith();

  test('the cost is in the result', async () => {
    const result = await engine.execute({ query: '{ user { id friend { id } } }' }, context);
    expect(result).toEqual({
      data: { user: { id: '1', friend: { id: '1' } } },
      extensions: { cost: { requested: 2, limit: 50 } },
    });
  });

  test.each([
    [
      'with a variable that makes it too costly',
      'query ($n: Int) { users(first: $n) { id } }',
      { n: 51 },
      'COST_LIMIT_EXCEEDED',
    ],
  ])('a request %s fails', async (_name, query, variables, code) => {
    const result = await engine.execute({ query, variables }, context);
    expect(result.errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
    expect(result).not.toHaveProperty('data');
  });

  test('trusted documents have no limits', async () => {
    const trusted = engine.prepareTrusted(deep(20));
    expect(await engine.executeTrusted(trusted, null, context)).not.toHaveProperty('errors');
  });

  const nested = (levels: number, open: string, inner: string, close: string) =>
    `${open.repeat(levels)}${inner}${close.repeat(levels)}`;

  test.each<[string, (levels: number) => string]>([
    ['an argument', (n) => `{ users(first: ${nested(n, '[', '', ']')}) { id } }`],
    ['an object', (n) => `{ users(first: ${nested(n, '{a:', '1', '}')}) { id } }`],
    ['an unknown argument', (n) => `{ user(x: ${nested(n, '[{a:', '1', '}]')}) { id } }`],
    ['a default', (n) => `query ($n: Int = ${nested(n, '[', '', ']')}) { users(first: $n) { id } }`],
    ['a directive', (n) => `{ user @include(if: ${nested(n, '[', '', ']')}) { id } }`],
    ['a directive of an operation', (n) => `query @a(b: ${nested(n, '{a:', '1', '}')}) { user { id } }`],
    ['introspection', (n) => `{ __type(name: ${nested(n, '[', '', ']')}) { name } }`],
    ['a fragment', (n) => `{ ...F } fragment F on Query { users(first: ${nested(n, '[', '', ']')}) { id } }`],
  ])('a literal that is nested too deeply is bad input: %s', async (_name, text) => {
    const free = engineWith({}, null);
    const limited = engineWith({}, DEFAULT_LIMITS);
    for (const [one, levels] of [
      [limited, 32],
      [limited, 60],
      [free, 60],
      [free, 600],
    ] as const) {
      const result = await one.execute({ query: text(levels) }, context);
      expect(result.errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
      expect(result).not.toHaveProperty('data');
    }
    // These have other faults.
    const shallow = await free.execute({ query: text(15) }, context);
    expect(shallow.errors?.[0]?.message).not.toContain('nested');
  });

  test.each<[string, (levels: number) => string]>([
    ['fields', deep],
    ['fragments', (n) => `{ ${nested(n, '... { ', 'user { id }', ' }')} }`],
    [
      'fields by fragments',
      (n) => `{ user { ...F } } fragment F on User { ${nested(n, 'friend { ', 'id', ' }')} }`,
    ],
    ['types', (n) => `query ($x: ${nested(n, '[', 'Int', ']')}) { users(first: $x) { id } }`],
    ['introspection', (n) => `{ __schema { types { ${nested(n, 'ofType { ', 'name', ' }')} } } }`],
  ])(
    'a document without limits that is nested too deeply has an error of its own: %s',
    async (_name, text) => {
      const free = engineWith({}, null);
      for (const levels of [41, 200, 3_000, 20_000]) {
        const query = text(levels);
        const result = await free.execute({ query }, context);
        for (const { extensions } of result.errors ?? []) {
          expect([
            'DEPTH_LIMIT_EXCEEDED',
            'GRAPHQL_PARSE_FAILED',
            'GRAPHQL_VALIDATION_FAILED',
            'OPERATION_TOO_LARGE',
          ]).toContain(extensions.code);
        }
      }
    },
  );

  test('many values in a document are bad input, as in variables', async () => {
    const query = `{ users(first: [${'1,'.repeat(10_001)}]) { id } }`;
    const result = await engineWith({}, null).execute({ query }, context);
    expect(result.errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  });

  test.each<[string, unknown, string]>([
    ['5,000 levels', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`), 'nested too deeply'],
    ['10,001 values', Array.from({ length: 10_001 }, () => 1), 'too many values'],
  ])('a variable of %s is bad input, declared or not', async (_name, a, words) => {
    for (const query of ['{ __typename }', 'query ($a: Int) { users(first: $a) { id } }']) {
      const result = await engineWith({}, null).execute({ query, variables: { a } }, context);
      expect(result).not.toHaveProperty('data');
      expect(result.errors).toMatchObject([
        { message: expect.stringContaining(words), extensions: { code: 'BAD_USER_INPUT' } },
      ]);
    }
  });

  test('introspection can be disabled; the limits allow it', async () => {
    const query = getIntrospectionQuery();
    const closed = await engineWith({ introspection: false }).execute(
      { query: '{ __schema { types { name } } }' },
      context,
    );
    expect(closed.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(closed).not.toHaveProperty('data');
    const open = buildEngine({
      supergraphSdl,
      transports: { users: createInProcessTransport(subgraph) },
      onInternalError: () => undefined,
      exposeInternalErrors: true,
      limits: DEFAULT_LIMITS,
    });
    expect(await open.execute({ query }, context)).not.toHaveProperty('errors');
  });
});
