import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { SubgraphTransport } from '../../gateway/engine/index.ts';
import { createTestGraph, type TestGraphOptions, testContext } from '../../gateway/engine/testing/index.ts';
import { holdTimers } from '../support/held-time.ts';
import { until } from '../support/until.ts';
import { describeGraph, openHttpGraph } from './support/suite.ts';

const base: TestGraphOptions = {
  subgraphs: {
    front:
      'type Query { rooms: [Room!] room: Room plain: Int } type Room @key(fields: "id") { id: ID! name: String }',
    back: `type Query { back: Int backX: Int! }
      type Room @key(fields: "id") { id: ID! secret: Int coded: Int safe: Int needed: Int! extra: Extra } type Extra { secret: Int }`,
  },
  resolvers: {
    Query: {
      rooms: () => ['1', '2', '1'].map((id) => ({ id })),
      room: () => ({ id: '1' }),
      plain: () => 1,
      back: () => {
        throw new Error('password=hunter2');
      },
      backX: () => 2,
    },
    Room: {
      name: ({ id }) => `room ${String(id)}`,
      safe: () => 3,
      needed: () => 4,
      extra: () => ({}),
      secret: () => {
        throw new Error('password=hunter2');
      },
      coded: ({ id }) => {
        throw new GraphQLError(`no ${String(id)}`, { extensions: { code: 'NOT_FOUND', hint: [id] } });
      },
    },
    Extra: {
      secret: () => {
        throw new Error('password=hunter2');
      },
    },
  },
  references: { Room: ({ id }) => ({ id }) },
};

const plain = (result: ExecutionResult) => JSON.parse(JSON.stringify(result));

describeGraph('errors, masked', { ...base, engine: { exposeInternalErrors: false } }, (graph) => {
  const run = async (query: string) =>
    plain(await graph().engine.execute({ query }, testContext({ requestId: 'r-7' })));

  test('unexpected ones name nothing but the subgraph and the request', async () => {
    graph().internalErrors.length = 0;
    expect(await run('{ x: room { id y: secret safe } z: back }')).toEqual({
      data: { x: { id: '1', y: null, safe: 3 }, z: null },
      errors: expect.arrayContaining(
        [['x', 'y'], ['z']].map((path) => ({
          message: 'Internal server error',
          path,
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'r-7', serviceName: 'back' },
        })),
      ),
    });
    expect(graph().internalErrors.map((error) => (error as Error).message)).toEqual([
      'password=hunter2',
      'password=hunter2',
    ]);
  });

  test('codes set on purpose survive with their messages, at each place, under the keys of the client', async () => {
    const { errors } = await run('{ list: rooms { id: name y: coded } one: room { y: coded } }');
    expect(errors).toHaveLength(4);
    expect(errors).toEqual(
      expect.arrayContaining(
        [
          ['list', 0, 'y'],
          ['list', 1, 'y'],
          ['list', 2, 'y'],
          ['one', 'y'],
        ].map((path) => {
          const id = path[1] === 1 ? '2' : '1';
          const extensions = { code: 'NOT_FOUND', hint: [id], serviceName: 'back' };
          return { message: `no ${id}`, path, extensions };
        }),
      ),
    );
  });

  test('below other objects', async () => {
    const { errors } = await run('{ r: rooms { e: extra { s: secret } } }');
    expect(errors.map(({ path }: GraphQLError) => path)).toEqual(
      expect.arrayContaining([0, 1, 2].map((index) => ['r', index, 'e', 's'])),
    );
  });
});

describe('errors, shown', () => {
  test('messages are shown outside production', async () => {
    const { engine } = createTestGraph(base);
    expect(plain(await engine.execute({ query: '{ back }' }, testContext())).errors).toEqual([
      {
        message: 'password=hunter2',
        path: ['back'],
        extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', serviceName: 'back' },
      },
    ]);
  });
});

describe('a subgraph that cannot be reached', () => {
  const failing = (error: unknown) =>
    createTestGraph({
      ...base,
      engine: { exposeInternalErrors: false },
      decorate: (transport: SubgraphTransport, subgraph) =>
        subgraph === 'back' ? { ...transport, execute: () => Promise.reject(error) } : transport,
    });

  test('nulls its own fields and no others', async () => {
    const { engine } = failing(new Error('ECONNREFUSED 10.0.0.1'));
    const result = plain(await engine.execute({ query: '{ plain room { name safe } back }' }, testContext()));
    expect(result.data).toEqual({ plain: 1, room: { name: 'room 1', safe: null }, back: null });
    expect(result.errors.map(({ path }: GraphQLError) => path).sort()).toEqual([['back'], ['room']]);
    expect(JSON.stringify(result)).not.toContain('10.0.0.1');
  });

  test('makes a parent null that must not have a null field', async () => {
    const { engine } = failing(new GraphQLError('too late', { extensions: { code: 'SUBGRAPH_TIMEOUT' } }));
    expect(plain(await engine.execute({ query: '{ plain b: backX c: back }' }, testContext()))).toEqual({
      data: null,
      errors: [['b'], ['c']].map((path) => ({
        message: 'too late',
        path,
        extensions: { code: 'SUBGRAPH_TIMEOUT', serviceName: 'back' },
      })),
    });
  });

  test('is one error for all of its entities, which are null where a field of theirs may not be', async () => {
    const { engine } = failing(new Error('ECONNREFUSED 10.0.0.1'));
    const query = '{ rooms { name needed safe } }';
    expect(plain(await engine.execute({ query }, testContext({ requestId: 'r-9' })))).toEqual({
      data: { rooms: null },
      errors: [
        {
          message: 'Internal server error',
          path: ['rooms'],
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'r-9', serviceName: 'back' },
        },
      ],
    });
  });
});

describe('time and aborts, over HTTP', () => {
  afterEach(() => void jest.useRealTimers());

  /** A field that waits until it is let go. */
  function createHeld() {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let fetched = 0;
    const options: TestGraphOptions = {
      ...base,
      resolvers: {
        ...base.resolvers,
        Room: {
          ...base.resolvers?.Room,
          safe: async () => {
            fetched += 1;
            await held;
            return 3;
          },
        },
      },
    };
    return { options, release: () => release(), fetched: () => fetched };
  }

  test('a fetch that takes too long fails alone', async () => {
    const { options, release, fetched } = createHeld();
    const timeoutMs = 10_000;
    const { graph, close } = await openHttpGraph(options, { timeoutMs });
    // The time of the held fetch ends when it is under way, however long those before it take.
    holdTimers();
    const running = graph.engine.execute({ query: '{ plain room { name safe } }' }, testContext());
    while (fetched() === 0) {
      await nextTurn();
    }
    jest.advanceTimersByTime(timeoutMs);
    const result = plain(await running);
    jest.useRealTimers();
    release();
    await close();
    expect(result.data).toEqual({ plain: 1, room: { name: 'room 1', safe: null } });
    expect(result.errors).toMatchObject([
      { path: ['room'], extensions: { code: 'SUBGRAPH_TIMEOUT', serviceName: 'back' } },
    ]);
  });

  test('fetches under way end when the client goes away, and no others begin', async () => {
    const { options, release, fetched } = createHeld();
    const { graph, close } = await openHttpGraph(options);
    const controller = new AbortController();
    const context = testContext({ signal: controller.signal });
    const query = '{ room { safe } }';
    const running = graph.engine.execute({ query }, context);
    await until('the fetch is under way', () => fetched() === 1);
    controller.abort(new GraphQLError('gone', { extensions: { code: 'CLIENT_CLOSED' } }));
    const result = plain(await running);
    const fetches = graph.fetches.length;
    await graph.engine.execute({ query }, context);
    release();
    await close();
    expect(result.data).toEqual({ room: { safe: null } });
    expect(result.errors).toHaveLength(1);
    expect(graph.fetches).toHaveLength(fetches);
  });
});
