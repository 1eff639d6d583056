import { beforeEach, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { type TestResolver, testContext } from '../../gateway/engine/testing/index.ts';
import { describeGraph } from './support/suite.ts';

const log: string[] = [];

function slow(name: string, make: () => unknown): TestResolver {
  return async (_source, { n = '' }) => {
    log.push(`${name}${String(n)} begins`);
    await new Promise((resolve) => setTimeout(resolve, 2));
    log.push(`${name}${String(n)} ends`);
    return make();
  };
}

describeGraph(
  'mutations',
  {
    subgraphs: {
      carts: `
        type Query { a: Int }
        type Mutation { add(n: Int): Cart clear: Cart fail: Cart failHard: Cart! }
        type Cart @key(fields: "id") { id: ID! size: Int }`,
      orders: `
        type Query { b: Int }
        type Mutation { order(n: Int): Cart }
        type Cart @key(fields: "id") { id: ID! total: Int }`,
    },
    resolvers: {
      Mutation: {
        add: slow('add', () => ({ id: 'c1', size: log.length })),
        clear: slow('clear', () => ({ id: 'c1', size: 0 })),
        order: slow('order', () => ({ id: 'c2' })),
        fail: slow('fail', () => {
          throw new GraphQLError('no', { extensions: { code: 'NO' } });
        }),
        failHard: slow('failHard', () => null),
      },
      Cart: { total: slow('total', () => log.length), size: ({ size }) => size },
    },
    references: { Cart: ({ id }) => ({ id }) },
  },
  (graph) => {
    beforeEach(() => {
      log.length = 0;
    });
    const run = (query: string, variables: Record<string, unknown> = {}) =>
      graph().engine.execute({ query, variables }, testContext());
    const begun = () => log.filter((line) => line.endsWith('begins')).map((line) => line.split(' ')[0]);

    test('run one after the other, each with all that other subgraphs add', async () => {
      const { data, errors } = await run(
        'mutation { a: add(n: 1) { total } order(n: 2) { id } b: add(n: 3) { size total } clear { size } }',
      );
      expect(errors).toBeUndefined();
      const steps = ['add1', 'total', 'order2', 'add3', 'total', 'clear'];
      expect(log).toEqual(steps.flatMap((step) => [`${step} begins`, `${step} ends`]));
      expect(JSON.stringify(data)).toBe(
        '{"a":{"total":4},"order":{"id":"c2"},"b":{"size":8,"total":10},"clear":{"size":0}}',
      );
    });

    test('one that fails does not stop the later ones', async () => {
      const { data, errors } = await run('mutation { fail { id } order { id } }');
      expect(JSON.stringify(data)).toBe('{"fail":null,"order":{"id":"c2"}}');
      expect(errors?.map(({ path }) => path)).toEqual([['fail']]);
    });

    test('one that must not be null and is leaves no data', async () => {
      const { data, errors } = await run('mutation { failHard { id } order { id } }');
      expect(data).toBeNull();
      expect(errors?.map(({ path }) => path)).toEqual([['failHard']]);
    });

    // Found by random operations: the order was that of the first selection, also where that one does not count.
    test('have the order of the selections that count', async () => {
      const query =
        'mutation($no: Boolean!) { add(n: 1) @skip(if: $no) { id } order { id } ... @include(if: $no) { clear { id } } add(n: 1) { size } }';
      await run(query, { no: true });
      expect(begun()).toEqual(['order', 'clear', 'add1']);
      log.length = 0;
      await run(query, { no: false });
      expect(begun()).toEqual(['add1', 'order']);
    });

    test('selections of one root field are merged, and it runs once', async () => {
      const query = `mutation($a: Boolean!) { ...F add(n: 1) { size } ... @include(if: $a) { x: order(n: 1) { id } } }
        fragment F on Mutation { add(n: 1) { id } y: order(n: 2) @skip(if: $a) { id } }`;
      expect(Object.keys((await run(query, { a: true })).data ?? {})).toEqual(['add', 'x']);
      expect(begun()).toEqual(['add1', 'order1']);
      log.length = 0;
      const { data } = await run(query, { a: false });
      expect(JSON.stringify(data)).toBe('{"add":{"id":"c1","size":2},"y":{"id":"c2"}}');
      expect(begun()).toEqual(['add1', 'order2']);
    });

    test('one of which nothing is selected runs', async () => {
      await run(
        'mutation { clear { __typename } ...F } fragment F on Mutation { order { id @skip(if: true) } }',
      );
      expect(begun()).toEqual(['clear', 'order']);
    });
  },
);

const runs: string[] = [];

describeGraph(
  '@shareable mutations',
  {
    subgraphs: {
      cards: {
        typeDefs: `type Query { ok: Boolean } type Mutation { pay: Receipt @shareable open: Account @shareable }
          type Receipt { id: ID @shareable card: String total: Total @shareable } type Total @shareable { net: Int }
          type Account @key(fields: "id") { id: ID! card: String }`,
        resolvers: { Mutation: { pay: () => note('cards'), open: () => note('cards') } },
      },
      banks: {
        typeDefs: `type Mutation { pay: Receipt @shareable open: Account @shareable }
          type Receipt { id: ID @shareable bank: String total: Total @shareable } type Total @shareable { net: Int fee: Int }
          type Account @key(fields: "id") { id: ID! bank: String }`,
        resolvers: { Mutation: { pay: () => note('banks'), open: () => note('banks') } },
      },
    },
    resolvers: {
      Receipt: { card: () => 'card', bank: () => 'bank', total: () => ({ net: 9, fee: 1 }) },
      Account: { card: () => 'card', bank: () => 'bank' },
    },
    references: { Account: (reference) => reference },
  },
  (graph) => {
    beforeEach(() => {
      runs.length = 0;
    });
    const run = (query: string) => graph().engine.execute({ query }, testContext());

    test.each([
      ['mutation { pay { id card total { net } } }', { pay: { id: '1', card: 'card', total: { net: 9 } } }],
      ['mutation { pay { total { net fee } bank } }', { pay: { total: { net: 9, fee: 1 }, bank: 'bank' } }],
      ['mutation { open { card bank } }', { open: { card: 'card', bank: 'bank' } }],
    ])('%s runs in one subgraph', async (query, data) => {
      const result = await run(query);
      expect(JSON.parse(JSON.stringify(result))).toEqual({ data });
      expect(runs).toHaveLength(1);
    });

    test.each([
      'mutation { pay { card bank } }',
      'mutation { open { id } pay { card total { fee } } }',
      'mutation($yes: Boolean = false) { pay { card bank @include(if: $yes) } }',
    ])('%s is refused before anything runs', async (query) => {
      const { data, errors } = await run(query);
      expect(data).toBeUndefined();
      expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(runs).toEqual([]);
      expect(String(graph().internalErrors.splice(0))).toContain(
        'Mutation.pay would have to run in several subgraphs.',
      );
    });
  },
);

function note(subgraph: string): { id: string } {
  runs.push(subgraph);
  return { id: '1' };
}
