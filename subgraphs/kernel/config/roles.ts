/**
 * The part of the product that runs in this process. `all` runs everything; the other roles split the same code over
 * machines.
 */
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
