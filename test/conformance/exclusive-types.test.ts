import { expect, test } from '@jest/globals';
import { testContext } from '../../gateway/engine/testing/index.ts';
import { answers, describeGraph } from './support/suite.ts';

const fees: Readonly<Record<string, number>> = { r1: 3, m1: 7 };

/** Entities of two types that lead to one entity of other subgraphs, as remittances and money requests do. */
describeGraph(
  'fields of types that exclude each other',
  {
    subgraphs: {
      moves: {
        typeDefs: `
          type Query { node(id: ID!): Node search(text: String): [Match!]! any(id: ID!): Either }
          interface Node { id: ID! }
          union Either = Remittance | Request
          type Match { node: Node either: Either }
          type Remittance implements Node @key(fields: "id") { id: ID! operation: Operation cost: Int note(short: Boolean = false): String sum: Int }
          type Request implements Node @key(fields: "id") { id: ID! operation: Operation cost: Int note(short: Boolean = true): String sum: Int! @shareable }
          type Operation @key(fields: "id") { id: ID! code(size: Int = 1): String }`,
        resolvers: {
          Operation: { code: ({ id }, { size }) => String(id).repeat(Number(size)) },
          Request: { note: (_source, { short }) => `request ${String(short)}` },
          Remittance: { note: (_source, { short }) => `remittance ${String(short)}` },
        },
      },
      money: `
        type Operation @key(fields: "id") { id: ID! fee: Money amount: Money timeline(first: Int = 5, from: Zone): Timeline }
        type Money @shareable { amount: Int currency: String }
        type Timeline { nodes: [Entry!] } type Entry { id: ID! at: Int }
        enum Zone { EAST WEST }`,
      notes: `type Operation @key(fields: "id") { id: ID! remark(lang: String): String }
        type Request @key(fields: "id") { id: ID! sum: Int @shareable other: Int }
        type Marked @interfaceObject @key(fields: "id") { id: ID! mark(color: String = "red"): String rank(of: Int): Int }
        type Query { marks: [Marked!] }`,
      marks: `interface Marked @key(fields: "id") { id: ID! }
        type Sheet implements Marked @key(fields: "id") { id: ID! pages: Int }
        type Board implements Marked @key(fields: "id") { id: ID! size: Int }
        type Query { marked: [Marked!]! }`,
    },
    resolvers: {
      Query: {
        node: (_source, { id }) => ({ __typename: id === 'r1' ? 'Remittance' : 'Request', id }),
        any: (_source, { id }) => ({ __typename: id === 'r1' ? 'Remittance' : 'Request', id }),
        search: () =>
          ['r1', 'm1'].map((id) => {
            const node = { __typename: id === 'r1' ? 'Remittance' : 'Request', id };
            return { node, either: node };
          }),
        marked: () => [
          { __typename: 'Sheet', id: 's1' },
          { __typename: 'Board', id: 'b1' },
        ],
        marks: () => [
          { __typename: 'Sheet', id: 's1' },
          { __typename: 'Board', id: 'b1' },
        ],
      },
      Remittance: {
        operation: ({ id }) => ({ id }),
        cost: () => 1,
        sum: () => 4,
        note: (_source, { short }) => `remittance ${String(short)}`,
      },
      Request: {
        operation: ({ id }) => ({ id }),
        cost: () => 2,
        sum: () => 5,
        other: () => 6,
        note: (_source, { short }) => `request ${String(short)}`,
      },
      Operation: {
        fee: ({ id }) => ({ amount: fees[String(id)], currency: 'XCG' }),
        amount: ({ id }) => ({ amount: (fees[String(id)] ?? 0) * 100, currency: 'EUR' }),
        code: ({ id }, { size }) => String(id).repeat(Number(size)),
        timeline: (_source, { first, from = null }) => ({
          nodes: Array.from({ length: Number(first) }, (_item, at) => ({ id: `${String(from)}${at}`, at })),
        }),
        remark: ({ id }, { lang }) => `${String(id)} in ${String(lang)}`,
      },
      Marked: {
        mark: ({ id }, { color }) => `${String(id)} is ${String(color)}`,
        rank: (_source, { of }) => Number(of) + 1,
      },
      Sheet: { pages: () => 9 },
      Board: { size: () => 8 },
    },
    references: {
      Operation: ({ id }) => ({ id }),
      Request: ({ id }) => ({ id }),
      Marked: ({ id }) => ({ __typename: String(id).startsWith('s') ? 'Sheet' : 'Board', id }),
      Sheet: ({ id }) => ({ id }),
      Board: ({ id }) => ({ id }),
    },
  },
  (graph) => {
    const both = (remittance: string, request: string, around = 'search { node {@} }') =>
      `{ ${around.replace('@', `... on Remittance { ${remittance} } ... on Request { ${request} }`)} }`;
    answers(graph, [
      {
        name: 'one field with different arguments below',
        query: both(
          'operation { timeline(first: 1) { nodes { id } } }',
          'operation { timeline(first: 2) { nodes { id } } }',
        ),
      },
      {
        name: 'different fields under one key below',
        query: both('operation { x: fee { amount } }', 'operation { x: amount { amount } }'),
      },
      {
        name: 'the same in a union',
        query: both(
          'operation { x: fee { amount currency } }',
          'operation { x: amount { amount } y: fee { currency } }',
          'search { either {@} }',
        ),
      },
      {
        name: 'keys crossed over',
        query: both(
          'operation { fee: amount { amount } amount: fee { amount } }',
          'operation { fee { amount } amount { amount } }',
        ),
      },
      {
        name: 'a key of the plan as an alias',
        query: both('operation { id: code } id: cost', 'operation { id: remark(lang: "fr") } id: sum'),
      },
      {
        name: 'different arguments of one subgraph',
        query: both('operation { code(size: 2) }', 'operation { code(size: 3) }'),
      },
      {
        name: 'defaults and literals',
        query: both('note x: note(short: true)', 'note(short: false) x: note'),
      },
      {
        name: 'different fields of the types themselves',
        query: both('x: cost y: sum', 'x: sum y: cost'),
      },
      {
        name: 'a field that may be null in one type, and in the other as far as clients know',
        query: both('sum operation { id }', 'sum operation { id }'),
      },
      {
        name: 'arguments in another order are the same arguments',
        query: both(
          'operation { timeline(first: 1, from: EAST) { nodes { id } } }',
          'operation { timeline(from: EAST, first: 1) { nodes { at } } }',
        ),
      },
      {
        name: 'fields of different subgraphs under one key',
        query: both('operation { x: code }', 'operation { x: remark(lang: "en") }'),
      },
      {
        name: 'with variables',
        query: `query($a: Int = 1, $b: Int, $z: Zone = WEST) ${both(
          'operation { timeline(first: $a, from: $z) { nodes { id } } }',
          'operation { timeline(first: $b, from: EAST) { nodes { id at } } }',
        )}`,
        variables: { b: 3 },
      },
      {
        name: 'fields of interface objects',
        query:
          '{ marked { ... on Sheet { x: mark(color: "blue") y: rank(of: 1) } ... on Board { x: mark y: rank(of: 2) } } }',
      },
      {
        name: 'fields of interface objects whose types come later',
        query: '{ marks { ... on Sheet { x: mark(color: "blue") } ... on Board { x: mark size } } }',
      },
      {
        name: 'named fragments, deeper',
        query: `{ search { node { ...A ...B } } }
          fragment A on Remittance { operation { timeline { ...C } } }
          fragment B on Request { operation { timeline(first: 2) { ...C } } }
          fragment C on Timeline { nodes { id } }`,
      },
    ]);

    for (const yes of [true, false]) {
      answers(graph, [
        {
          name: `conditions on the fragments, ${yes}`,
          query: `query($yes: Boolean!) { search { node {
            ... on Remittance @include(if: $yes) { operation { x: fee { amount } } }
            ... on Request @skip(if: $yes) { operation { x: amount { amount } } } } } }`,
          variables: { yes },
        },
        {
          name: `conditions on the fields, ${yes}`,
          query: `query($yes: Boolean!, $no: Boolean = false) { search { node {
            ... on Remittance { operation { x: fee @include(if: $yes) { amount @skip(if: $no) } y: code } }
            ... on Request { operation @skip(if: $no) { x: amount { amount @include(if: $yes) currency } y: code(size: 2) @skip(if: $yes) } } } } }`,
          variables: { yes },
        },
      ]);
    }

    test('each entity is asked for what its own type selects, once', async () => {
      const { engine, fetches } = graph();
      fetches.length = 0;
      const query = both('operation { x: fee { amount } }', 'operation { x: amount { amount } }');
      await engine.execute({ query }, testContext());
      expect(fetches.map(({ subgraph }) => subgraph)).toEqual(['moves', 'money']);
      const sent = Object.values(fetches[1]?.variables ?? {});
      expect(sent).toEqual([
        [{ __typename: 'Operation', id: 'r1' }],
        [{ __typename: 'Operation', id: 'm1' }],
      ]);
    });
  },
);
