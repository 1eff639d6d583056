import { answers, describeGraph } from './support/suite.ts';

const shop = { __typename: 'Shop', id: 's1', name: 'Kiosk', code: { zone: 'z', no: 4 } };

describeGraph(
  '__typename and response keys',
  {
    subgraphs: {
      shops: `
        type Query { shop: Shop shops: [Place!]! any: [Any!] }
        type Mutation { open: Shop }
        interface Place { id: ID! }
        type Shop implements Place @key(fields: "id") @key(fields: "code { zone no }") {
          id: ID! name: String code: Code! size(unit: Unit = M2): Int
        }
        type Stall implements Place { id: ID! }
        type Code @shareable { zone: String no: Int }
        union Any = Shop | Stall
        enum Unit { M2 FT2 }`,
      rents: `
        type Shop @key(fields: "id") {
          id: ID! size(unit: Unit): Int @external rent: Int @requires(fields: "size(unit: FT2)") tenant: Tenant
        }
        type Tenant { id: ID! shop: Shop }
        enum Unit { M2 FT2 }`,
      zones:
        'type Shop @key(fields: "code { zone no }") { code: Code! zone: String } type Code @shareable { zone: String no: Int }',
    },
    resolvers: {
      Query: {
        shop: () => shop,
        shops: () => [shop, { __typename: 'Stall', id: 't1' }],
        any: () => [{ __typename: 'Stall', id: 't1' }, shop],
      },
      Mutation: { open: () => shop },
      Shop: {
        size: (_shop, { unit }) => (unit === 'FT2' ? 100 : 9),
        rent: ({ size = 100 }) => Number(size) * 2,
        tenant: () => ({ id: 'n1', shop }),
        zone: ({ code }) => `zone ${JSON.stringify((code as typeof shop.code).no)}`,
      },
    },
    references: { Shop: (reference) => ({ ...shop, ...reference }) },
  },
  (graph) => {
    answers(graph, [
      { name: 'the name of the root', query: '{ __typename t: __typename }' },
      { name: 'of a mutation', query: 'mutation { __typename open { __typename t: __typename rent } }' },
      {
        name: 'at every level',
        query:
          '{ shop { __typename code { __typename zone } tenant { a: __typename shop { b: __typename __typename id } } } }',
      },
      {
        name: 'on interfaces and unions',
        query:
          '{ shops { __typename x: __typename id } any { y: __typename ... on Shop { z: __typename } ... on Place { __typename id } } }',
      },
      // Found by random operations.
      {
        name: 'of another field that is called by it',
        query: '{ shop { __typename: name rent } any { ... on Shop { __typename: name } } }',
        data: { shop: { __typename: 'Kiosk', rent: 200 }, any: [{}, { __typename: 'Kiosk' }] },
      },
      { name: 'alone', query: '{ shops { __typename } any { t: __typename } }' },
      {
        name: 'in fragments',
        query: '{ any { ...A } } fragment A on Any { ... on Place { n: __typename } __typename }',
      },
      {
        name: 'a field under the key __typename',
        query:
          '{ shop { __typename: zone } shops { __typename: id } any { ... on Shop { __typename: id rent } } }',
      },
      { name: 'an alias that is the name of a key', query: '{ shop { id: name rent } }' },
      {
        name: 'keys that change places',
        query:
          '{ shop { id: name name: id code: rent rent: zone tenant { id: __typename shop { id: zone } } } }',
      },
      {
        name: 'an alias that is the name of a part of a key',
        query: '{ shop { code { zone: no no: zone } zone } }',
      },
      {
        name: 'a required field with other arguments under its own name',
        query: '{ shop { size rent size2: size(unit: FT2) } }',
      },
      { name: 'aliases of required fields', query: '{ shop { size: name rent: size(unit: M2) r: rent } }' },
      {
        name: 'properties of every object',
        query:
          '{ shop { constructor: id toString: rent __proto__: zone tenant { hasOwnProperty: id valueOf: shop { __proto__: name } } } }',
      },
      // Found by random operations: compiled code set the prototype.
      {
        name: '__proto__ under a condition',
        query:
          'query($yes: Boolean!) { __proto__: shop @include(if: $yes) { id __proto__: rent @include(if: $yes) } }',
        variables: { yes: true },
      },
      {
        name: 'keys like those of plans',
        query:
          '{ _rk0: shop { _rk1: id _internal_qp_alias_0: rent _entities: name _if0: zone } _e0: shop { zone } representations: shop { id } }',
      },
      {
        name: 'the same entity twice, with different fields',
        query: '{ a: shop { rent } b: shop { zone tenant { id } } shop { rent: zone } }',
      },
      {
        name: 'merged selections',
        query:
          '{ shop { tenant { id } } shop { tenant { shop { name } } } ...F } fragment F on Query { shop { tenant { shop { id zone } } } }',
      },
    ]);
  },
);
