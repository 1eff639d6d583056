import { describe, expect, test } from '@jest/globals';
import { createTestGraph, testContext } from '../testing/index.ts';

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

const shared = (name: string) => `type Query { box: Box @shareable ${name}: Int }
  type Box @shareable { box: Box n(by: Int): Int }`;

describe('the planner', () => {
  const graph = createTestGraph({
    subgraphs: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, shared(name)])),
    resolvers: { Query: { box: () => ({}) }, Box: { n: (_box, { by }) => Number(by) } },
  });
  const run = (query: string) => graph.engine.execute({ query }, testContext());

  test('refuses an operation whose ways take too much work to compare', async () => {
    const { data, errors } = await run(
      `{ box { ${times(4_000, (index) => `n${index}: n(by: ${index})`)} } }`,
    );
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: 'The operation takes too much work to plan.',
        extensions: { code: 'OPERATION_TOO_COMPLEX' },
      },
    ]);
    expect(graph.internalErrors).toEqual([]);
  });

  test('compares ways for a large operation', async () => {
    const { data, errors } = await run(
      `{ box { ${times(1_000, (index) => `n${index}: n(by: ${index})`)} } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ box: { n0: 0, n999: 999 } });
  });

  test('lets others run while it plans', async () => {
    const turns: number[] = [];
    const timer = setInterval(() => turns.push(turns.length), 0);
    await graph.engine.prepare({
      query: `{ box { ${times(1_500, (index) => `m${index}: n(by: ${index})`)} } }`,
    });
    clearInterval(timer);
    expect(turns.length).toBeGreaterThan(0);
  });
});

test('a supergraph with @fromContext is refused', () => {
  const { supergraphSdl } = createTestGraph({ subgraphs: { a: 'type Query { n(by: Int): Int }' } });
  const withContext = supergraphSdl.replace(
    /n\(by: Int\): Int( @join__field\(graph: A\))?/,
    'n(by: Int): Int @join__field(graph: A, contextArguments: [{ context: "a__c", name: "x", type: "Int", selection: "{ n }" }])',
  );
  expect(withContext).toContain('contextArguments');
  expect(() =>
    createTestGraph({
      subgraphs: { a: 'type Query { n(by: Int): Int }' },
      engine: { supergraphSdl: withContext },
    }),
  ).toThrow('Query.n uses @fromContext, which is not supported.');
});
