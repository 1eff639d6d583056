import { expect, test } from '@jest/globals';
import { testContext } from '../../gateway/engine/testing/index.ts';
import { answers, describeGraph } from './support/suite.ts';

const parcels = [
  { __typename: 'Parcel', id: 'p1', code: 'c1', depot: { city: 'Lima', bay: { no: 1 } }, sender: 's1' },
  { __typename: 'Parcel', id: 'p2', code: 'c2', depot: { city: 'Lima', bay: { no: 2 } }, sender: 's2' },
  { __typename: 'Parcel', id: 'p3', code: 'c3', depot: { city: 'Oslo', bay: { no: 1 } }, sender: 's1' },
];
const lost = {
  __typename: 'Parcel',
  id: 'gone',
  code: 'c9',
  depot: { city: '?', bay: { no: 9 } },
  sender: null,
};
const parcelOf = (wanted: Record<string, unknown>) =>
  parcels.find(
    ({ id, code, depot }) =>
      id === wanted.id ||
      code === wanted.code ||
      JSON.stringify([depot.city, depot.bay.no]) ===
        JSON.stringify([
          (wanted.depot as typeof depot | undefined)?.city,
          (wanted.depot as typeof depot | undefined)?.bay.no,
        ]),
  ) ?? null;

describeGraph(
  'entities',
  {
    subgraphs: {
      intake: `
        type Query { parcels: [Parcel] rows: [[Parcel!]] parcel(id: ID!): Parcel lost: Parcel }
        type Parcel @key(fields: "id") @key(fields: "code") { id: ID! code: String! sender: Person }
        type Person @key(fields: "id", resolvable: false) { id: ID! }`,
      routes: `
        type Parcel @key(fields: "code") @key(fields: "depot { city bay { no } }") {
          code: String! depot: Depot! stops: [Stop!]
        }
        type Depot @shareable { city: String! bay: Bay! }
        type Bay @shareable { no: Int! }
        type Stop { at: String parcel: Parcel! }`,
      depots: `
        type Parcel @key(fields: "depot { city bay { no } }") { depot: Depot! shelf: String neighbours: [Parcel!] }
        type Depot @shareable { city: String! bay: Bay! }
        type Bay @shareable { no: Int! }`,
      people:
        'type Query { person(id: ID!): Person } type Person @key(fields: "id") { id: ID! name: String }',
    },
    resolvers: {
      Query: {
        parcels: () => [...parcels, null, parcels[0]],
        rows: () => [[parcels[2], parcels[0]], null, []],
        parcel: (_source, { id }) => parcelOf({ id }),
        lost: () => lost,
        person: (_source, { id }) => ({ id }),
      },
      Parcel: {
        sender: ({ sender }) => (sender === null ? null : { id: sender }),
        stops: (parcel) => [{ at: 'noon', parcel }],
        shelf: ({ depot }) => JSON.stringify(depot),
        neighbours: ({ depot }) =>
          parcels.filter((other) => other.depot.city === (depot as { city: string }).city),
      },
      Person: { name: ({ id }) => `name of ${String(id)}` },
    },
    references: { Parcel: parcelOf, Person: ({ id }) => ({ id }) },
  },
  (graph) => {
    answers(graph, [
      { name: 'a key of one field', query: '{ parcel(id: "p1") { id code sender { name } } }' },
      { name: 'the other of two keys', query: '{ parcels { id depot { city } } }' },
      { name: 'a key of nested objects', query: '{ parcels { shelf } }' },
      {
        name: 'from key to key to key',
        query: '{ parcel(id: "p2") { shelf neighbours { id sender { name } } } }',
      },
      { name: 'a reference that its subgraph does not resolve', query: '{ parcels { sender { id name } } }' },
      { name: 'lists of lists', query: '{ rows { code shelf stops { at parcel { shelf id } } } }' },
      { name: 'nothing there', query: '{ parcel(id: "none") { id shelf } }' },
      { name: 'the other way round', query: '{ person(id: "s1") { id name } }' },
      {
        name: 'an entity that the other subgraph does not find is null there',
        query: '{ lost { id stops { at } } }',
        data: { lost: { id: 'gone', stops: null } },
      },
      {
        name: 'and takes what may not be null with it',
        query: '{ lost { id depot { city } } }',
        data: { lost: null },
        errors: [['lost', 'depot']],
      },
    ]);

    test('fetches each entity once, wherever it stands', async () => {
      const { fetches, engine } = graph();
      fetches.length = 0;
      await engine.execute({ query: '{ a: parcels { shelf } rows { shelf } }' }, testContext());
      const sent = fetches.map(({ variables }) =>
        Object.values(variables).flatMap((value) => (Array.isArray(value) ? value : [])),
      );
      for (const representations of sent) {
        expect(new Set(representations.map((one) => JSON.stringify(one))).size).toBe(representations.length);
      }
      expect(Math.max(...sent.map((representations) => representations.length))).toBe(3);
    });
  },
);

const accounts = [
  { __typename: 'Account', iban: 'i1', number: null },
  { __typename: 'Account', iban: null, number: 'n2' },
  { __typename: 'Account', iban: null, number: null },
];

describeGraph(
  'null keys',
  {
    subgraphs: {
      bank: `type Query { accounts: [Account] }
        type Account @key(fields: "iban") @key(fields: "number") { iban: ID number: String }`,
      ledger: 'type Account @key(fields: "iban") { iban: ID balance: Int }',
      cards: 'type Account @key(fields: "number") { number: String card: String }',
    },
    resolvers: {
      Query: { accounts: () => accounts },
      Account: {
        balance: ({ iban }) => (iban === null ? null : 5),
        card: ({ number }) => (number === null ? null : `card ${String(number)}`),
      },
    },
    references: { Account: (reference) => ({ ...reference }) },
  },
  (graph) => {
    answers(graph, [
      { name: 'a type without a key has no more fields', query: '{ accounts { iban number balance card } }' },
    ]);

    test('no subgraph is sent an entity without its key', async () => {
      const { fetches, engine } = graph();
      fetches.length = 0;
      await engine.execute({ query: '{ accounts { balance card } }' }, testContext());
      const sent = fetches.slice(1).flatMap(({ variables }) => Object.values(variables).flat());
      expect(sent).toHaveLength(2);
      expect(sent).toEqual(
        expect.arrayContaining([
          { __typename: 'Account', iban: 'i1' },
          { __typename: 'Account', number: 'n2' },
        ]),
      );
    });
  },
);
