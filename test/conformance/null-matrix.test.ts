import { describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { comparable, createTestGraph, runBoth, type TestGraph } from '../../gateway/engine/testing/index.ts';

/**
 * Every way in which a field can fail, at every nullability, in the subgraph that starts the operation and in one
 * that adds to it. Its own arguments say what the field gives, so one graph serves the whole matrix.
 */
const behaviours = ['value', 'null', 'throw', 'reject'] as const;

function behave(value: unknown) {
  return (_source: unknown, { does }: Record<string, unknown>) => {
    switch (does) {
      case 'null':
        return null;
      case 'throw':
        throw new GraphQLError('thrown', { extensions: { code: 'ON_PURPOSE' } });
      case 'reject':
        return Promise.reject(new GraphQLError('rejected', { extensions: { code: 'ON_PURPOSE' } }));
      default:
        return value;
    }
  };
}

const node = (id: string) => ({ __typename: 'Node', id });

function createNullGraph(): TestGraph {
  const fields = (prefix: string) => `
    ${prefix}Leaf(does: String): Int ${prefix}LeafX(does: String): Int!
    ${prefix}Node(does: String): Node ${prefix}NodeX(does: String): Node!
    ${prefix}List(does: String): [Node] ${prefix}ListX(does: String): [Node]!
    ${prefix}ListOfX(does: String): [Node!] ${prefix}ListXOfX(does: String): [Node!]!
    ${prefix}Lists(does: String): [[Node!]] ${prefix}Ints(does: String): [Int!]`;
  const resolvers = (prefix: string) => ({
    [`${prefix}Leaf`]: behave(1),
    [`${prefix}LeafX`]: behave(1),
    [`${prefix}Node`]: behave(node('n')),
    [`${prefix}NodeX`]: behave(node('n')),
    [`${prefix}List`]: behave([node('a'), null, node('b')]),
    [`${prefix}ListX`]: behave([node('a'), null, node('b')]),
    [`${prefix}ListOfX`]: behave([node('a'), node('b')]),
    [`${prefix}ListXOfX`]: behave([node('a'), node('b')]),
    [`${prefix}Lists`]: behave([[node('a')], null, [node('b'), node('a')]]),
    [`${prefix}Ints`]: behave([1, null, 2]),
  });
  return createTestGraph({
    subgraphs: {
      one: `type Query { start: Node startX: Node! starts: [Node!] } type Node @key(fields: "id") { id: ID! ${fields('one')} }`,
      two: `type Query { other: Int } type Node @key(fields: "id") { id: ID! ${fields('two')} }`,
    },
    resolvers: {
      Query: {
        start: () => node('s'),
        startX: () => node('x'),
        starts: () => [node('s'), node('t'), node('s')],
      },
      Node: { ...resolvers('one'), ...resolvers('two') },
    },
    references: { Node: ({ id }) => node(String(id)) },
  });
}

/** The positions at which the response is null for the reasons at `paths`. */
function nullPositions(data: string, paths: readonly string[]): string[] {
  const positions = paths.map((text) => {
    const path: (string | number)[] = JSON.parse(text);
    let value: unknown = JSON.parse(data);
    let depth = 0;
    while (value !== null && depth < path.length) {
      value = (value as Record<string | number, unknown>)[path[depth] as string] ?? null;
      depth += 1;
    }
    return JSON.stringify(path.slice(0, depth));
  });
  return [...new Set(positions)].sort();
}

describe('null propagation, compared with graphql-js', () => {
  const graph = createNullGraph();
  const containers = ['Node', 'NodeX', 'List', 'ListX', 'ListOfX', 'ListXOfX', 'Lists'];
  const roots = ['start', 'startX', 'starts'];
  const subgraphs = ['one', 'two'];
  const leaves = subgraphs.flatMap((subgraph) => [`${subgraph}Leaf`, `${subgraph}LeafX`]);

  /** The field's behaviour is a variable, so that one compiled operation meets all of it. */
  const runEach = async (query: string) => {
    for (const does of behaviours) {
      await run(`query($does: String) ${query}`, { does });
    }
  };

  const run = async (query: string, variables: Record<string, unknown> = {}) => {
    const { engine, last, monolith } = await runBoth(graph, query, variables);
    const expected = comparable(monolith);
    for (const { data, paths } of engine) {
      expect({ query, data }).toEqual({ query, data: expected.data });
      // A list of non-null items is null after its first error; graphql-js stops there, others may go on. So every
      // error of graphql-js is there, once, and any other one is about a position that is null for that reason.
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths).toEqual(expect.arrayContaining(expected.paths));
      expect({ query, nulls: nullPositions(data, paths) }).toEqual({
        query,
        nulls: nullPositions(expected.data, expected.paths),
      });
    }
    for (const error of last.errors ?? []) {
      expect(error.extensions.code).toMatch(/^(ON_PURPOSE|DOWNSTREAM_SERVICE_ERROR)$/);
    }
  };

  test.each(roots)('a failing leaf directly below %s', async (root) => {
    for (const leaf of leaves) {
      await runEach(`{ ${root} { id ${leaf}(does: $does) } }`);
    }
  });

  test.each(containers)('a failing leaf below %s', async (container) => {
    for (const subgraph of subgraphs) {
      for (const leaf of leaves) {
        await runEach(`{ start { x: id c: ${subgraph}${container} { id l: ${leaf}(does: $does) } } }`);
      }
    }
  });

  test.each(containers)('a failing %s', async (container) => {
    for (const subgraph of subgraphs) {
      await runEach(`{ startX { ${subgraph}${container}(does: $does) { id oneLeaf twoLeafX } id } }`);
      await runEach(`{ starts { ${subgraph}Node { ${subgraph}${container}(does: $does) { twoLeafX } } } }`);
    }
  });

  test('lists of leaves', async () => {
    await run('{ start { oneInts twoInts } }');
    await run('{ start { twoInts(does: "null") oneInts(does: "throw") } }');
  });

  test('errors of several subgraphs', async () => {
    await run(
      '{ a: start { oneLeaf(does: "throw") twoLeaf(does: "throw") } b: start { twoLeaf(does: "null") } }',
    );
    await run('{ starts { n: twoNode { twoLeafX(does: "throw") } oneLeaf(does: "reject") } }');
  });
});
