import { addAbortListener, getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { holdTimers } from '../../../test/support/held-time.ts';
import { createTestGraph, testContext } from '../testing/graph.ts';
import { withTimeout } from './time-limit.ts';

const TIMEOUT_MS = 40;
const STUCK = '{ stuck { more } }';

// Planning counts towards the limit, and takes longer on a busy machine.
beforeEach(holdTimers);
afterEach(() => void jest.useRealTimers());

function createGraph(controllerOf?: () => AbortController) {
  const signals: (AbortSignal | undefined)[] = [];
  const { engine, fetches } = createTestGraph({
    engine: { hooks: [withTimeout(TIMEOUT_MS, controllerOf)] },
    subgraphs: {
      one: 'type Query { quick: Int stuck: Thing } type Thing @key(fields: "id") { id: ID! }',
      two: 'type Thing @key(fields: "id") { id: ID! more: Int }',
    },
    resolvers: {
      Query: {
        quick: () => 1,
        stuck: (_source, _args, context) => {
          signals.push(context.signal);
          return new Promise((resolve) => {
            addAbortListener(context.signal!, () => resolve({ id: 'a' }));
          });
        },
      },
      Thing: { more: () => 1 },
    },
  });
  /** The answer to an operation whose time ends while its resolver runs. */
  const timeOut = async (answer: Promise<ExecutionResult>) => {
    await resolving();
    jest.advanceTimersByTime(TIMEOUT_MS);
    return answer;
  };
  /** Waits until the resolver of `stuck` runs. */
  const resolving = async () => {
    while (signals.length === 0) {
      await turn();
    }
  };
  return { engine, signals, fetches, resolving, timeOut };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const timedOut = {
  errors: [{ message: 'The operation took longer than 0.04 s.', extensions: { code: 'OPERATION_TIMEOUT' } }],
};

describe('withTimeout', () => {
  test('does not affect a quick operation', async () => {
    const { engine } = createGraph();
    expect(await engine.execute({ query: '{ quick }' }, testContext())).toEqual({ data: { quick: 1 } });
  });

  test('answers a slow operation without data, aborts it, and starts no more fetches for it', async () => {
    const { engine, signals, fetches, timeOut } = createGraph();
    const result = await timeOut(engine.execute({ query: STUCK }, testContext()));
    expect(result).toMatchObject(timedOut);
    expect(result).not.toHaveProperty('data');
    expect(signals[0]?.aborted).toBe(true);
    await turn();
    expect(fetches.map(({ subgraph }) => subgraph)).toEqual(['one']);
  });

  test('gives an operation a signal of its own: its time-out ends no other work of its caller', async () => {
    const { engine, signals, timeOut } = createGraph();
    const { signal } = new AbortController();
    expect(await timeOut(engine.execute({ query: STUCK }, testContext({ signal })))).toMatchObject(timedOut);
    expect([signals[0] === signal, signals[0]?.aborted, signal.aborted]).toEqual([false, true, false]);
  });

  test("aborts the context's own signal if it gets its controller", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const { engine, signals, timeOut } = createGraph(() => controller);
    expect(await timeOut(engine.execute({ query: STUCK }, testContext({ signal })))).toMatchObject(timedOut);
    expect(signals).toEqual([signal]);
    expect(signal.reason).toMatchObject(timedOut.errors[0] ?? {});
  });

  test('leaves no listener on the signal of its context', async () => {
    const { engine } = createGraph();
    const { signal } = new AbortController();
    await engine.execute({ query: '{ quick }' }, testContext({ signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('ends with an operation that fails at once', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { engine } = createTestGraph({
      engine: {
        hooks: [
          withTimeout(TIMEOUT_MS),
          {
            onOperation: (_operation, { signal }) => {
              signals.push(signal);
              throw new Error('no');
            },
          },
        ],
      },
      subgraphs: { one: 'type Query { quick: Int }' },
    });
    expect(await engine.execute({ query: '{ quick }' }, testContext())).toMatchObject({
      errors: [{ message: 'no' }],
    });
    jest.advanceTimersByTime(2 * TIMEOUT_MS);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  });

  test('covers trusted documents', async () => {
    const { engine, timeOut } = createGraph();
    const trusted = engine.prepareTrusted('{ stuck { id } }');
    expect(await timeOut(engine.executeTrusted(trusted, null, testContext()))).toMatchObject(timedOut);
  });

  test('aborts the operation with the reason of a caller that disconnects', async () => {
    const { engine, signals, resolving } = createGraph();
    const caller = new AbortController();
    const result = engine.execute({ query: '{ stuck { id } }' }, testContext({ signal: caller.signal }));
    await resolving();
    caller.abort(new Error('gone'));
    await result;
    expect(signals[0]?.reason).toEqual(new Error('gone'));
  });
});
