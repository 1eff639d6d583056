import { describe, expect, test } from '@jest/globals';
import { createTestGraph, type TestGraphOptions, testContext } from '../../gateway/engine/testing/index.ts';

const interfaceObjects: TestGraphOptions = {
  subgraphs: {
    museum: `type Query { works: [Work] } interface Work @key(fields: "id") { id: ID! }
      type Print implements Work @key(fields: "id") { id: ID! } type Bust implements Work @key(fields: "id") { id: ID! }`,
    people: `type Artist @key(fields: "id") @key(fields: "code") { id: ID! code: ID! }`,
    passports: `type Query { visas: [Visa] } type Visa { holder: Artist } type Artist @key(fields: "code") { code: ID! }`,
    reviews: `type Work @interfaceObject @key(fields: "id") { id: ID! stars: Int must: Int! }
      type Artist @key(fields: "id") { id: ID! reviews: [Review] } type Review { work: Work }`,
  },
  resolvers: {
    Query: { works: () => [{ __typename: 'Print', id: '1' }], visas: () => [{ holder: { code: 'c' } }] },
    Work: { stars: () => 5, must: () => null },
    Artist: { reviews: () => [{ work: { __typename: 'Print', id: '1' } }] },
  },
  references: {
    Work: (reference) => ({ ...reference, __typename: 'Print' }),
    Print: (reference) => ({ ...reference }),
    Artist: ({ code = 'c', id = '1' }) => ({ id, code }),
  },
};

const FAR_AWAY: Readonly<Record<string, { graph: TestGraphOptions; query: string; data: unknown }>> = {
  'a @requires field of an entity that was reached through a @requires field of the same subgraph': {
    graph: {
      subgraphs: {
        shops: 'type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! size: Int }',
        rents: `type Shop @key(fields: "id") { id: ID! size: Int @external terms: Terms @requires(fields: "size") }
          type Terms { note: String shop: Shop }`,
      },
      resolvers: {
        Query: { shop: () => ({ id: '1' }) },
        Shop: { size: () => 4, terms: ({ size, id }) => ({ note: `for ${String(size)}`, shop: { id } }) },
      },
      references: { Shop: (reference) => ({ ...reference }) },
    },
    query: '{ shop { terms { shop { terms { note } } } } }',
    data: { shop: { terms: { shop: { terms: { note: 'for 4' } } } } },
  },
  'a field of a shared type that only a subgraph behind a second key, made of that type, knows': {
    graph: {
      subgraphs: {
        offices: 'type Query { boss: Person } type Person @key(fields: "id") { id: ID! }',
        people: `type Person @key(fields: "id") @key(fields: "code land { iso }") { id: ID! code: ID! land: Land }
          type Land @shareable { iso: ID }`,
        visas: `type Person @key(fields: "code land { iso }") { code: ID! land: Land }
          type Land @shareable { iso: ID name: String }`,
      },
      resolvers: {
        Query: { boss: () => ({ id: '1' }) },
        Person: { code: () => 'c', land: () => ({ iso: 'pe', name: 'Peru' }) },
      },
      references: { Person: (reference) => ({ ...reference }) },
    },
    query: '{ boss { land { name } } }',
    data: { boss: { land: { name: 'Peru' } } },
  },
  'types of an interface object two references away': {
    graph: interfaceObjects,
    query: '{ visas { holder { reviews { work { ... on Print { id } } } } } }',
    data: { visas: [{ holder: { reviews: [{ work: { id: '1' } }] } }] },
  },
  'a failing field of an interface object that is selected of another type only, and must not be null': {
    graph: interfaceObjects,
    query: '{ works { ... on Print { stars } ... on Bust { must } } }',
    data: { works: [{ stars: 5 }] },
  },
  'a member of a union that one subgraph alone knows, below a field that two subgraphs share': {
    graph: {
      subgraphs: {
        shops: `type Query { kiosk: Kiosk } type Kiosk @key(fields: "id") { id: ID! box: Box @shareable }
          type Box @shareable { things: [Thing!]! } union Thing = Pen | Map
          type Pen @shareable { ink: String } type Map { town: String }`,
        farms: `type Kiosk @key(fields: "id") { id: ID! box: Box @shareable }
          type Box @shareable { things: [Thing!]! } union Thing = Pen | Egg
          type Pen @shareable { ink: String } type Egg { hen: String }`,
      },
      resolvers: {
        Query: { kiosk: () => ({ id: '1' }) },
        Kiosk: { box: () => ({ things: [{ __typename: 'Map', town: 'Lima' }] }) },
      },
      references: { Kiosk: (reference) => ({ ...reference }) },
    },
    query: '{ kiosk { box { things { ... on Pen { ink } ... on Map { town } } } } }',
    data: { kiosk: { box: { things: [{ town: 'Lima' }] } } },
  },
};

describe('fields on the far side of other subgraphs', () => {
  test.each(Object.entries(FAR_AWAY))('%s', async (_name, { graph, query, data }) => {
    const { engine } = createTestGraph(graph);
    expect(await engine.execute({ query }, testContext())).toEqual({ data });
  });
});
