/** What runs in this process. `all` is everything in one; the others split the same code over machines. */
export const ROLES = [
  'all',
  'gateway',
  'subgraph-operations',
  'subgraph-links',
  'subgraph-users',
  'subgraph-request-money',
  'worker',
] as const;

export type Role = (typeof ROLES)[number];
