import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { SocketOperation, StartedOperation } from './socket-operation.ts';
import { speakProtocol } from './socket-protocol.ts';

interface Pending {
  readonly operation: SocketOperation;
  answer(started: StartedOperation): void;
  fail(error: Error): void;
}

/** A socket whose operations start when the test says so. */
async function openSocket({ greets = true } = {}) {
  const sent: Record<string, unknown>[] = [];
  const closes: [number, string][] = [];
  const pending: Pending[] = [];
  const takes: (() => void)[] = [];
  const state = { holds: false };
  const protocol = speakProtocol(
    {
      send(text) {
        sent.push(JSON.parse(text));
        return state.holds ? new Promise((resolve) => takes.push(resolve)) : Promise.resolve();
      },
      close: (code, reason) => void closes.push([code, reason]),
      textOf: JSON.stringify,
      formatError: (error) => ({ message: error instanceof Error ? error.message : 'unknown' }),
      report: (error) => void sent.push({ reported: error }),
    },
    {
      connect: () => true,
      start: (operation) =>
        new Promise((answer, fail) => {
          pending.push({ operation, answer, fail });
        }),
    },
    60_000,
  );
  const say = (message: object) => protocol.receive(JSON.stringify(message));
  if (greets) {
    await say({ type: 'connection_init' });
    sent.length = 0;
  }
  return {
    sent,
    closes,
    pending,
    state,
    take: () => takes.shift()?.(),
    protocol,
    say,
    subscribe: (id: string, query = 'subscription { a }') =>
      say({ id, type: 'subscribe', payload: { query } }),
    complete: (id: string) => say({ id, type: 'complete' }),
  };
}

/** Results that the test pushes. */
function createResults() {
  const state = { returned: 0 };
  const waiting: IteratorResult<ExecutionResult>[] = [];
  let reader: ((result: IteratorResult<ExecutionResult>) => void) | undefined;
  const put = (result: IteratorResult<ExecutionResult>) => {
    if (reader === undefined) {
      waiting.push(result);
    } else {
      reader(result);
      reader = undefined;
    }
  };
  const values: AsyncIterableIterator<ExecutionResult> = {
    next: () =>
      new Promise((resolve) => {
        const first = waiting.shift();
        if (first === undefined) {
          reader = resolve;
        } else {
          resolve(first);
        }
      }),
    async return() {
      state.returned += 1;
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => values,
  };
  return {
    values,
    state,
    push: (value: ExecutionResult) => put({ value, done: false }),
    end: () => put({ value: undefined, done: true }),
  };
}

const next = (id: string, n: number) => ({ id, type: 'next', payload: { data: { n } } });

describe('An operation on a socket', () => {
  test('that is completed while it starts never runs in the place of the next one with its id', async () => {
    const { subscribe, complete, pending, sent } = await openSocket();
    void subscribe('1');
    await complete('1');
    void subscribe('1');
    const [first, second] = [createResults(), createResults()];
    pending[0]?.answer(first.values);
    pending[1]?.answer(second.values);
    await nextTurn();
    first.push({ data: { n: 1 } });
    second.push({ data: { n: 2 } });
    await nextTurn();
    expect(sent).toEqual([next('1', 2)]);
    expect([first.state.returned, second.state.returned]).toEqual([1, 0]);
    await complete('1');
    expect(second.state.returned).toBe(1);
  });

  test('is the same for a query: its result does not answer the subscription after it', async () => {
    const { subscribe, complete, pending, sent } = await openSocket();
    void subscribe('1', '{ a }');
    await complete('1');
    void subscribe('1');
    const results = createResults();
    pending[1]?.answer(results.values);
    pending[0]?.answer({ data: { n: 1 } });
    await nextTurn();
    expect(sent).toEqual([]);
    results.push({ data: { n: 2 } });
    results.end();
    await nextTurn();
    expect(sent).toEqual([next('1', 2), { id: '1', type: 'complete' }]);
  });

  test('leaves nothing open after 300 pairs of subscribe and complete, in whichever order they start', async () => {
    const { subscribe, complete, pending } = await openSocket();
    for (let n = 0; n < 300; n++) {
      void subscribe('1');
      void complete('1');
    }
    const all = pending.map(() => createResults());
    for (const index of [...all.keys()].sort((a, b) => (a % 7) - (b % 7))) {
      pending[index]?.answer(all[index]?.values ?? { data: null });
    }
    await nextTurn();
    expect(all.map(({ state }) => state.returned)).toEqual(all.map(() => 1));
    expect(pending.every(({ operation }) => operation.isOver)).toBe(true);
  });

  test('gets nothing after its `complete`, though a result was on its way', async () => {
    const { subscribe, complete, pending, sent, state, take } = await openSocket();
    void subscribe('1');
    const results = createResults();
    pending[0]?.answer(results.values);
    await nextTurn();
    state.holds = true;
    results.push({ data: { n: 1 } });
    results.push({ data: { n: 2 } });
    await nextTurn();
    await complete('1');
    take();
    await nextTurn();
    expect(sent).toEqual([next('1', 1)]);
    expect(results.state.returned).toBe(1);
  });

  test('gets the end that its client has sent, and a failure after that closes nothing', async () => {
    const { subscribe, complete, pending, sent, closes } = await openSocket();
    const run = subscribe('1', 'mutation { a }');
    const signal = pending[0]?.operation.controller.signal;
    expect(signal?.aborted).toBe(false);
    await complete('1');
    expect(signal?.aborted).toBe(true);
    pending[0]?.fail(new Error('aborted'));
    await run;
    expect([sent, closes]).toEqual([[], []]);
  });

  test('ends with its socket', async () => {
    const { subscribe, pending, protocol, sent } = await openSocket();
    void subscribe('1');
    void subscribe('2');
    const [early, late] = [createResults(), createResults()];
    pending[0]?.answer(early.values);
    await nextTurn();
    protocol.closed();
    pending[1]?.answer(late.values);
    await nextTurn();
    expect([early.state.returned, late.state.returned, sent]).toEqual([1, 1, []]);
  });

  test('frees its id with its end', async () => {
    const { subscribe, pending, sent, closes } = await openSocket();
    const starts: StartedOperation[] = [
      { data: { n: 1 } },
      { unrun: [new GraphQLError('No.')] },
      (async function* () {
        yield { data: { n: 2 } };
        throw new Error('broken');
      })(),
      { data: { n: 3 } },
    ];
    for (const [index, started] of starts.entries()) {
      void subscribe('a"b');
      pending[index]?.answer(started);
      await nextTurn();
    }
    expect(sent).toEqual([
      next('a"b', 1),
      { id: 'a"b', type: 'complete' },
      { id: 'a"b', type: 'error', payload: [{ message: 'No.' }] },
      next('a"b', 2),
      { id: 'a"b', type: 'error', payload: [{ message: 'broken' }] },
      next('a"b', 3),
      { id: 'a"b', type: 'complete' },
    ]);
    expect(closes).toEqual([]);
  });

  test('sends one result after the other, each when the system has taken the one before', async () => {
    const { subscribe, pending, sent, state, take } = await openSocket();
    void subscribe('1');
    const results = createResults();
    pending[0]?.answer(results.values);
    await nextTurn();
    state.holds = true;
    results.push({ data: { n: 1 } });
    results.push({ data: { n: 2 } });
    await nextTurn();
    expect(sent).toEqual([next('1', 1)]);
    take();
    await nextTurn();
    expect(sent).toEqual([next('1', 1), next('1', 2)]);
  });

  test('fails with a result of which no JSON can be written', async () => {
    const { subscribe, pending, sent } = await openSocket();
    void subscribe('1');
    const results = createResults();
    pending[0]?.answer(results.values);
    await nextTurn();
    results.push({ data: { n: 1n } });
    await nextTurn();
    expect(sent).toMatchObject([
      { type: 'error', payload: [{ message: expect.stringContaining('BigInt') }] },
    ]);
    expect(results.state.returned).toBe(1);
  });

  test('can be ended by the server, in whichever state it is', async () => {
    const { subscribe, pending, sent } = await openSocket();
    void subscribe('1');
    void subscribe('2');
    const [early, late] = [createResults(), createResults()];
    pending[0]?.answer(early.values);
    await nextTurn();
    for (const { operation } of pending) {
      operation.complete();
      operation.complete();
    }
    pending[1]?.answer(late.values);
    await nextTurn();
    expect(sent).toEqual(['1', '2'].map((id) => ({ id, type: 'complete' })));
    expect([early.state.returned, late.state.returned]).toEqual([1, 1]);
  });
});

describe('A socket', () => {
  test.each([
    ['while the first one starts', false],
    ['while the first one runs', true],
  ])('closes with 4409 on an id in use, %s, and ends all', async (_name, runs) => {
    const { subscribe, pending, closes, sent } = await openSocket();
    void subscribe('1');
    const results = createResults();
    if (runs) {
      pending[0]?.answer(results.values);
      await nextTurn();
    }
    await subscribe('1');
    pending[0]?.answer(results.values);
    await nextTurn();
    expect(closes).toEqual([[4409, 'Subscriber for 1 already exists']]);
    expect([pending.length, results.state.returned, sent]).toEqual([1, 1, []]);
  });

  test('closes with a reason that fits into a close, however long the id is', async () => {
    const { subscribe, closes } = await openSocket();
    const id = '…'.repeat(100);
    void subscribe(id);
    await subscribe(id);
    expect(closes).toEqual([[4409, '']]);
  });

  test('handles nothing after it was closed', async () => {
    const { subscribe, say, pending, closes, sent } = await openSocket();
    await say({ type: 'connection_init' });
    await subscribe('1');
    await say({ type: 'ping' });
    expect(closes).toEqual([[4429, 'Too many initialisation requests']]);
    expect([pending, sent]).toEqual([[], []]);
  });

  test('answers pings with their payload, and ignores pongs and the end of unknown operations', async () => {
    const { say, sent, closes } = await openSocket();
    await say({ type: 'ping' });
    await say({ type: 'ping', payload: { a: 1 } });
    await say({ type: 'pong' });
    await say({ id: 'x', type: 'complete' });
    expect([sent, closes]).toEqual([[{ type: 'pong' }, { type: 'pong', payload: { a: 1 } }], []]);
  });
});
