import type { Server } from 'node:http';

/**
 * Has requests with an `Expect` that node does not know handled like all others, by everything that listens to requests.
 * By itself node answers 417, without a body and without `x-request-id`. Source: RFC 9110, section 10.1.1: a server may
 * ignore such an expectation.
 */
export function ignoreExpectations(server: Pick<Server, 'on' | 'emit'>): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
