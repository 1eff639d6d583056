import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import type { EngineOptions } from './engine.ts';
import { resultText } from './executor/written-result.ts';
import { withTimeout } from './limits/time-limit.ts';
import { createTestGraph, type TestContext, type TestGraph, testContext } from './testing/graph.ts';

const RECORDS = 80;
const note = { text: 'é"\n'.repeat(100), list: [1, 2.5, null, { deep: true }] };

type Options = Partial<Pick<EngineOptions<TestContext>, 'maxResponseBytes' | 'hooks'>>;

/** Users who all share one list, so that a short answer of a subgraph becomes a long one. */
function createGraph(engine: Options = {}): TestGraph {
  const people = Array.from({ length: RECORDS }, (_, id) => ({
    id: String(id),
    name: id === 7 ? null : 'n',
  }));
  return createTestGraph({
    engine,
    subgraphs: {
      users: `
        scalar JSON
        type Query { users: [User!]! broken: [User!]! }
        type User @key(fields: "id") { id: ID! name: String lost: String note: JSON numbers: [Float!] friends: [User!]! }
        type Subscription { changed: User! }`,
    },
    resolvers: {
      Query: { users: () => people, broken: () => people.slice(0, 3) },
      User: {
        note: () => note,
        numbers: () => [1e21, 0.1, -5],
        friends: () => people,
        lost: () => {
          throw new Error('lost');
        },
      },
      Subscription: {
        changed: {
          async *subscribe() {
            yield { changed: people[0] };
            yield { changed: people[1] };
          },
        },
      },
    },
  });
}

const nested = '{ users { id friends { id name note numbers } } }';

/** Several times: the subgraph interprets the document at first, and compiles it later. */
async function runOften(graph: TestGraph, query: string): Promise<ExecutionResult[]> {
  const results: ExecutionResult[] = [];
  for (let run = 0; run < 4; run++) {
    results.push(await graph.engine.execute({ query }, testContext()));
  }
  return results;
}

/** The number of turns of the event loop while an answer is made. */
async function turnsOf({ engine }: TestGraph): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns += 1;
    if (isRunning) {
      setImmediate(count);
    }
  };
  setImmediate(count);
  await engine.execute({ query: nested }, testContext());
  isRunning = false;
  return turns;
}

const codesOf = ({ errors }: ExecutionResult) => errors?.map(({ extensions }) => extensions.code);

describe('a large answer', () => {
  let graph: TestGraph;
  beforeEach(() => {
    graph = createGraph();
  });

  test('is the same as one that was made in one piece, and so is its text', async () => {
    const expected = JSON.stringify(await graph.runMonolith(nested));
    const bytes = Buffer.byteLength(expected);
    const bounded = createGraph({ maxResponseBytes: bytes });
    for (const result of [...(await runOften(graph, nested)), ...(await runOften(bounded, nested))]) {
      expect(JSON.stringify(result) === expected).toBe(true);
      expect(resultText(result) === expected).toBe(true);
    }
  });

  test('fails if it has one byte too many', async () => {
    const bytes = Buffer.byteLength(JSON.stringify(await graph.runMonolith(nested)));
    for (const result of await runOften(createGraph({ maxResponseBytes: bytes - 1 }), nested)) {
      expect(codesOf(result)).toEqual(['RESPONSE_TOO_LARGE']);
      expect(result).not.toHaveProperty('data');
    }
  });

  test('fails early, after a part of the turns of the whole answer', async () => {
    const small = createGraph({ maxResponseBytes: 100_000 });
    await runOften(graph, nested);
    await runOften(small, nested);
    expect(await turnsOf(small)).toBeLessThan(await turnsOf(graph));
  });

  test('lets other work run while it is made', async () => {
    await runOften(graph, nested);
    expect(await turnsOf(graph)).toBeGreaterThan(5);
  });

  test('is aborted after the time limit', async () => {
    const limited = createGraph({ hooks: [withTimeout(1)] });
    const result = await limited.engine.execute({ query: nested }, testContext());
    expect(codesOf(result)).toEqual(['OPERATION_TIMEOUT']);
  });

  test('is aborted while it is written, and reports no internal error', async () => {
    const controller = new AbortController();
    const { engine, internalErrors } = createGraph({
      hooks: [
        {
          onFetch: async (_fetch, context, next) => {
            const fetched = await next(context);
            setImmediate(() => controller.abort(new Error('Nobody waits')));
            return fetched;
          },
        },
      ],
    });
    const result = await engine.execute({ query: nested }, { ...testContext(), signal: controller.signal });
    expect(result).not.toHaveProperty('data');
    expect(codesOf(result)).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(internalErrors).toEqual([]);
  });

  test('does not keep a small one from being made without a turn of the event loop', async () => {
    const query = '{ __typename }';
    await runOften(graph, query);
    const large = graph.engine.execute({ query: nested }, testContext());
    let immediate = false;
    setImmediate(() => {
      immediate = true;
    });
    await graph.engine.execute({ query }, testContext());
    expect(immediate).toBe(false);
    await large;
  });
});

describe('the bound of an answer', () => {
  test('holds for events', async () => {
    const bounded = createGraph({ maxResponseBytes: 1_000 });
    const resultsOf = async (query: string) => {
      const events = await bounded.engine.subscribe({ query }, testContext());
      const results: ExecutionResult[] = [];
      for await (const result of events as AsyncIterableIterator<ExecutionResult>) {
        results.push(result);
      }
      return results;
    };
    expect((await resultsOf('subscription { changed { friends { id name } } }')).map(codesOf)).toEqual([
      ['RESPONSE_TOO_LARGE'],
      ['RESPONSE_TOO_LARGE'],
    ]);
    expect(await resultsOf('subscription { changed { id } }')).toEqual([
      { data: { changed: { id: '0' } } },
      { data: { changed: { id: '1' } } },
    ]);
  });

  test('holds for introspection', async () => {
    const bounded = createGraph({ maxResponseBytes: 2_000 });
    for (const result of await runOften(
      bounded,
      '{ __schema { types { name fields { name description } } } }',
    )) {
      expect(codesOf(result)).toEqual(['RESPONSE_TOO_LARGE']);
    }
  });

  test("does not apply to the product's own documents", async () => {
    const bounded = createGraph({ maxResponseBytes: 2_000 });
    const document = bounded.engine.prepareTrusted(nested);
    const result = await bounded.engine.executeTrusted(document, null, testContext());
    expect(result.errors).toBeUndefined();
    expect(JSON.stringify(result).length).toBeGreaterThan(1_000_000);
  });
});

test('an answer has at most 100 errors, and the number of further ones', async () => {
  const graph = createGraph();
  for (const { errors = [] } of await runOften(graph, '{ broken { a: friends { lost } } }')) {
    expect(errors).toHaveLength(101);
    expect(errors[100]?.message).toMatch(/^\d+ more errors were left out\.$/);
    expect(errors[100]?.extensions).toMatchObject({ omitted: expect.any(Number) });
  }
});
