import { describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import type { EngineHooks, OperationInfo } from './hooks.ts';
import { observe } from './hooks.ts';
import { onStreamEnd } from './subscriptions/on-stream-end.ts';
import { createTestGraph, type TestContext, testContext } from './testing/graph.ts';

function createGraph(...hooks: EngineHooks<TestContext>[]) {
  const seen: string[] = [];
  const graph = createTestGraph({
    subgraphs: {
      one: 'type Query { a: Thing } type Subscription { ticks: Thing } type Thing @key(fields: "id") { id: ID! }',
      two: 'type Thing @key(fields: "id") { id: ID! b: String }',
    },
    resolvers: {
      Query: { a: () => ({ id: '1' }) },
      Subscription: {
        ticks: {
          async *subscribe() {
            yield { ticks: { id: '2' } };
            yield { ticks: { id: '3' } };
          },
        },
      },
      Thing: {
        b: ({ id }, _args, context) => {
          seen.push(context.requestId);
          return `b${String(id)}`;
        },
      },
    },
    references: { Thing: (reference) => ({ ...reference }) },
    engine: { hooks },
  });
  return { ...graph, seen };
}

async function collect(events: AsyncIterable<ExecutionResult> | ExecutionResult) {
  const results: unknown[] = [];
  for await (const result of events as AsyncIterable<ExecutionResult>) {
    results.push(result.data);
  }
  return results;
}

/** Records the calls of its hooks, prefixed with a name. */
function logger(log: string[], name = ''): EngineHooks<TestContext> {
  const around =
    (what: string) =>
    async <T>(
      { operationName, isTrusted }: OperationInfo,
      context: TestContext,
      next: (own: TestContext) => Promise<T>,
    ) => {
      log.push(`${name}${what} ${operationName}${isTrusted ? ' trusted' : ''}`);
      const result = await next(context);
      log.push(`${name}${what} ends`);
      return result;
    };
  return {
    onLookup: (lookup) => log.push(`${name}${lookup}`),
    onOperation: around('operation'),
    onSubscribe: around('subscribe'),
    onEvent: around('event'),
    onPlan: async ({ operationName }, next) => {
      log.push(`${name}plan ${operationName}`);
      return next();
    },
    onFetch: (fetch, context, next) => {
      log.push(`${name}fetch ${fetch.subgraph}`);
      return next(context);
    },
  };
}

describe('hooks', () => {
  const query = 'query Q { a { b } }';

  test('wrap operations, plans and fetches; plans are made once', async () => {
    const log: string[] = [];
    const { engine } = createGraph(logger(log));
    const request = { query, operationName: 'Q' };
    expect(await engine.execute(request, testContext())).toEqual({ data: { a: { b: 'b1' } } });
    const run = ['fetch one', 'fetch two', 'operation ends'];
    expect(log).toEqual(['operation Q', 'miss', 'plan Q', ...run]);
    log.length = 0;
    await engine.execute(request, testContext());
    expect(log).toEqual(['operation Q', 'hit', ...run]);
  });

  test('get trusted documents by the names of their operations', async () => {
    const log: string[] = [];
    const { engine } = createGraph(logger(log));
    const trusted = engine.prepareTrusted('query Ours { a { id } }');
    await trusted.ready;
    log.length = 0;
    await engine.executeTrusted(trusted, null, testContext());
    expect(log).toEqual(['operation Ours trusted', 'fetch one', 'operation ends']);
  });

  test('wrap the start of a subscription, and each event with the fetches that complete it', async () => {
    const log: string[] = [];
    const { engine } = createGraph(logger(log));
    const request = { query: 'subscription S { ticks { b } }', operationName: 'S' };
    const events = await engine.subscribe(request, testContext());
    expect(log.splice(0)).toEqual(['subscribe S', 'miss', 'plan S', 'subscribe ends']);
    expect(await collect(events)).toEqual([{ ticks: { b: 'b2' } }, { ticks: { b: 'b3' } }]);
    expect(log).toEqual(['event S', 'fetch two', 'event ends', 'event S', 'fetch two', 'event ends']);
  });

  test('given first are outermost', async () => {
    const log: string[] = [];
    const { engine } = createGraph(logger(log, '1 '), logger(log, '2 '));
    await engine.execute({ query: '{ a { id } }' }, testContext());
    expect(log.filter((line) => /operation|plan|fetch/.test(line))).toEqual([
      '1 operation undefined',
      '2 operation undefined',
      '1 plan undefined',
      '2 plan undefined',
      '1 fetch one',
      '2 fetch one',
      '2 operation ends',
      '1 operation ends',
    ]);
  });

  test('may pass on another context', async () => {
    const renamed = (requestId: string): EngineHooks<TestContext> => ({
      onOperation: (_operation, context, next) => next({ ...context, requestId }),
      onEvent: (_operation, context, next) => next({ ...context, requestId: `${requestId} event` }),
    });
    const { engine, seen } = createGraph(renamed('other'));
    await engine.execute({ query }, testContext());
    await collect(await engine.subscribe({ query: 'subscription { ticks { b } }' }, testContext()));
    expect(seen).toEqual(['other', 'other event', 'other event']);
  });

  test('may answer without the engine', async () => {
    const { engine, fetches } = createGraph({
      onFetch: () => ({ data: { a: { __typename: 'Thing', id: '9' } } }),
      onOperation: async (_operation, context, next) => ({
        ...(await next(context)),
        extensions: { own: true },
      }),
    });
    expect(await engine.execute({ query: '{ a { id } }' }, testContext())).toEqual({
      data: { a: { id: '9' } },
      extensions: { own: true },
    });
    expect(fetches).toEqual([]);
  });

  test('that throw make an internal error of a request, which does not reject', async () => {
    const fails = () => {
      throw new Error('no');
    };
    const { engine, internalErrors } = createGraph({ onOperation: fails, onSubscribe: fails });
    const failed = {
      errors: [
        { message: 'no', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: testContext().requestId } },
      ],
    };
    const results = await Promise.all([
      engine.execute({ query }, testContext()),
      engine.subscribe({ query: 'subscription { ticks { id } }' }, testContext()),
    ]);
    expect(JSON.parse(JSON.stringify(results))).toEqual([failed, failed]);
    expect(internalErrors).toEqual([new Error('no'), new Error('no')]);
  });

  test('that fail after a subscription has started end it, as hooks inside of them see', async () => {
    const ends: string[] = [];
    const { engine } = createGraph(
      {
        onSubscribe: async (_operation, context, next) => {
          await next(context);
          throw new Error('late');
        },
      },
      {
        onSubscribe: async (_operation, context, next) => {
          const result = await next(context);
          return Symbol.asyncIterator in result ? onStreamEnd(result, (how) => ends.push(how)) : result;
        },
      },
    );
    const result = await engine.subscribe({ query: 'subscription { ticks { id } }' }, testContext());
    expect(result).toMatchObject({ errors: [{ message: 'late' }] });
    expect(ends).toEqual(['stopped']);
  });

  test('around an event that throw end the subscription with an error', async () => {
    const { engine } = createGraph({ onEvent: () => Promise.reject(new Error('no event')) });
    const events = await engine.subscribe({ query: 'subscription { ticks { id } }' }, testContext());
    const messages: unknown[] = [];
    for await (const { errors } of events as AsyncIterable<ExecutionResult>) {
      messages.push(errors?.map(({ message }) => message));
    }
    expect(messages).toEqual([['no event']]);
  });

  test('get an engine for operations of their own, which pass no hooks', async () => {
    const log: string[] = [];
    const results: Promise<ExecutionResult>[] = [];
    const { engine } = createGraph(logger(log), {
      onBuild: (bare) => {
        results.push(bare.execute({ query: '{ a { id } }' }, testContext()));
      },
    });
    expect(await Promise.all(results)).toEqual([{ data: { a: { id: '1' } } }]);
    expect(log).toEqual(['miss', 'plan undefined', 'fetch one']);
    expect(engine.publicSchema.getQueryType()?.name).toBe('Query');
  });
});

describe('observe', () => {
  test.each<[string, () => unknown, object]>([
    ['a result', () => 1, { result: 1 }],
    ['a promise', () => Promise.resolve(1), { result: 1 }],
    [
      'a throw',
      () => {
        throw new Error('no');
      },
      { error: new Error('no') },
    ],
    ['a rejection', () => Promise.reject(new Error('no')), { error: new Error('no') }],
  ])('reports %s once, and leaves it as it is', async (_name, work, outcome) => {
    const outcomes: unknown[] = [];
    const settled = await Promise.allSettled([(async () => observe(work, (one) => outcomes.push(one)))()]);
    expect(outcomes).toEqual([{ ...outcome, durationMs: expect.any(Number) }]);
    expect(settled).toMatchObject(['error' in outcome ? { reason: outcome.error } : { value: 1 }]);
  });
});
