import { describe, expect, test } from '@jest/globals';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { RequestContext } from '../../subgraphs/platform/principal.ts';
import { comparable } from './executor/testing/compare.ts';
import { createTestGraph, testContext } from './executor/testing/graph.ts';

/** A source that tests feed by hand. */
function createChannel<T>() {
  const waiting: ((result: IteratorResult<T>) => void)[] = [];
  const queue: T[] = [];
  const state = { returned: false };
  const iterator: AsyncIterableIterator<T> = {
    next: () =>
      queue.length > 0
        ? Promise.resolve({ value: queue.shift() as T, done: false })
        : new Promise((resolve) => waiting.push(resolve)),
    return: () => {
      state.returned = true;
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  const send = (value: T) => {
    const next = waiting.shift();
    if (next === undefined) {
      queue.push(value);
    } else {
      next({ value, done: false });
    }
  };
  return { iterator, state, send };
}

function createGraph() {
  const channel = createChannel<{ id: string; status: string }>();
  const contexts: unknown[] = [];
  const graph = createTestGraph({
    subgraphs: {
      operations: `
        type Query { a: Int }
        type Subscription { changed(status: String): Operation! refused: Int }
        type Operation @key(fields: "id") { id: ID! status: String! }`,
      users: `
        type Query { b: Int }
        type Operation @key(fields: "id") { id: ID! owner: String twin: Operation needed: Int! }`,
    },
    resolvers: {
      Subscription: {
        changed: { subscribe: () => channel.iterator, resolve: (event) => event },
        failed: {
          subscribe: () => {
            throw new GraphQLError('not yours', { extensions: { code: 'FORBIDDEN' } });
          },
        },
      },
      Operation: {
        owner: ({ id }, _args, context) => {
          contexts.push(context);
          if (id === 'bad') {
            throw new GraphQLError('no owner', { extensions: { code: 'NO_OWNER' } });
          }
          return `owner of ${String(id)}`;
        },
        twin: ({ id }) => ({ id: `${String(id)}'` }),
        needed: () => null,
      },
    },
    references: { Operation: (ref) => ({ ...ref }) },
    transport: { createContext: (context: RequestContext) => ({ context }) },
  });
  const subscribe = async (query: string, context = testContext()) => {
    const stream = await graph.engine.subscribe({ query }, context);
    if (!(Symbol.asyncIterator in stream)) {
      throw new Error(JSON.stringify(stream));
    }
    return stream;
  };
  return { graph, channel, contexts, subscribe };
}

async function nextOf(stream: AsyncIterableIterator<ExecutionResult>) {
  const { value } = await stream.next();
  return comparable(value);
}

describe('subscriptions', () => {
  const query = 'subscription { event: changed { __typename name: owner status id twin { id: owner } } }';

  test('payload fields come from any subgraph', async () => {
    const { channel, subscribe } = createGraph();
    const stream = await subscribe(query);
    for (const id of ['1', '2', '3', '4']) {
      channel.send({ id, status: 'DONE' });
      expect(await nextOf(stream)).toEqual({
        data: `{"event":{"__typename":"Operation","name":"owner of ${id}","status":"DONE","id":"${id}","twin":{"id":"owner of ${id}'"}}}`,
        paths: [],
      });
    }
    await stream.return?.();
    expect(channel.state.returned).toBe(true);
  });

  test('errors of an event are in its result and do not end the stream', async () => {
    const { channel, subscribe } = createGraph();
    const stream = await subscribe('subscription { changed { id owner } }');
    channel.send({ id: 'bad', status: 'DONE' });
    channel.send({ id: '2', status: 'DONE' });
    expect(await nextOf(stream)).toEqual({
      data: '{"changed":{"id":"bad","owner":null}}',
      paths: ['["changed","owner"]'],
    });
    expect(await nextOf(stream)).toEqual({ data: '{"changed":{"id":"2","owner":"owner of 2"}}', paths: [] });
    await stream.return?.();
  });

  test('nulls come up to the root of an event', async () => {
    const { channel, subscribe } = createGraph();
    const stream = await subscribe('subscription { changed { needed } }');
    channel.send({ id: '1', status: 'DONE' });
    expect(await nextOf(stream)).toEqual({ data: 'null', paths: ['["changed","needed"]'] });
    await stream.return?.();
  });

  test('each event has contexts of its own in the subgraphs', async () => {
    const { channel, contexts, subscribe } = createGraph();
    const stream = await subscribe(query);
    for (const id of ['1', '2']) {
      channel.send({ id, status: 'DONE' });
      await stream.next();
    }
    expect(contexts).toHaveLength(4);
    expect(contexts[0]).toBe(contexts[1]);
    expect(contexts[1]).not.toBe(contexts[2]);
    expect(contexts[2]).toBe(contexts[3]);
    await stream.return?.();
  });

  test('return while no event is pending ends the stream and its source', async () => {
    const { channel, subscribe } = createGraph();
    const stream = await subscribe(query);
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(channel.state.returned).toBe(true);
  });

  test('so does the request that goes away', async () => {
    const controller = new AbortController();
    const { channel, subscribe } = createGraph();
    const stream = await subscribe(query, testContext({ signal: controller.signal }));
    const waiting = stream.next();
    controller.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(channel.state.returned).toBe(true);
  });

  test('a refusal is a result without a stream', async () => {
    const { graph } = createGraph();
    const result = await graph.engine.subscribe({ query: 'subscription { x: refused }' }, testContext());
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      errors: [
        { message: 'not yours', path: ['x'], extensions: { code: 'FORBIDDEN', serviceName: 'operations' } },
      ],
    });
  });

  test('queries and faulty documents are refused', async () => {
    const { graph } = createGraph();
    for (const [text, code] of [
      ['{ a }', 'UNSUPPORTED_OPERATION'],
      ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['subscription { changed', 'GRAPHQL_PARSE_FAILED'],
    ]) {
      const result = (await graph.engine.subscribe(
        { query: String(text) },
        testContext(),
      )) as ExecutionResult;
      expect(result.errors?.map((error) => error.extensions.code)).toEqual([code]);
    }
  });
});
