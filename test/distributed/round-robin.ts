import { type Exchange, exchangeWith } from '../support/http.ts';

/**
 * Sends each request to the next server, and to the one after that when nobody listens there. Without a balancer between them,
 * which loses the answer of a server that answers and hangs up while a body that is too large still comes.
 * @param servers those that are ready, the next one first
 */
export function roundRobin(servers: () => readonly string[]): Exchange {
  return async (request) => {
    for (const url of servers()) {
      try {
        return await exchangeWith(url)(request);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') {
          throw error;
        }
      }
    }
    throw new Error('No server takes connections');
  };
}
