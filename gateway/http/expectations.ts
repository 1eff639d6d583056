import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/**
 * Has requests with an `Expect` that node does not know answered like all others. By itself node answers 417, without
 * a body and without `x-request-id`. Source: RFC 9110, section 10.1.1: a server may ignore such an expectation.
 */
export function ignoreExpectations(
  server: Pick<Server, 'on'>,
  routing: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('checkExpectation', routing);
}
