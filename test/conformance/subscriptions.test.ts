import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import {
  comparable,
  createTestGraph,
  type TestGraph,
  type TestGraphOptions,
  testContext,
} from '../../gateway/engine/testing/index.ts';
import { until } from '../support/until.ts';
import { type OpenGraph, openHttpGraph } from './support/suite.ts';

/** Sources that are open now. */
let open = 0;

async function* events(ids: readonly string[], stays = false) {
  open += 1;
  try {
    for (const id of ids) {
      yield { moved: { __typename: 'Ship', id }, arrived: [{ __typename: 'Ship', id }] };
    }
    if (stays) {
      await new Promise(() => undefined);
    }
  } finally {
    open -= 1;
  }
}

const options: TestGraphOptions = {
  subgraphs: {
    ships: `
      type Query { a: Int }
      type Subscription { moved(from: String = "1"): Vessel arrived: [Ship!]! rejected: Int }
      interface Vessel { id: ID! }
      type Ship implements Vessel @key(fields: "id") { id: ID! }`,
    ports: `
      type Query { b: Int }
      type Ship @key(fields: "id") { id: ID! port: String captain: Person must: Int! }
      type Person @key(fields: "id") { id: ID! }`,
    people:
      'type Person @key(fields: "id") { id: ID! name: String age: Int @external old: Boolean @requires(fields: "age") }',
    ages: 'type Person @key(fields: "id") { id: ID! age: Int }',
  },
  resolvers: {
    Subscription: {
      moved: { subscribe: (_source, { from }) => events([String(from), '2']) },
      arrived: { subscribe: () => events(['bad', '3']) },
      rejected: {
        subscribe: () => {
          throw new GraphQLError('not now', { extensions: { code: 'NOT_NOW' } });
        },
      },
    },
    Ship: {
      port: ({ id }) => {
        if (id === 'bad') {
          throw new GraphQLError('no port', { extensions: { code: 'NO_PORT' } });
        }
        return `port ${String(id)}`;
      },
      captain: ({ id }) => ({ id: `p${String(id)}` }),
      must: ({ id }) => (id === 'bad' ? null : 1),
    },
    Person: { name: ({ id }) => `name ${String(id)}`, age: () => 50, old: ({ age }) => Number(age) > 40 },
  },
  references: { Ship: (reference) => ({ ...reference }), Person: (reference) => ({ ...reference }) },
};

const ARRANGEMENTS: Record<string, () => Promise<OpenGraph>> = {
  'in process': async () => ({ graph: createTestGraph(options), close: async () => undefined }),
  'over WebSocket': () => openHttpGraph(options),
  'over SSE': () => openHttpGraph(options, { subscriptions: { protocol: 'sse' } }),
};

describe.each(Object.keys(ARRANGEMENTS))('subscriptions, %s', (arrangement) => {
  let opened: OpenGraph | undefined;
  const graph = (): TestGraph => (opened as OpenGraph).graph;
  beforeAll(async () => {
    opened = await ARRANGEMENTS[arrangement]?.();
  });
  afterAll(() => opened?.close());

  async function collect(query: string, variables: Record<string, unknown> = {}) {
    const stream = await graph().engine.subscribe({ query, variables }, testContext());
    if (!(Symbol.asyncIterator in stream)) {
      return [comparable(stream)];
    }
    const results: ReturnType<typeof comparable>[] = [];
    for await (const result of stream) {
      results.push(comparable(result));
    }
    return results;
  }

  test('payload fields come from any subgraph', async () => {
    const query =
      'subscription($f: String) { event: moved(from: $f) { __typename id ... on Ship { id: id port captain { n: name old } } } }';
    const event = (id: string) => ({
      data: `{"event":{"__typename":"Ship","id":"${id}","port":"port ${id}","captain":{"n":"name p${id}","old":true}}}`,
      paths: [],
    });
    expect(await collect(query, { f: '9' })).toEqual([event('9'), event('2')]);
    expect(await collect(query)).toEqual([event('1'), event('2')]);
  });

  test('conditions hold for every event', async () => {
    const query = 'subscription($no: Boolean!) { moved { id ... on Ship @skip(if: $no) { port } } }';
    expect((await collect(query, { no: true })).map(({ data }) => data)).toEqual([
      '{"moved":{"id":"1"}}',
      '{"moved":{"id":"2"}}',
    ]);
  });

  test.each([
    ['a variable', 'subscription($no: Boolean!) { moved @skip(if: $no) { id } }'],
    ['a literal', 'subscription { moved @include(if: true) { id } }'],
    ['no condition', 'subscription { moved @skip(if: 5) { id } }'],
    [
      'a spread',
      'subscription($no: Boolean!) { ...F @skip(if: $no) } fragment F on Subscription { moved { id } }',
    ],
    [
      'a fragment',
      'subscription($no: Boolean!) { ...F } fragment F on Subscription { moved @skip(if: $no) { id } }',
    ],
    ['an inline fragment', 'subscription($no: Boolean!) { ... @include(if: $no) { moved { id } } }'],
  ])('conditions at the root are not valid: %s', async (_name, query) => {
    const { engine, internalErrors } = graph();
    internalErrors.length = 0;
    const result = await engine.subscribe({ query, variables: { no: false } }, testContext());
    const codes = 'errors' in result ? result.errors?.map(({ extensions }) => extensions.code) : [];
    expect(codes).toContain('GRAPHQL_VALIDATION_FAILED');
    expect(internalErrors).toEqual([]);
  });

  test('an error of one event does not end the stream', async () => {
    expect(await collect('subscription { x: arrived { id port } }')).toEqual([
      { data: '{"x":[{"id":"bad","port":null}]}', paths: ['["x",0,"port"]'] },
      { data: '{"x":[{"id":"3","port":"port 3"}]}', paths: [] },
    ]);
  });

  test('null comes up to the event', async () => {
    expect(await collect('subscription { arrived { must } }')).toEqual([
      { data: 'null', paths: ['["arrived",0,"must"]'] },
      { data: '{"arrived":[{"must":1}]}', paths: [] },
    ]);
  });

  test('a subscription that the subgraph does not start is one result', async () => {
    expect(await collect('subscription { x: rejected }')).toEqual([
      { data: arrangement === 'in process' ? undefined : '{"x":null}', paths: ['["x"]'] },
    ]);
  });

  test('a listener that stops also stops the source', async () => {
    const stream = await graph().engine.subscribe({ query: 'subscription { moved { id } }' }, testContext());
    if (!(Symbol.asyncIterator in stream)) {
      throw new Error('not started');
    }
    await stream.next();
    await stream.return?.();
    await until('all sources are closed', () => open === 0);
  });
});
