import { answers, type ConformanceCase, describeGraph } from './support/suite.ts';

const node = (id: string) => ({ __typename: 'Node', id });
/** Lists of nodes; `bad` is the one of which the other subgraph has nothing. */
const LISTS = { nodes: ['a', 'bad', 'b'] };
const fields = ['list', 'listX', 'listOfX', 'listXOfX', 'deep', 'deepX'] as const;
/** The rest of each list when a field of one of its items may not be null and is. */
const LEFT: Record<(typeof fields)[number], unknown> = {
  list: [{ x: 1 }, null, { x: 1 }],
  listX: [{ x: 1 }, null, { x: 1 }],
  listOfX: null,
  listXOfX: null,
  deep: [null, []],
  deepX: null,
};
const pathBelow = (field: string) => (field.startsWith('deep') ? [0, 1] : [1]);

describeGraph(
  'null propagation across subgraphs',
  {
    subgraphs: {
      lists: `
        type Query { root: Root rootX: Root! roots: [Root!] single: Node singleX: Node! }
        type Root {
          ok: Int list: [Node] listX: [Node]! listOfX: [Node!] listXOfX: [Node!]! deep: [[Node!]] deepX: [[Node!]!]
          ints: [Int!] intsX: [Int!]! node: Node nodeX: Node!
        }
        type Node @key(fields: "id") { id: ID! }`,
      values:
        'type Node @key(fields: "id") { id: ID! x: Int! y: Int fail: Int failX: Int! next: Node nextX: Node! }',
    },
    resolvers: {
      Query: {
        root: () => ({}),
        rootX: () => ({}),
        roots: () => [{}, {}],
        single: () => node('bad'),
        singleX: () => node('bad'),
      },
      Root: {
        ok: () => 1,
        ...Object.fromEntries(
          ['list', 'listX', 'listOfX', 'listXOfX'].map((name) => [name, () => LISTS.nodes.map(node)]),
        ),
        deep: () => [LISTS.nodes.map(node), []],
        deepX: () => [LISTS.nodes.map(node), []],
        ints: () => [1, null, 3],
        intsX: () => [1, null, 3],
        node: () => node('bad'),
        nodeX: () => node('bad'),
      },
      Node: {
        x: ({ id }) => (id === 'bad' ? null : 1),
        y: () => 2,
        fail: () => {
          throw new Error('always');
        },
        failX: () => {
          throw new Error('always');
        },
        next: () => node('bad'),
        nextX: () => node('bad'),
      },
    },
    references: { Node: ({ id }) => node(String(id)) },
  },
  (graph) => {
    answers(graph, [
      ...fields.map(
        (field): ConformanceCase => ({
          name: `in ${field}`,
          query: `{ root { ok ${field} { x } } }`,
          data: { root: field === 'listXOfX' ? null : { ok: 1, [field]: LEFT[field] } },
          errors: [['root', field, ...pathBelow(field), 'x']],
        }),
      ),
      {
        name: 'in lists of leaves',
        query: '{ root { ok ints } }',
        data: { root: { ok: 1, ints: null } },
        errors: [['root', 'ints', 1]],
      },
      {
        name: 'in required lists of leaves',
        query: '{ root { ok intsX } }',
        data: { root: null },
        errors: [['root', 'intsX', 1]],
      },
      {
        name: 'to the nearest that may be null',
        query: '{ root { ok nodeX { y nextX { next { x } } } } }',
        data: { root: { ok: 1, nodeX: { y: 2, nextX: { next: null } } } },
        errors: [['root', 'nodeX', 'nextX', 'next', 'x']],
      },
      {
        name: 'through several that may not',
        query: '{ root { ok nodeX { nextX { x } } } }',
        data: { root: null },
        errors: [['root', 'nodeX', 'nextX', 'x']],
      },
      {
        name: 'to the top',
        query: '{ root { ok } rootX { nodeX { failX } } }',
        data: null,
        errors: [['rootX', 'nodeX', 'failX']],
      },
      { name: 'to the top at once', query: '{ singleX { x } }', data: null, errors: [['singleX', 'x']] },
      {
        name: 'out of a list of what may not be null',
        query: '{ roots { ok nodeX { x } } }',
        data: { roots: null },
        errors: [0, 1].map((index) => ['roots', index, 'nodeX', 'x']),
      },
      {
        name: 'not where it may be null',
        query: '{ roots { node { fail y } } }',
        data: { roots: [{ node: { fail: null, y: 2 } }, { node: { fail: null, y: 2 } }] },
        errors: [0, 1].map((index) => ['roots', index, 'node', 'fail']),
      },
      {
        name: 'under the keys of the client',
        query: '{ a: root { b: listOfX { c: x } } d: single { e: next { f: failX } } }',
        data: { a: { b: null }, d: { e: null } },
        errors: [
          ['a', 'b', 1, 'c'],
          ['d', 'e', 'f'],
        ],
      },
      {
        name: 'at each place of an entity, for itself',
        query: '{ a: single { x } b: single { y fail } }',
        data: { a: null, b: { y: 2, fail: null } },
        errors: [
          ['a', 'x'],
          ['b', 'fail'],
        ],
      },
    ]);
  },
);
