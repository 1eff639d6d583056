import { buildSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, test } from '@jest/globals';
import { composeServices } from '@theguild/federation-composition';
import { getIntrospectionQuery, parse } from 'graphql';
import { createEngine } from './engine.ts';
import { DEFAULT_LIMITS } from './limits/document-limits.ts';
import { createInProcessTransport } from './transports/in-process.ts';

const typeDefs = parse(`
  type Query { user: User users(first: Int = 20): [User] }
  type User { id: ID friend: User }
`);
const user = { id: '1', friend: () => user };
const schema = buildSubgraphSchema({
  typeDefs,
  resolvers: { Query: { user: () => user, users: () => [user] } },
});
const { supergraphSdl = '' } = composeServices([{ name: 'users', typeDefs }]);
const context = { principal: null, requestId: 'r-1' };

function engineWith(options: { introspection?: boolean } = {}) {
  return createEngine({
    supergraphSdl,
    transports: { users: createInProcessTransport(schema) },
    onInternalError: (error) => {
      throw error;
    },
    exposeInternalErrors: true,
    limits: { ...DEFAULT_LIMITS, tokens: 200, cost: 50 },
    ...options,
  });
}

const deep = (levels: number) => `{ user { ${'friend { '.repeat(levels)} id ${'} '.repeat(levels)} } }`;

describe('limits of public requests', () => {
  const engine = engineWith();

  test('the cost is told with the result', async () => {
    const result = await engine.execute({ query: '{ user { id friend { id } } }' }, context);
    expect(result).toEqual({
      data: { user: { id: '1', friend: { id: '1' } } },
      extensions: { cost: { requested: 2, limit: 50 } },
    });
  });

  test.each([
    ['too deep', deep(11), {}, 'DEPTH_LIMIT_EXCEEDED'],
    [
      'too many aliases',
      `{ user { ${Array.from({ length: 31 }, (_, i) => `a${i}: id`).join(' ')} } }`,
      {},
      'ALIAS_LIMIT_EXCEEDED',
    ],
    ['too many tokens', `{ user { ${'id '.repeat(200)} } }`, {}, 'TOKEN_LIMIT_EXCEEDED'],
    ['a syntax error', '{ user {', {}, 'GRAPHQL_PARSE_FAILED'],
    [
      'too costly by a variable',
      'query ($n: Int) { users(first: $n) { id } }',
      { n: 51 },
      'COST_LIMIT_EXCEEDED',
    ],
  ])('%s', async (_name, query, variables, code) => {
    const result = await engine.execute({ query, variables }, context);
    expect(result.errors?.map(({ extensions }) => extensions.code)).toEqual([code]);
    expect(result).not.toHaveProperty('data');
  });

  test('trusted documents are free of them', async () => {
    const trusted = engine.prepareTrusted(deep(20));
    expect(await engine.executeTrusted(trusted, null, context)).not.toHaveProperty('errors');
  });

  test('introspection can be switched off', async () => {
    const query = getIntrospectionQuery();
    const closed = await engineWith({ introspection: false }).execute(
      { query: '{ __schema { types { name } } }' },
      context,
    );
    expect(closed.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(closed).not.toHaveProperty('data');
    const open = createEngine({
      supergraphSdl,
      transports: { users: createInProcessTransport(schema) },
      onInternalError: () => undefined,
      exposeInternalErrors: true,
      limits: DEFAULT_LIMITS,
    });
    expect(await open.execute({ query }, context)).not.toHaveProperty('errors');
  });
});
