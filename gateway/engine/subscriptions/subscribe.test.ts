import { describe, expect, test } from '@jest/globals';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { EngineContext } from '../context.ts';
import type { EngineOptions } from '../engine.ts';
import { eventFieldsOf } from '../executor/event-fields.ts';
import { createTestGraph, type TestContext, testContext } from '../testing/graph.ts';

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

function createGraph(engine: Partial<EngineOptions<TestContext>> = {}) {
  const channel = createChannel<{ id: string; status: string } | null>();
  const contexts: unknown[] = [];
  const graph = createTestGraph({
    subgraphs: {
      operations: `
        type Query { a: Int }
        type Subscription { changed(status: String): Operation! refused: Int }
        type Operation @key(fields: "id") { id: ID! status: String! }`,
      users: `
        type Query { b: Int }
        type Operation @key(fields: "id") { id: ID! owner: String twin: Operation }`,
    },
    resolvers: {
      Subscription: {
        changed: { subscribe: () => channel.iterator, resolve: (event) => event },
        refused: {
          subscribe: () => {
            throw new GraphQLError('not yours', { extensions: { code: 'FORBIDDEN' } });
          },
        },
      },
      Operation: {
        owner: ({ id }, _args, context) => {
          contexts.push(context);
          return `owner of ${String(id)}`;
        },
        twin: ({ id }) => ({ id: `${String(id)}'` }),
      },
    },
    references: { Operation: (ref) => ({ ...ref }) },
    engine,
    transport: { createContext: (context: EngineContext) => ({ context }) },
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

describe('subscriptions', () => {
  const query = 'subscription { event: changed { __typename name: owner status id twin { id: owner } } }';

  test('each event has its own contexts in the subgraphs', async () => {
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

  test('the signal of the request ends the stream and its source', async () => {
    const controller = new AbortController();
    const { channel, subscribe } = createGraph();
    const stream = await subscribe(query, testContext({ signal: controller.signal }));
    const waiting = stream.next();
    controller.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(channel.state.returned).toBe(true);
  });

  test('a subscription that the subgraph does not start is one result', async () => {
    const { graph } = createGraph();
    const result = await graph.engine.subscribe({ query: 'subscription { x: refused }' }, testContext());
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      errors: [
        { message: 'not yours', path: ['x'], extensions: { code: 'FORBIDDEN', serviceName: 'operations' } },
      ],
    });
  });

  test('queries and documents that are not valid fail', async () => {
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

  test('event fields are read beside what the client selects, and not shown to it', async () => {
    const { graph, channel, subscribe } = createGraph({ eventFields: ['id', 'status', 'missing'] });
    const stream = await subscribe('subscription { event: changed { event_id: status twin { owner } } }');
    channel.send({ id: '7', status: 'DONE' });
    const { value } = await stream.next();
    expect(JSON.parse(JSON.stringify(value))).toEqual({
      data: { event: { event_id: 'DONE', twin: { owner: "owner of 7'" } } },
    });
    expect(eventFieldsOf(value as ExecutionResult)).toEqual({ id: '7', status: 'DONE' });
    expect(graph.internalErrors).toEqual([]);
    await stream.return?.();
  });

  test('an event without an object, and an engine that reads no event fields, has none', async () => {
    const reading = createGraph({ eventFields: ['id'] });
    const none = await reading.subscribe('subscription { changed { status } }');
    reading.channel.send(null);
    expect(eventFieldsOf((await none.next()).value)).toBeUndefined();
    const plain = createGraph();
    const stream = await plain.subscribe('subscription { changed { id } }');
    plain.channel.send({ id: '7', status: 'DONE' });
    expect(eventFieldsOf((await stream.next()).value)).toBeUndefined();
  });
});
