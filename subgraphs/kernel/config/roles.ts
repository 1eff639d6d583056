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

/** Whether a process of this role serves REST and GraphQL. */
export function servesClients(role: Role): boolean {
  return role === 'all' || role === 'gateway';
}

/** Whether a process of a role runs a subgraph. Building a schema takes a large part of a start. */
export function runsSubgraph(role: Role, name: string): boolean {
  return role === 'all' || role === `subgraph-${name}`;
}
