import { answers, describeGraph } from './support/suite.ts';

const posts = [
  { __typename: 'Photo', id: 'x1', title: 'Dawn', width: 3 },
  { __typename: 'Video', id: 'x2', title: 'Rain', seconds: 20 },
  { __typename: 'Photo', id: 'broken', title: 'Void', width: null },
];
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
      { name: 'what the other subgraph knows', query: '{ top { title } }' },
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
