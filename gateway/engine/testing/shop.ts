import { createTestGraph, type TestGraph } from './graph.ts';

/** Records of the test graphs. */
const products = [
  {
    __typename: 'Product',
    id: 'p1',
    sku: 's1',
    org: { code: 'o1' },
    name: 'Chair',
    price: 10,
    weight: 3,
    size: { w: 1, h: 2 },
  },
  {
    __typename: 'Product',
    id: 'p2',
    sku: 's2',
    org: { code: 'o1' },
    name: 'Table',
    price: 30,
    weight: null,
    size: { w: 5, h: 1 },
  },
  {
    __typename: 'Product',
    id: 'p3',
    sku: 's3',
    org: { code: 'o2' },
    name: null,
    price: null,
    weight: 7,
    size: null,
  },
];
/** Reviews of the products, by the users. */
const reviews = [
  { __typename: 'Review', id: 'r1', stars: 5, productId: 'p1', authorId: 'u1' },
  { __typename: 'Review', id: 'r2', stars: 1, productId: 'p2', authorId: 'u2' },
  { __typename: 'Review', id: 'r3', stars: 3, productId: 'p1', authorId: 'u2' },
];
/** The authors of the reviews. */
const users = [
  { __typename: 'User', id: 'u1', name: 'Ada', friends: ['u2'], tier: 'GOLD' },
  { __typename: 'User', id: 'u2', name: 'Bob', friends: ['u1', 'u2'], tier: 'BASIC' },
];
/** Finds a record. */
const byId = <T extends { id: string }>(list: readonly T[], id: unknown) =>
  list.find((item) => item.id === id) ?? null;

/** Four subgraphs with keys of each kind, `@requires`, `@provides`, `@shareable` and `@override`. */
export function createShopGraph(): TestGraph {
  return createTestGraph({
    subgraphs: {
      products: `
        type Query { products: [Product!]! product(id: ID!): Product grid: [[Product]]! shared: String @shareable }
        type Product @key(fields: "id") @key(fields: "sku org { code }") {
          id: ID! sku: String! org: Org! name: String price(currency: String = "USD"): Int weight: Int size: Size
        }
        type Org @shareable { code: ID! }
        type Size @shareable { w: Int h: Int }
        type Mutation { rename(id: ID!, name: String!): Product touch: Int! }`,
      shipping: `
        type Query { shared: String @shareable }
        type Product @key(fields: "id") {
          id: ID! price(currency: String): Int @external weight: Int @external size: Size @external
          shipping(unit: Unit = KG): Int @requires(fields: "price(currency: \\"EUR\\") weight")
          volume: Int @requires(fields: "size { w h }")
          box: String @requires(fields: "size { w h }")
        }
        type Size @shareable { w: Int h: Int }
        enum Unit { KG LB }`,
      reviews: `
        type Query { reviews: [Review!]! best: Review }
        type Review @key(fields: "id") { id: ID! stars: Int! product: Product! author: User @provides(fields: "name") }
        type Product @key(fields: "sku org { code }") { sku: String! org: Org! reviews(first: Int): [Review!]! }
        type Org @shareable { code: ID! }
        type User @key(fields: "id") { id: ID! name: String @external reviewed: [Review!]! }`,
      users: `
        type Query { user(id: ID!): User me: User }
        type User @key(fields: "id") { id: ID! name: String @shareable friends: [User!]! tier: Tier card: String @override(from: "reviews") }
        enum Tier { GOLD BASIC }
        type Mutation { befriend(a: ID!, b: ID!): User }`,
    },
    resolvers: {
      Query: {
        products: () => products,
        product: (_s, { id }) => byId(products, id),
        grid: () => [[products[0], null], [], [products[1], products[2]]],
        shared: () => 'same',
        reviews: () => reviews,
        best: () => reviews[0],
        user: (_s, { id }) => byId(users, id),
        me: () => users[0],
      },
      Product: {
        price: (p, { currency }) =>
          p.price === null ? null : (p.price as number) * (currency === 'EUR' ? 2 : 1),
        shipping: (p, { unit }) => {
          // In the subgraph the required price is under `price`, in euros already.
          const euros =
            typeof p.name === 'undefined'
              ? (p.price as number | null)
              : p.price === null
                ? null
                : (p.price as number) * 2;
          return euros === null ? -1 : euros + ((p.weight as number | null) ?? 0) + (unit === 'LB' ? 100 : 0);
        },
        volume: (p) => {
          const size = p.size as { w: number; h: number } | null;
          return size === null ? null : size.w * size.h;
        },
        box: (p) => JSON.stringify((p.size as { w: number } | null)?.w ?? null),
        reviews: (p, { first }) =>
          reviews
            .filter((r) => products.find((x) => x.sku === p.sku)?.id === r.productId)
            .slice(0, first ?? undefined),
      },
      Review: { product: (r) => byId(products, r.productId), author: (r) => byId(users, r.authorId) },
      User: {
        friends: (u) => (u.friends as string[]).map((id) => byId(users, id)),
        reviewed: (u) => reviews.filter((r) => r.authorId === u.id),
        card: (u) => `card of ${String(u.id)}`,
      },
      Mutation: {},
    },
    references: {
      Product: (ref) =>
        'sku' in ref
          ? (products.find((p) => p.sku === ref.sku) ?? null)
          : 'price' in ref || 'size' in ref || !('x' in ref)
            ? { ...ref }
            : null,
      Review: (ref) => byId(reviews, ref.id),
      User: (ref) => byId(users, ref.id),
    },
  });
}
