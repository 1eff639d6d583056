import type { Connection } from 'mongoose';
import type { Scratch } from './scratch.ts';

/** Clients that write the same document. */
export const CLIENTS = 5;

/** Opens {@link CLIENTS} connections. */
export function openClients(scratch: Scratch): Promise<Connection[]> {
  return Promise.all(Array.from({ length: CLIENTS }, () => scratch.another()));
}

/** As many writers, each with the next of the clients. */
export function writersOf<Client>(clients: readonly Client[], count: number): Client[] {
  return Array.from({ length: Math.ceil(count / clients.length) }, () => clients)
    .flat()
    .slice(0, count);
}
