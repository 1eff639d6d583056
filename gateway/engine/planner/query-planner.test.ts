import { describe, expect, test } from '@jest/globals';
import { readOperation } from '../operation/document.ts';
import { readSupergraph } from '../supergraph/supergraph.ts';
import { composeTestGraph, createTestGraph } from '../testing/graph.ts';
import { testContext } from '../testing/index.ts';
import { createQueryPlanner } from './query-planner.ts';
import { divideRoot } from './root-fields.ts';

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

test('fragments that many types share are read once, whatever leads to them', async () => {
  const kinds = 30;
  const supergraph = readSupergraph(
    composeTestGraph({
      a: `type Query { nodes: [Node] } interface Node { id: ID! }
        ${times(kinds, (kind) => `type Kind${kind} implements Node { id: ID! next: Node }`)}`,
    }),
  );
  const valid = readOperation(
    `{ nodes { ${times(kinds, (kind) => `... on Kind${kind} { next { ...Middle } }`)} } }
      fragment Middle on Node { ... on Kind0 { next { ...Last } } }
      fragment Last on Node { ${times(kinds, (kind) => `... on Kind${kind} { id }`)} }`,
    null,
    supergraph.publicSchema,
  );
  const rootType = supergraph.publicSchema.getQueryType();
  if ('errors' in valid || !rootType) {
    throw new Error('The query is not valid.');
  }
  const planner = createQueryPlanner({ supergraph });
  const keys = planner.createKeys();
  let read = 0;
  const counting = {
    ...keys,
    planKey: (...field: Parameters<typeof keys.planKey>) => {
      read += 1;
      return keys.planKey(...field);
    },
  };
  const context = { schema: supergraph.publicSchema, fragments: valid.fragments, keys: counting };
  const { parts } = divideRoot(context, valid.operation, rootType);
  expect(await planner.plan({ ...valid, context, parts })).toMatchObject({ nodes: [{ kind: 'Fetch' }] });
  expect(read).toBeLessThan(kinds * 10);
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
