/** Records of the test graphs. */
export const products = [
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
export const reviews = [
  { __typename: 'Review', id: 'r1', stars: 5, productId: 'p1', authorId: 'u1' },
  { __typename: 'Review', id: 'r2', stars: 1, productId: 'p2', authorId: 'u2' },
  { __typename: 'Review', id: 'r3', stars: 3, productId: 'p1', authorId: 'u2' },
];
/** The authors of the reviews. */
export const users = [
  { __typename: 'User', id: 'u1', name: 'Ada', friends: ['u2'], tier: 'GOLD' },
  { __typename: 'User', id: 'u2', name: 'Bob', friends: ['u1', 'u2'], tier: 'BASIC' },
];
/** Finds a record. */
export const byId = <T extends { id: string }>(list: readonly T[], id: unknown) =>
  list.find((item) => item.id === id) ?? null;
