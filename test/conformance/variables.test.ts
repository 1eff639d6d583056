import { expect, test } from '@jest/globals';
import { type TestResolver, testContext } from '../../gateway/engine/testing/index.ts';
import { answers, describeGraph } from './support/suite.ts';

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return Array.isArray(value) ? value.map(sorted) : value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, sorted(inner)])
      .sort(),
  );
}

/** Returns the arguments that arrived; the order of arguments means nothing. */
const echo: TestResolver = (_source, args) => JSON.stringify(sorted(args));

describeGraph(
  'variables',
  {
    subgraphs: {
      echoes: `
        type Query {
          echo(n: Int = 3, id: ID, list: [Int!], lists: [[Int]], kind: Kind = LOW, where: Where, any: Any): String
          strict(n: Int! = 7, list: [Int!]! = [1]): String
          things: [Thing!]!
        }
        type Thing @key(fields: "id") { id: ID! rank: Rank }
        enum Rank { FIRST LAST }
        enum Kind { LOW HIGH OTHER }
        input Where { n: Int = 5 kind: Kind list: [Int!] deep: Where range: Range = { from: 1 } needed: Int! = 2 onlyHere: Int }
        input Range { from: Int! to: Int }
        scalar Any`,
      more: `
        type Thing @key(fields: "id") { id: ID! echo(kind: Kind, where: Where, n: Int): String grade: Rank }
        enum Kind { LOW HIGH }
        enum Rank { FIRST MIDDLE }
        input Where { n: Int = 5 kind: Kind list: [Int!] deep: Where range: Range = { from: 1 } needed: Int! = 2 }
        input Range { from: Int! to: Int }`,
    },
    resolvers: {
      Query: { echo, strict: echo, things: () => [{ id: '1' }, { id: '2' }] },
      Thing: { echo, rank: () => 'LAST', grade: () => 'MIDDLE' },
    },
    references: { Thing: ({ id }) => ({ id }) },
  },
  (graph) => {
    answers(graph, [
      { name: 'values of an enum that one subgraph knows', query: '{ things { rank grade } }' },
      { name: 'left out', query: 'query($n: Int, $k: Kind) { echo(n: $n, kind: $k) }' },
      {
        name: 'null',
        query: 'query($n: Int, $k: Kind) { echo(n: $n, kind: $k) }',
        variables: { n: null, k: null },
      },
      {
        name: 'defaults',
        query:
          'query($n: Int = 4, $k: Kind = HIGH) { echo(n: $n, kind: $k) things { echo(kind: $k, n: $n) } }',
      },
      {
        name: 'null beats a default',
        query: 'query($n: Int = 4) { echo(n: $n) things { echo(n: $n) } }',
        variables: { n: null },
      },
      { name: 'a default of one that may not be null', query: 'query($n: Int! = 4) { strict(n: $n) }' },
      { name: 'given beats a default', query: 'query($n: Int! = 4) { strict(n: $n) }', variables: { n: 9 } },
      {
        name: 'a value alone as a list',
        query: 'query($l: [Int!], $ll: [[Int]]) { echo(list: $l, lists: $ll) }',
        variables: { l: 1, ll: [1, [2, null], null] },
      },
      { name: 'numbers as ids', query: 'query($id: ID) { echo(id: $id) }', variables: { id: 5 } },
      {
        name: 'input objects',
        query: 'query($w: Where) { echo(where: $w) things { echo(where: $w) } }',
        variables: { w: { n: null, kind: 'HIGH', deep: { range: { from: 2, to: null }, deep: {} } } },
      },
      {
        name: 'fields of input objects',
        query: 'query($n: Int, $k: Kind, $r: Range) { echo(where: { n: $n, kind: $k, range: $r }) }',
        variables: { n: 1, k: 'LOW', r: { from: 1 } },
      },
      {
        name: 'items of lists',
        query: 'query($a: Int!, $b: Int!) { echo(list: [$a, 2, $b], lists: [[$a], [$b]]) }',
        variables: { a: 1, b: 3 },
      },
      {
        name: 'scalars of any shape',
        query: 'query($v: Any) { a: echo(any: $v) b: echo(any: { x: [1, { y: null }] }) }',
        variables: { v: { a: [1, 'x', { b: null }], __proto: 1 } },
      },
      {
        name: 'in fragments',
        query:
          'query($n: Int!) { ...F } fragment F on Query { things { ...T } } fragment T on Thing { echo(n: $n) }',
        variables: { n: 2 },
      },
      // Found by random operations: compiled code made null of them.
      {
        name: 'left out inside an input object',
        query:
          'query($n: Int, $k: Kind, $r: Range) { echo(where: { n: $n, kind: $k, range: $r }) things { echo(where: { n: $n }) } }',
      },
      {
        name: 'null inside a list of what may not be null',
        query: 'query($n: Int = 1) { echo(list: [$n]) }',
        variables: { n: null },
        errors: [['echo']],
      },
      {
        name: 'null for an argument that may not be null',
        query: 'query($n: Int = 1) { strict(n: $n) }',
        variables: { n: null },
        errors: [['strict']],
      },
    ]);

    test('an input field or enum value of only one subgraph is not in the schema', async () => {
      const codes = async (query: string) =>
        (await graph().engine.execute({ query }, testContext())).errors?.map(
          ({ extensions }) => extensions.code,
        );
      expect(await codes('{ echo(where: { onlyHere: 1 }) }')).toEqual(['GRAPHQL_VALIDATION_FAILED']);
      expect(await codes('{ echo(kind: OTHER) }')).toEqual(['BAD_USER_INPUT']);
      expect(await codes('{ echo(where: { n: 1 }, kind: HIGH) }')).toBeUndefined();
    });

    test.each([
      ['an argument', 'query($v: Int = 1) { strict(n: $v) }'],
      ['an item', 'query($v: Int = 1) { strict(list: [$v]) }'],
      ['an input field', 'query($v: Int = 1) { strict: echo(where: { needed: $v }) }'],
      ['a name of a type', 'query($v: String = "Query") { strict: __type(name: $v) { name } }'],
    ])('null for %s that may not be null is no internal error', async (_name, query) => {
      const { engine, internalErrors } = graph();
      internalErrors.length = 0;
      for (let run = 0; run < 4; run++) {
        const { data, errors } = await engine.execute({ query, variables: { v: null } }, testContext());
        expect(data).toEqual({ strict: null });
        expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
          [['strict'], 'BAD_USER_INPUT'],
        ]);
      }
      expect(internalErrors).toEqual([]);
    });

    test.each([
      ['missing', 'query($n: Int!) { strict(n: $n) }', {}],
      ['of the wrong type', 'query($n: Int!) { strict(n: $n) }', { n: '1' }],
      ['no value of the enum', 'query($k: Kind) { echo(kind: $k) }', { k: 'MIDDLE' }],
      ['an unknown input field', 'query($w: Where) { echo(where: $w) }', { w: { unknown: 1 } }],
      ['null inside', 'query($w: Where) { echo(where: $w) }', { w: { range: { from: null } } }],
      [
        'too deep for any stack',
        'query($v: [[Int]]) { echo(lists: $v) }',
        { v: JSON.parse(`${'['.repeat(9_999)}${']'.repeat(9_999)}`) },
      ],
    ])('%s', async (_name, query, variables) => {
      const { errors, ...rest } = await graph().engine.execute({ query, variables }, testContext());
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
      expect(rest).not.toHaveProperty('data');
    });

    test('a fetch gets the variables that it uses, as the client wrote them', async () => {
      const { engine, fetches } = graph();
      fetches.length = 0;
      const query = 'query($n: Int, $k: Kind) { echo(n: $n) things { echo(kind: $k) } }';
      await engine.execute({ query, variables: { n: 1, k: 'LOW', other: 2 } }, testContext());
      const sent = fetches.map(({ variables }) => Object.keys(variables).filter((name) => name.length < 6));
      expect(sent.flat().sort()).toEqual(['k', 'n']);
    });
  },
);
