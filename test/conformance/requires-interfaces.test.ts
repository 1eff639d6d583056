import { answers, describeGraph } from './support/suite.ts';

type Item = Record<string, unknown>;
const text = (value: unknown) => JSON.stringify(value ?? null);

const works = [
  { __typename: 'Print', id: 'p1', pages: 30, maker: { __typename: 'Guild', id: 'g1' }, size: { h: 4 } },
  { __typename: 'Bust', id: 'b1', kilos: 12, maker: { __typename: 'Person', id: 'h1' }, size: { h: 5 } },
];
const workOf = ({ id }: Item) => works.find((work) => work.id === id) ?? null;

describeGraph(
  '@requires through interfaces of entities',
  {
    subgraphs: {
      museum: `
        type Query { works: [Work!]! }
        interface Work @key(fields: "id") { id: ID! maker: Maker size: Size code: String }
        type Print implements Work @key(fields: "id") { id: ID! maker: Maker size: Size code: String pages: Int }
        type Bust implements Work @key(fields: "id") { id: ID! maker: Maker size: Size code: String kilos: Int }
        type Size @shareable { h: Int }
        interface Maker @key(fields: "id") { id: ID! }
        type Guild implements Maker @key(fields: "id") { id: ID! }
        type Person implements Maker @key(fields: "id") { id: ID! }`,
      makers: `
        interface Maker @key(fields: "id") { id: ID! name: String founded: Int }
        type Guild implements Maker @key(fields: "id") { id: ID! name: String founded: Int members: Int }
        type Person implements Maker @key(fields: "id") { id: ID! name: String founded: Int born: Int }`,
      labels: {
        typeDefs: `
          type Query { first: Work }
          type Work @interfaceObject @key(fields: "id") {
            id: ID! maker: Maker @external size: Size @external code: String @external
            label: String @requires(fields: "maker { name } size { h }")
            tag: String @requires(fields: "code")
          }
          type Size @shareable { h: Int }
          interface Maker @key(fields: "id") { id: ID! name: String }
          type Guild implements Maker @key(fields: "id") { id: ID! name: String @external }
          type Person implements Maker @key(fields: "id") { id: ID! name: String @external }`,
        resolvers: {
          Work: {
            label: ({ maker, size }) => `${text((maker as Item | null)?.name)} ${text((size as Item).h)}`,
            tag: ({ code }) => `#${text(code)}`,
          },
        },
        references: { Work: (reference) => reference },
      },
      prizes: {
        typeDefs: `
          type Print @key(fields: "id") { id: ID! maker: Maker @external prize: String
            @requires(fields: "maker { ... on Guild { members } ... on Person { born } }") }
          interface Maker { id: ID! }
          type Guild implements Maker @key(fields: "id") { id: ID! members: Int @external }
          type Person implements Maker @key(fields: "id") { id: ID! born: Int @external }`,
        resolvers: { Print: { prize: ({ maker }) => `for ${text((maker as Item).members)}` } },
        references: { Print: (reference) => reference },
      },
    },
    resolvers: {
      Query: { works: () => works, first: () => works[1] },
      Print: { code: () => 'P', label: () => '"name of g1" 4', tag: () => '#"P"', prize: () => 'for 40' },
      Bust: { code: () => 'B', label: () => '"name of h1" 5', tag: () => '#"B"' },
      Guild: { name: ({ id }) => `name of ${String(id)}`, founded: () => 1500, members: () => 40 },
      Person: { name: ({ id }) => `name of ${String(id)}`, founded: () => 1600, born: () => 1580 },
    },
    references: { Print: workOf, Bust: workOf, Work: workOf, Guild: (one) => one, Person: (one) => one },
  },
  (graph) => {
    answers(graph, [
      { name: 'of an interface object', query: '{ works { id label tag } }' },
      { name: 'beside what it requires', query: '{ works { maker { name } label size { h } } }' },
      { name: 'of an interface object whose type is not known', query: '{ first { tag label } }' },
      { name: 'for one of the types', query: '{ works { ... on Print { label } ... on Bust { tag } } }' },
      {
        name: 'with fragments on types of an interface',
        query: '{ works { ... on Print { prize pages } } }',
      },
      {
        name: 'under conditions',
        query:
          'query($a: Boolean!) { works { label @include(if: $a) tag @skip(if: $a) ... on Print { prize @include(if: $a) } } }',
        variables: { a: true },
      },
    ]);
  },
);

describeGraph(
  '@requires inside @requires, answered by several subgraphs',
  {
    subgraphs: {
      core: 'type Query { product: Product products: [Product] } type Product @key(fields: "id") { id: ID! base: Int }',
      prices: {
        typeDefs: `type Product @key(fields: "id") { id: ID! base: Int @external price: Int @requires(fields: "base") @shareable }`,
        resolvers: { Product: { price: ({ base }) => Number(base) * 2 } },
      },
      morePrices: {
        typeDefs: `type Product @key(fields: "id") { id: ID! base: Int @external price: Int @requires(fields: "base") @shareable
          discount: Int @requires(fields: "base") }`,
        resolvers: {
          Product: { price: ({ base }) => Number(base) * 2, discount: ({ base }) => Number(base) + 1 },
        },
      },
      totals: {
        typeDefs: `type Product @key(fields: "id") { id: ID! price: Int @external discount: Int @external
          total: String @requires(fields: "price discount") }`,
        resolvers: { Product: { total: ({ price, discount }) => `${text(price)}-${text(discount)}` } },
      },
      views: {
        typeDefs: `type Product @key(fields: "id") { id: ID! total: String @external price: Int @external
          view: String @requires(fields: "total price") }`,
        resolvers: { Product: { view: ({ total, price }) => `${text(total)}/${text(price)}` } },
      },
    },
    resolvers: {
      Query: { product: () => ({ id: '1' }), products: () => [{ id: '1' }, null, { id: '2' }] },
      Product: {
        base: ({ id }) => Number(id),
        price: ({ id }) => Number(id) * 2,
        discount: ({ id }) => Number(id) + 1,
        total: ({ id }) => `${Number(id) * 2}-${Number(id) + 1}`,
        view: ({ id }) => `"${Number(id) * 2}-${Number(id) + 1}"/${Number(id) * 2}`,
      },
    },
    references: { Product: (reference) => reference },
  },
  (graph) => {
    answers(graph, [
      { name: 'one level', query: '{ product { total } }' },
      { name: 'two levels', query: '{ products { view } }' },
      { name: 'beside what is required', query: '{ products { view total price discount base } }' },
      {
        name: 'under a condition',
        query: 'query($a: Boolean!) { products { view @include(if: $a) price } }',
        variables: { a: true },
      },
    ]);
  },
);
