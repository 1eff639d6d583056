import { describe, expect, test } from '@jest/globals';
import { buildEngine, createInProcessTransport, type PlanNode } from '../../gateway/engine/index.ts';
import {
  comparable,
  createTestGraph,
  planBy,
  type TestGraphOptions,
  testContext,
} from '../../gateway/engine/testing/index.ts';

const options: TestGraphOptions = {
  subgraphs: {
    farms: `
      type Query { farm: Farm animals: [Animal!]! }
      type Subscription { born: Cow }
      interface Animal { id: ID! }
      type Farm @key(fields: "id") { id: ID! best: Cow second: Goat }
      type Cow implements Animal @key(fields: "id") { id: ID! }
      type Goat implements Animal @key(fields: "id") { id: ID! }`,
    milk: `
      type Query { litres: Int }
      type Cow @key(fields: "id") { id: ID! milk: Int yield(unit: Int = 1): Int }
      type Goat @key(fields: "id") { id: ID! milk: String }`,
    land: 'type Farm @key(fields: "id") { id: ID! acres: Int }',
  },
  resolvers: {
    Query: {
      farm: () => ({ id: 'f', best: { id: 'c1' }, second: { id: 'g1' } }),
      animals: () => [
        { __typename: 'Cow', id: 'c1' },
        { __typename: 'Goat', id: 'g1' },
        { __typename: 'Cow', id: 'c1' },
      ],
      litres: () => 8,
    },
    Subscription: {
      born: {
        async *subscribe() {
          yield { born: { id: 'c9' } };
        },
      },
    },
    Cow: { milk: () => 20, yield: (_cow, { unit }) => Number(unit) * 10 },
    Goat: { milk: () => 'some' },
    Farm: { acres: () => 70 },
  },
  references: {
    Farm: (reference) => ({ ...reference }),
    Cow: ({ id }) => ({ id }),
    Goat: ({ id }) => ({ id }),
  },
};

function kindsOf(value: unknown, kinds = new Set<string>()): Set<string> {
  if (typeof value === 'object' && value !== null) {
    if ('kind' in value && typeof value.kind === 'string') {
      kinds.add(value.kind);
    }
    for (const inner of Object.values(value)) {
      kindsOf(inner, kinds);
    }
  }
  return kinds;
}

const plans: unknown[] = [];
const graph = createTestGraph({
  ...options,
  engine: {
    hooks: [
      {
        async onPlan(_operation, next) {
          const plan = await next();
          plans.push(plan);
          return plan;
        },
      },
    ],
  },
});

describe('plan nodes', () => {
  test.each([
    ['Fetch', '{ litres }'],
    ['Parallel', '{ litres farm { id } }'],
    ['Sequence', '{ farm { best { milk } } }'],
    ['Flatten', '{ animals { ... on Cow { milk } } }'],
    ['BatchFetch', '{ farm { best { milk } second { milk } acres } }'],
    ['Condition', 'query($yes: Boolean!) { farm { id acres @include(if: $yes) } }'],
  ])('%s', async (kind, query) => {
    await graph.engine.prepare({ query });
    expect(kindsOf(plans.at(-1))).toContain(kind);
    for (const yes of [true, false]) {
      const result = await graph.engine.execute({ query, variables: { yes } }, testContext());
      expect(comparable(result)).toEqual(comparable(await graph.runMonolith(query, { yes })));
    }
  });

  test('Subscription', async () => {
    const query = 'subscription { born { milk } }';
    const stream = await graph.engine.subscribe({ query }, testContext());
    expect(kindsOf(plans.at(-1))).toContain('Subscription');
    const events: unknown[] = [];
    for await (const event of stream as AsyncIterable<unknown>) {
      events.push(event);
    }
    expect(events).toEqual([{ data: { born: { milk: 20 } } }]);
  });
});

/** Plans that the planner rarely writes, written by hand. */
describe('plans as written', () => {
  function engineFor(plan: PlanNode) {
    const transports = Object.entries(graph.schemas).map(([name, schema]) => [
      name,
      createInProcessTransport(schema),
    ]);
    return buildEngine({
      supergraphSdl: graph.supergraphSdl,
      transports: Object.fromEntries(transports),
      onInternalError: (error) => {
        throw error;
      },
      exposeInternalErrors: true,
      planner: planBy(() => plan),
    });
  }
  const animals: PlanNode = { kind: 'Fetch', serviceName: 'farms', operation: '{animals{__typename id}}' };
  const entities = (fields: string) =>
    `query($representations:[_Any!]!){_entities(representations:$representations){${fields}}}`;
  const requires = (type: string) => [
    {
      kind: 'InlineFragment' as const,
      typeCondition: type,
      selections: [
        { kind: 'Field' as const, name: '__typename' },
        { kind: 'Field' as const, name: 'id' },
      ],
    },
  ];

  test('keys of answers are renamed', async () => {
    const engine = engineFor({
      kind: 'Sequence',
      nodes: [
        animals,
        {
          kind: 'Flatten',
          path: [{ Field: 'animals' }, '@'],
          node: {
            kind: 'Fetch',
            serviceName: 'milk',
            operation: entities('__typename ...on Cow{alias: milk} ...on Goat{milk}'),
            requires: [...requires('Cow'), ...requires('Goat')],
            renames: [{ path: ['alias'], to: 'milk' }],
          },
        },
      ],
    });
    const result = await engine.execute({ query: '{ animals { ... on Cow { milk } } }' }, testContext());
    expect(result).toEqual({ data: { animals: [{ milk: 20 }, {}, { milk: 20 }] } });
  });

  test('references are sent as another type; type conditions in paths hold', async () => {
    const engine = engineFor({
      kind: 'Sequence',
      nodes: [
        animals,
        {
          kind: 'Flatten',
          path: [{ Field: 'animals' }, '@', { TypeCondition: ['Goat'] }],
          node: {
            kind: 'Fetch',
            serviceName: 'milk',
            operation: entities('...on Cow{yield}'),
            requires: requires('Goat'),
            sendAs: 'Cow',
          },
        },
      ],
    });
    const query = '{ animals { __typename ... on Cow { yield } } }';
    // Goats are fetched as cows; cows are not fetched.
    expect((await engine.execute({ query }, testContext())).data).toEqual({
      animals: [{ __typename: 'Cow', yield: null }, expect.anything(), { __typename: 'Cow', yield: null }],
    });
  });

  test('a condition has two branches', async () => {
    const fetch = (operation: string): PlanNode => ({ kind: 'Fetch', serviceName: 'milk', operation });
    const engine = engineFor({
      kind: 'Condition',
      condition: 'yes',
      ifClause: fetch('{litres}'),
      elseClause: fetch('{other:litres litres}'),
    });
    const query = 'query($yes: Boolean!) { litres @include(if: $yes) other: litres @skip(if: $yes) }';
    for (const [yes, data] of [
      [true, { litres: 8 }],
      [false, { other: 8 }],
    ] as const) {
      expect((await engine.execute({ query, variables: { yes } }, testContext())).data).toEqual(data);
    }
  });

  test('an entity at several places is fetched once', async () => {
    const query = '{ farm { best { milk } } animals { ... on Cow { milk } } }';
    graph.fetches.length = 0;
    const result = await graph.engine.execute({ query }, testContext());
    expect(comparable(result)).toEqual(comparable(await graph.runMonolith(query)));
    const sent = graph.fetches.filter(({ subgraph }) => subgraph === 'milk');
    for (const representations of sent.flatMap(({ variables }) => Object.values(variables))) {
      expect(representations).toEqual([{ __typename: 'Cow', id: 'c1' }]);
    }
  });
});
