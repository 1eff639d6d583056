import { answers, describeGraph } from './support/suite.ts';

const films = [
  { __typename: 'Film', id: 'f1', sku: 's1', title: 'One', studio: { name: 'Rex' }, minutes: 90 },
  { __typename: 'Film', id: 'f2', sku: 's2', title: 'Two', studio: null, minutes: null },
];
const find = ({ id, sku }: Record<string, unknown>) =>
  films.find((film) => film.id === id || film.sku === sku) ?? null;

/** Federation 1: no `@link`, types extended in place, keys marked `@external`, value types shared without a word. */
describeGraph(
  'subgraphs of Federation 1',
  {
    subgraphs: {
      films: {
        federation: 1,
        typeDefs: `type Query { films: [Film] }
          type Film @key(fields: "id") @key(fields: "sku") { id: ID! sku: String title: String studio: Studio minutes: Int }
          type Studio { name: String }`,
      },
      tickets: {
        federation: 1,
        typeDefs: `extend type Query { cheapest: Film }
          extend type Film @key(fields: "id") {
            id: ID! @external minutes: Int @external price: Int @requires(fields: "minutes") seats: [Seat!]
          }
          type Seat { row: Int film: Film @provides(fields: "title") }
          extend type Film { title: String @external }
          type Studio { name: String }`,
        resolvers: { Film: { price: ({ minutes }) => (minutes === null ? null : Number(minutes) / 10) } },
        references: { Film: (reference) => ({ ...find(reference), ...reference }) },
      },
      prizes: {
        federation: 1,
        typeDefs: 'type Film @key(fields: "sku") @extends { sku: String @external prizes: [String!] }',
      },
      modern: 'type Film @key(fields: "id") { id: ID! note: String }',
    },
    resolvers: {
      Query: { films: () => films, cheapest: () => films[0] },
      Film: {
        price: ({ minutes }) => (minutes === null ? null : Number(minutes) / 10),
        seats: (film) => [{ row: 1, film }],
        prizes: ({ sku }) => [`prize of ${String(sku)}`],
        note: ({ id }) => `note on ${String(id)}`,
      },
    },
    references: { Film: find },
  },
  (graph) => {
    answers(graph, [
      { name: 'extended types', query: '{ films { title price } }' },
      { name: '@extends', query: '{ films { prizes } cheapest { prizes studio { name } } }' },
      { name: 'extended root', query: '{ cheapest { id title minutes } }' },
      { name: '@requires and @provides', query: '{ films { seats { row film { title price } } } }' },
      { name: 'beside one of Federation 2', query: '{ films { note price } cheapest { note } }' },
    ]);
  },
);
