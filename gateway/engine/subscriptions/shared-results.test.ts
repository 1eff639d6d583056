import { describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { createTestGraph, type TestContext, testContext } from '../testing/graph.ts';
import { BoundedQueue } from '../transports/bounded-queue.ts';

const OPERATION = 'subscription ($id: ID, $as: String = "default", $load: Boolean = true)';
const FIELDS = 'id load @include(if: $load) owner(as: $as)';
const IN_THE_OPERATION = `${OPERATION} { changed(id: $id) { ${FIELDS} } }`;
const IN_A_FRAGMENT = `${OPERATION} { changed(id: $id) { ...All } } fragment All on Operation { ...Inner }
  fragment Inner on Operation { ${FIELDS} }`;

describe('an event that several subscribers get', () => {
  /** A subscription whose subscribers get the same event objects, and a subgraph that counts its calls. */
  function createSharedGraph(shareEventsBy: (context: TestContext) => string | null = () => 'all') {
    const queues: BoundedQueue<object>[] = [];
    const calls: string[] = [];
    const signals: (AbortSignal | undefined)[] = [];
    let hold: Promise<void> = Promise.resolve();
    const graph = createTestGraph({
      subgraphs: {
        operations: `
          type Query { a: Int }
          type Subscription { changed(id: ID): Operation! }
          type Operation @key(fields: "id") { id: ID! load: String }`,
        users: `
          type Query { b: Int }
          type Operation @key(fields: "id") { id: ID! owner(as: String): String }`,
      },
      resolvers: {
        Subscription: {
          changed: {
            subscribe: () => {
              const queue = new BoundedQueue<object>({ limit: 10 });
              queues.push(queue);
              return queue;
            },
            resolve: (event) => event,
          },
        },
        Operation: {
          load: async (_source, _args, { signal }) => {
            calls.push('load');
            await hold;
            signals.push(signal);
            return 'loaded';
          },
          owner: ({ id }, args) => {
            calls.push('owner');
            return `${String(args.as ?? 'owner')} of ${String(id)}`;
          },
        },
      },
      references: { Operation: (ref) => ({ ...ref }) },
      engine: { shareEventsBy },
    });
    const subscribe = async (
      variables: object = {},
      context: Partial<TestContext> = {},
      query = IN_THE_OPERATION,
    ) => {
      const request = { query, variables: variables as Record<string, unknown> };
      const stream = await graph.engine.subscribe(request, testContext(context));
      return stream as AsyncIterableIterator<ExecutionResult>;
    };
    return {
      calls,
      signals,
      subscribe,
      send: (event: object) => {
        for (const queue of queues) {
          queue.push(event);
        }
      },
      holdLoads: () => {
        let letGo: () => void = () => undefined;
        hold = new Promise((resolve) => {
          letGo = resolve;
        });
        return () => letGo();
      },
    };
  }

  const dataOf = async (stream: AsyncIterableIterator<ExecutionResult>) =>
    JSON.parse(JSON.stringify((await stream.next()).value.data)).changed;

  test('is completed once, even with different event filters', async () => {
    const { calls, subscribe, send } = createSharedGraph();
    const streams = await Promise.all([subscribe(), subscribe({ id: '1' }), subscribe({ id: '1' })]);
    send({ id: '1' });
    const results = await Promise.all(streams.map((stream) => stream.next()));
    expect(calls).toEqual(['load', 'owner']);
    expect(results[1]?.value).toBe(results[0]?.value);
    expect(results[0]?.value).toMatchObject({
      data: { changed: { id: '1', load: 'loaded', owner: 'default of 1' } },
    });
    send({ id: '2' });
    expect((await dataOf(streams[0] as AsyncIterableIterator<ExecutionResult>)).id).toBe('2');
  });

  test.each([
    ['in the operation', IN_THE_OPERATION],
    ['in a fragment', IN_A_FRAGMENT],
  ])('is completed for each set of variables that its result depends on: %s', async (_place, query) => {
    const { calls, subscribe, send } = createSharedGraph();
    const sets = [{}, { as: null }, { as: 'user' }, { load: false }];
    const streams = await Promise.all(sets.map((variables) => subscribe(variables, {}, query)));
    send({ id: '1' });
    expect(await Promise.all(streams.map(dataOf))).toEqual([
      { id: '1', load: 'loaded', owner: 'default of 1' },
      { id: '1', load: 'loaded', owner: 'owner of 1' },
      { id: '1', load: 'loaded', owner: 'user of 1' },
      { id: '1', owner: 'default of 1' },
    ]);
    expect(calls).toHaveLength(7);
  });

  test('is completed for each caller that does not share', async () => {
    const { calls, subscribe, send } = createSharedGraph(({ requestId }) =>
      requestId === 'nobody' ? null : requestId,
    );
    const streams = await Promise.all(
      ['acme', 'acme', 'globex', 'nobody', 'nobody'].map((requestId) => subscribe({}, { requestId })),
    );
    send({ id: '1' });
    await Promise.all(streams.map((stream) => stream.next()));
    expect(calls.filter((what) => what === 'load')).toHaveLength(4);
  });

  test('is completed for the others if the first one leaves meanwhile', async () => {
    const { subscribe, send, holdLoads, signals } = createSharedGraph();
    const letGo = holdLoads();
    const gone = new AbortController();
    const first = await subscribe({}, { signal: gone.signal });
    const second = await subscribe();
    send({ id: '1' });
    const [ended, result] = [first.next(), second.next()];
    await new Promise((turn) => setImmediate(turn));
    gone.abort();
    letGo();
    expect((await ended).done).toBe(true);
    expect((await result).value).toMatchObject({ data: { changed: { load: 'loaded' } } });
    expect(signals).toEqual([undefined]);
  });
});
