import type { Server } from 'node:http';

/**
 * Handles requests with an unknown `Expect` header like all others. By default node answers 417, without a body and without
 * `x-request-id`. Source: RFC 9110, section 10.1.1: a server may ignore such an expectation.
 */
export function ignoreExpectations(server: Pick<Server, 'on' | 'emit'>): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
