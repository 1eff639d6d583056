/** The pages of the graph's reference, by what they show. `values` are enums and scalars. */
export const GRAPHQL_PARTS = [
  'overview',
  'queries',
  'mutations',
  'subscriptions',
  'types',
  'inputs',
  'values',
] as const;
export type GraphQLPart = (typeof GRAPHQL_PARTS)[number];
