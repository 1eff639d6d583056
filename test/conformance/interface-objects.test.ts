import { answers, describeGraph } from './support/suite.ts';

const posts = [
  { __typename: 'Photo', id: 'x1', title: 'Dawn', width: 3 },
  { __typename: 'Video', id: 'x2', title: 'Rain', seconds: 20 },
  { __typename: 'Photo', id: 'broken', title: 'Void', width: null },
];
/** The `part` of a medium of the last graph. */
const itself = ({ id }: Record<string, unknown>) => ({ __typename: id, id });
const byId = ({ id }: Record<string, unknown>) => posts.find((post) => post.id === id) ?? null;

describeGraph(
  '@interfaceObject',
  {
    subgraphs: {
      posts: `
        type Query { posts: [Post!]! }
        interface Post @key(fields: "id") { id: ID! title: String }
        type Photo implements Post @key(fields: "id") { id: ID! title: String width: Int! }
        type Video implements Post @key(fields: "id") { id: ID! title: String seconds: Int }`,
      likes: {
        typeDefs: `
          type Query { top: [Post!]! worst: Post }
          type Post @key(fields: "id") @interfaceObject {
            id: ID! likes: Int comments: [Comment!] like(by: String = "me"): String
            title: String @external headline: String @requires(fields: "title") broken: Int
          }
          type Comment @key(fields: "id") { id: ID! text: String post: Post! }`,
        references: { Post: (reference) => ({ ...reference }), Comment: ({ id }) => ({ id }) },
      },
      ads: `type Post @key(fields: "id") @interfaceObject { id: ID! ad: Ad } type Ad { url: String }`,
    },
    resolvers: {
      Query: { posts: () => posts.slice(0, 2), top: () => [posts[1], posts[0]], worst: () => posts[2] },
      Post: {
        likes: ({ id }) => String(id).length,
        comments: (post) => [{ id: `c-${String(post.id)}`, text: 'Nice', post }],
        like: ({ id }, { by }) => `${String(by)} likes ${String(id)}`,
        headline: ({ title }) => `${String(title)}!`,
        broken: ({ id }) => {
          if (id === 'x2') {
            throw new Error('only for Video');
          }
          return 1;
        },
        ad: ({ id }) => ({ url: `/${String(id)}` }),
      },
    },
    references: { Post: byId, Photo: byId, Video: byId },
  },
  (graph) => {
    answers(graph, [
      { name: 'fields that it adds to the interface', query: '{ posts { title likes ad { url } } }' },
      {
        name: 'to one type',
        query: '{ posts { ... on Photo { likes width } ... on Video { comments { text } } } }',
      },
      { name: 'as the start', query: '{ top { id likes ad { url } } }' },
      { name: 'a field of the other subgraph', query: '{ top { title } }' },
      { name: 'names of types', query: '{ top { __typename } t: top { kind: __typename likes } }' },
      {
        name: 'types below',
        query: '{ top { ... on Photo { width likes } ... on Video { seconds ad { url } } } }',
      },
      {
        name: 'with arguments and @requires',
        query: '{ posts { a: like b: like(by: "you") headline } top { headline } }',
      },
      {
        name: 'round and round',
        query: '{ posts { comments { post { comments { post { __typename title likes } } } } } }',
      },
      // Found by random operations: reached by a reference, its type was fetched without its key.
      {
        name: 'types below one that a reference led to',
        query: '{ posts { comments { post { ... on Photo { id } ... on Video { likes } } } } }',
      },
      {
        name: 'a type that cannot be found out is null where that matters',
        query: '{ worst { likes ... on Photo { width } } }',
        data: { worst: null },
        errors: [['worst', 'width']],
      },
      { name: 'and does not matter elsewhere', query: '{ worst { comments { text } } }' },
      {
        name: 'errors of what is selected of other types only do not show',
        query: '{ top { ... on Photo { broken } ... on Video { likes } } }',
        data: { top: [{ likes: 2 }, { broken: 1 }] },
      },
      // Found by random operations.
      {
        name: 'nor do those of fields below something that both types select',
        query: '{ top { ... on Photo { comments { post { broken } } } comments { id } } }',
        data: {
          top: [{ comments: [{ id: 'c-x2' }] }, { comments: [{ post: { broken: 1 }, id: 'c-x1' }] }],
        },
      },
      {
        name: 'nor do those of another field under the same response key',
        query: '{ top { ... on Photo { n: broken } ... on Video { n: likes } } }',
        data: { top: [{ n: 2 }, { n: 1 }] },
      },
    ]);
  },
);

const halls = [{ __typename: 'Stage', id: 's1', plan: { rows: 3 }, name: 'Main' }];

// Found by random operations: composition loses `@external` where all subgraphs of an interface have a field.
describeGraph(
  'fields of an interface object that its subgraph only names in field sets',
  {
    subgraphs: {
      tickets: {
        typeDefs: `
          type Hall @key(fields: "id") @interfaceObject { id: ID! plan: Plan @external name: String @external }
          type Plan @shareable { rows: Int }
          type Show @key(fields: "id") { id: ID! hall: Hall @external seats: Int @requires(fields: "hall { id plan { rows } }") }
          type Query { hall: Hall named: Hall @provides(fields: "name") }`,
        resolvers: {
          Query: { hall: () => ({ id: 's1' }), named: () => ({ id: 's1', name: 'Main', isProvided: true }) },
          Hall: {
            plan: () => {
              throw new Error('external');
            },
            name: ({ name, isProvided }) => {
              if (isProvided !== true) {
                throw new Error('external');
              }
              return name;
            },
          },
          Show: { seats: ({ hall }) => (hall as { plan: { rows: number } }).plan.rows * 10 },
        },
        references: { Show: (reference) => reference },
      },
      halls: {
        typeDefs: `
          interface Hall @key(fields: "id") { id: ID! plan: Plan name: String }
          type Stage implements Hall @key(fields: "id") { id: ID! plan: Plan name: String }
          type Plan @shareable { rows: Int }
          type Show @key(fields: "id") { id: ID! hall: Hall }
          type Query { show: Show }`,
        references: { Show: ({ id }) => ({ id, hall: halls[0] }) },
      },
    },
    resolvers: {
      Query: { hall: () => halls[0], named: () => halls[0], show: () => ({ id: '1', hall: halls[0] }) },
      Show: { seats: () => 30 },
    },
    references: { Hall: () => halls[0], Stage: () => halls[0] },
  },
  (graph) => {
    answers(graph, [
      { name: 'required below another field', query: '{ hall { plan { rows } } }' },
      { name: 'required and selected', query: '{ show { seats hall { plan { rows } } } }' },
      { name: 'provided, at another place', query: '{ hall { name } }' },
      { name: 'provided', query: '{ named { name plan { rows } } }' },
    ]);
  },
);

describeGraph(
  'an interface that no type implements',
  {
    subgraphs: {
      nodes: `type Query { node: Node } interface Node @key(fields: "id") { id: ID! }`,
      notes: {
        typeDefs: `
          type Query { noted: Node box: Box! }
          type Box { nodes: [Node!]! }
          type Node @key(fields: "id") @interfaceObject { id: ID! note(by: Int): String next: Node }`,
        references: { Node: (reference) => reference },
      },
      tags: {
        typeDefs: `type Node @key(fields: "id") @interfaceObject {
          id: ID! tag: String note(by: Int): String @external shout: String @requires(fields: "note(by: 1)")
        }`,
        references: { Node: (reference) => reference },
      },
    },
    resolvers: {
      Query: { node: () => ({ __typename: 'Node', id: 'n' }), noted: () => ({ id: 'n1' }), box: () => ({}) },
      Box: { nodes: () => [{ id: 'n1' }, { id: 'n2' }] },
      Node: {
        note: ({ id }, { by = 0 }) => `${String(id)} by ${String(by)}`,
        next: () => ({ id: 'n3' }),
        tag: ({ id }) => `tag of ${String(id)}`,
        shout: ({ note }) => `${String(note)}!`,
      },
    },
  },
  (graph) => {
    answers(graph, [
      {
        name: 'has the fields of interface objects',
        query: '{ noted { id note ... on Node { two: note(by: 2) next { id } } } }',
        data: { noted: { id: 'n1', note: 'n1 by 0', two: 'n1 by 2', next: { id: 'n3' } } },
      },
      {
        name: 'has them from several subgraphs',
        query: '{ box { nodes { tag shout } } }',
        data: {
          box: {
            nodes: [
              { tag: 'tag of n1', shout: 'n1 by 1!' },
              { tag: 'tag of n2', shout: 'n2 by 1!' },
            ],
          },
        },
      },
      {
        name: 'is null where the answer depends on the type',
        query: '{ noted { __typename id } box { nodes { id } } }',
        data: { noted: null, box: { nodes: [{ id: 'n1' }, { id: 'n2' }] } },
        errors: [['noted']],
      },
      {
        name: 'is null where a subgraph must name the type',
        query: '{ node { id } }',
        data: { node: null },
        errors: [['node']],
      },
    ]);
  },
);

// Found by random operations: only objects of the first type were sent.
describeGraph(
  'types that one subgraph finds out, and another has fields of, with and without requirements',
  {
    subgraphs: {
      tops: {
        typeDefs: 'type Query { top: [Post!]! } type Post @key(fields: "id") @interfaceObject { id: ID! }',
        references: { Post: (reference) => reference },
      },
      posts: `interface Post @key(fields: "id") { id: ID! }
        type Photo implements Post @key(fields: "id") { id: ID! width: Int }
        type Video implements Post @key(fields: "id") { id: ID! }`,
      sizes: `type Photo @key(fields: "id") { id: ID! width: Int @external area: Int @requires(fields: "width") }
        type Video @key(fields: "id") { id: ID! length: Int }`,
    },
    resolvers: {
      Query: { top: () => posts.slice(0, 2) },
      Photo: { width: () => 3, area: ({ width }) => Number(width) * 2 },
      Video: { length: () => 9 },
    },
    references: { Post: byId, Photo: (reference) => reference, Video: (reference) => reference },
  },
  (graph) => {
    answers(graph, [
      {
        name: 'objects of all types are sent',
        query: '{ top { ... on Photo { area } ... on Video { length } } }',
        data: { top: [{ area: 6 }, { length: 9 }] },
      },
    ]);
  },
);

// Found by random operations: a plan without a fault was rejected when no name is fetched of objects that nothing is wanted of.
describeGraph(
  'a requirement of some types of an interface object, beside a field of all',
  {
    subgraphs: {
      shelf: `type Query { top(type: String!): Media }
        type Media @key(fields: "id") @interfaceObject {
          id: ID! title: String @external part: Media @external kind: String @requires(fields: "part { title }")
        }`,
      parts: 'type Media @key(fields: "id") @interfaceObject { id: ID! part: Media }',
      titles: `interface Media @key(fields: "id") { id: ID! title: String }
        type Song implements Media @key(fields: "id") { id: ID! title: String }
        type Book implements Media @key(fields: "id") { id: ID! title: String }`,
    },
    resolvers: {
      Query: { top: (_source, { type }) => ({ __typename: type, id: type }) },
      Media: { part: itself, kind: () => 'kind' },
      Song: { title: () => 'song', part: itself, kind: () => 'kind' },
      Book: { title: () => 'book', part: itself, kind: () => 'kind' },
    },
    references: {
      Media: ({ id }) => ({ __typename: id, id }),
      Song: (reference) => reference,
      Book: (reference) => reference,
    },
  },
  (graph) => {
    const query = `query($type: String!, $a: Boolean!, $b: Boolean!) {
      top(type: $type) { part { id } ... on Song { kind @skip(if: $a) } ... on Book @skip(if: $b) { kind } }
    }`;
    const sides = [true, false];
    answers(
      graph,
      ['Song', 'Book'].flatMap((type) =>
        sides.flatMap((a) =>
          sides.map((b) => ({ name: `${type}, ${a}, ${b}`, query, variables: { type, a, b } })),
        ),
      ),
    );
  },
);
