import { beforeEach, describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import type { EngineHooks } from '../engine/index.ts';
import {
  createTestGraph,
  type TestContext,
  type TestGraphOptions,
  testContext,
} from '../engine/testing/index.ts';
import { readEventCursorFirst } from './event-cursor.ts';

/** A log that grows after each read of a list; reading a cursor takes longer than reading a list. */
let log: string[];
let isAway: boolean;
beforeEach(() => {
  log = ['before'];
  isAway = false;
});

const options: TestGraphOptions = {
  subgraphs: {
    lists: 'type Query { items: [String!]! }',
    events: 'type Query { latestEventCursor: String!, more: [String!]! }',
  },
  resolvers: {
    Query: {
      items: () => readList(),
      more: () => readList(),
      latestEventCursor: async () => {
        if (isAway) {
          throw new GraphQLError('away', { extensions: { code: 'AWAY' } });
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
        return String(log.length);
      },
    },
  },
};
const { engine } = createTestGraph({ ...options, engine: { hooks: [readEventCursorFirst()] } });
const execute = (query: string, operationName?: string) =>
  engine.execute({ query, operationName }, testContext());

function readList(): string[] {
  const read = [...log];
  log.push('meanwhile');
  return read;
}

describe('the cursor of a query is not ahead of its lists', () => {
  test.each([
    ['of another subgraph', '{ items latestEventCursor }'],
    ['of the same subgraph', '{ more latestEventCursor }'],
    ['of both', '{ more items latestEventCursor }'],
    ['where it is in fragments', '{ items ...F } fragment F on Query { ... on Query { latestEventCursor } }'],
  ])('%s', async (_where, query) => {
    expect(await execute(query)).toMatchObject({ data: { latestEventCursor: '1' } });
    expect(log.length).toBeGreaterThan(1);
  });

  test('the cursor works under every alias, in the operation that runs', async () => {
    const query =
      'query A { items } query B { a: latestEventCursor items b: latestEventCursor c: items } query C { latestEventCursor }';
    const { data } = await execute(query, 'B');
    expect(data).toMatchObject({ a: '1', b: '1' });
    expect(Object.keys(data ?? {})).toEqual(['a', 'items', 'b', 'c']);
    expect((await execute(query, 'A')).data).not.toHaveProperty('latestEventCursor');
  });
});

test('a cursor that cannot be read is one error, with its path', async () => {
  isAway = true;
  expect(await execute('{ latestEventCursor }')).toMatchObject({
    data: null,
    errors: [{ path: ['latestEventCursor'], extensions: { code: 'AWAY' } }],
  });
});

test('a cursor that could not be read first is omitted from the answer', async () => {
  isAway = true;
  const comesBack: EngineHooks<TestContext> = {
    onOperation: (_operation, context, next) => {
      isAway = false;
      return next(context);
    },
  };
  const late = createTestGraph({ ...options, engine: { hooks: [readEventCursorFirst(), comesBack] } });
  const { data, errors } = await late.engine.execute({ query: '{ latestEventCursor items }' }, testContext());
  expect(data).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code: 'AWAY' } }]);
});

test.each(['{ items latestEventCursor', '{ latestEventCursor(x: 1) }', '{ latestEventCursor nothing }'])(
  'an invalid request does not run: %s',
  async (query) => {
    const { errors } = await execute(query);
    expect(errors).toMatchObject([{ extensions: { code: expect.stringMatching(/^GRAPHQL_/) } }]);
    expect(log).toEqual(['before']);
  },
);

test('a graph without such a cursor stays unchanged', async () => {
  const other = createTestGraph({
    subgraphs: { one: 'type Query { a: String }' },
    resolvers: { Query: { a: () => 'as it is' } },
    engine: { hooks: [readEventCursorFirst()] },
  });
  const result = await other.engine.execute({ query: '{ latestEventCursor: a }' }, testContext());
  expect(result).toEqual({ data: { latestEventCursor: 'as it is' } });
  expect(other.fetches).toHaveLength(1);
});
