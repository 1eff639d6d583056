import type { TestResolver } from '../../gateway/engine/testing/index.ts';
import { answers, describeGraph } from './support/suite.ts';

const vehicles = [
  { __typename: 'Car', id: 'v1', maker: 'Ada', doors: 4, owner: { __typename: 'Person', id: 'o1' } },
  { __typename: 'Bike', id: 'v2', maker: null, gears: 21, owner: { __typename: 'Firm', id: 'o2' } },
  { __typename: 'Boat', id: 'v3', maker: 'Bo', length: 9, owner: null },
];
const byId = ({ id }: Record<string, unknown>) => vehicles.find((vehicle) => vehicle.id === id) ?? null;

const next: TestResolver = ({ id }) => `next ${String(id)}`;

describeGraph(
  'interfaces and unions spread over subgraphs',
  {
    subgraphs: {
      fleet: `
        type Query { vehicles: [Vehicle!]! vehicle(id: ID!): Vehicle owners: [Owner] things: [Thing] }
        interface Node { id: ID! }
        interface Vehicle implements Node { id: ID! maker: String owner: Owner }
        type Car implements Vehicle & Node @key(fields: "id") { id: ID! maker: String owner: Owner doors: Int }
        type Bike implements Vehicle & Node @key(fields: "id") { id: ID! maker: String owner: Owner gears: Int! }
        type Boat implements Vehicle & Node @key(fields: "id") { id: ID! maker: String owner: Owner length: Int }
        union Owner = Person | Firm
        union Thing = Car | Person
        type Person @key(fields: "id") { id: ID! }
        type Firm @key(fields: "id") { id: ID! }`,
      service: `
        type Query { due: [Serviceable] other: [Thing] }
        interface Serviceable { next: String }
        type Car implements Serviceable @key(fields: "id") { id: ID! next: String history: [Visit!] }
        type Boat implements Serviceable @key(fields: "id") { id: ID! next: String dock: Dock }
        type Visit { day: String by: Worker }
        union Worker = Person | Robot
        union Thing = Boat | Person | Robot
        type Robot { model: String }
        type Dock { name: String }
        type Person @key(fields: "id") { id: ID! badge: String }`,
      registry: `
        type Person @key(fields: "id") { id: ID! name: String }
        type Firm @key(fields: "id") { id: ID! name: String vat: String }`,
    },
    resolvers: {
      Query: {
        vehicles: () => vehicles,
        vehicle: (_source, { id }) => byId({ id }),
        owners: () => [{ __typename: 'Firm', id: 'o2' }, null, { __typename: 'Person', id: 'o1' }],
        things: () => [vehicles[0], { __typename: 'Person', id: 'o1' }],
        due: () => [vehicles[0], vehicles[2]],
        other: () => [vehicles[2], { __typename: 'Robot', model: 'R' }, { __typename: 'Person', id: 'o3' }],
      },
      Car: {
        next,
        history: () => [
          { day: 'mon', by: { __typename: 'Robot', model: 'R2' } },
          { day: 'tue', by: { __typename: 'Person', id: 'o1' } },
        ],
      },
      Boat: { next, dock: () => ({ name: 'north' }) },
      Person: { name: ({ id }) => `person ${String(id)}`, badge: ({ id }) => `badge ${String(id)}` },
      Firm: { name: ({ id }) => `firm ${String(id)}`, vat: () => 'V1' },
    },
    references: {
      Car: byId,
      Bike: byId,
      Boat: byId,
      Person: ({ id }) => ({ __typename: 'Person', id }),
      Firm: ({ id }) => ({ __typename: 'Firm', id }),
    },
  },
  (graph) => {
    answers(graph, [
      { name: 'fields of an interface', query: '{ vehicles { id maker } }' },
      {
        name: 'fields of its types, from several subgraphs',
        query:
          '{ vehicles { ... on Car { doors next history { day } } ... on Boat { length dock { name } } ... on Bike { gears } } }',
      },
      {
        name: 'an interface that only another subgraph knows',
        query: '{ vehicles { maker ... on Serviceable { next } } }',
      },
      {
        name: 'which starts there',
        query:
          '{ due { __typename next ... on Car { doors owner { ... on Person { name } } } ... on Node { id } } }',
      },
      {
        name: 'union members of another subgraph',
        query: '{ owners { ... on Person { name badge } ... on Firm { name vat } } }',
      },
      {
        name: 'a union of which each subgraph knows a part',
        query:
          '{ things { __typename ... on Car { doors } ... on Boat { length } ... on Person { name } ... on Robot { model } } other { __typename ... on Car { doors } ... on Boat { length } ... on Person { name } ... on Robot { model } } }',
      },
      {
        name: 'unions below',
        query:
          '{ due { ... on Car { history { by { ... on Robot { model } ... on Person { name badge } } } } } }',
      },
      {
        name: 'interface in interface',
        query: '{ vehicles { ... on Node { ... on Vehicle { ... on Car { doors } id } } } }',
      },
      {
        name: 'the same key in different types',
        query:
          '{ vehicles { ... on Car { size: doors } ... on Boat { size: length } ... on Bike { gears } } }',
      },
      {
        name: 'named fragments on each level',
        query:
          '{ vehicles { ...V } } fragment V on Vehicle { owner { ...O } ...C } fragment C on Car { history { by { ...P } } } fragment O on Owner { __typename ...P } fragment P on Person { id name }',
      },
      {
        name: 'one of them',
        query:
          '{ a: vehicle(id: "v1") { ... on Car { next } } b: vehicle(id: "v3") { ... on Car { next } maker } c: vehicle(id: "no") { id } }',
      },
      { name: 'nothing of the type there is', query: '{ owners { ... on Person { badge } } }' },
    ]);
  },
);
